import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { escapeInvisible, formatTime } from '../values/text';
import { decodeState, describeState, type ViewState } from './state';
import type { SavedView } from './views';

interface Props {
  now: ViewState;
  theirs: SavedView;
  onOverwrite: () => Promise<void>;
  onSaveAsNew: () => void;
  onOpenTheirs: () => void;
  onClose: () => void;
}

function describeTheirs(view: SavedView): Map<string, string> {
  try {
    return new Map(describeState(decodeState(view.state)));
  } catch {
    return new Map(); // another program has saved it
  }
}

/** Shows both versions after the view was saved elsewhere, and asks which one to keep. */
export default function OverwriteDialog({ now, theirs, onOverwrite, onSaveAsNew, onOpenTheirs, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const saved = describeTheirs(theirs);
  const yours = new Map(describeState(now));
  const labels = [...new Set([...yours.keys(), ...saved.keys()])];
  const overwrite = async () => {
    setBusy(true);
    await onOverwrite();
    setBusy(false);
  };
  return (
    <Modal opened onClose={onClose} size={690} title="Saved elsewhere meanwhile">
      <Text size="sm" c="dimmed" mb="sm">
        “{escapeInvisible(theirs.name)}” was saved {formatTime(theirs.updated_at)}, in another window. Your changes are not saved yet.
      </Text>
      <div className="versions" role="table" aria-label="Both versions">
        <div role="row" className="versions-row">
          <div className="head" role="columnheader">
            Of the view
          </div>
          <div className="head" role="columnheader">
            Yours
          </div>
          <div className="head" role="columnheader">
            Saved
          </div>
        </div>
        {labels.map((label) => {
          const differs = yours.get(label) === saved.get(label) ? undefined : 'differs';
          const text = (version: Map<string, string>) => escapeInvisible(version.get(label) ?? 'none');
          return (
            <div key={label} role="row" className="versions-row">
              <div role="rowheader">{label}</div>
              <div role="cell" className={differs}>
                {text(yours)}
              </div>
              <div role="cell" className={differs}>
                {text(saved)}
              </div>
            </div>
          );
        })}
      </div>
      <Group justify="flex-end" mt="md" gap="sm">
        <Button variant="subtle" color="gray" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button variant="default" onClick={onOpenTheirs}>
          Open the saved one
        </Button>
        <Button variant="default" onClick={onSaveAsNew}>
          Save as new…
        </Button>
        <Button loading={busy} onClick={() => void overwrite()}>
          Overwrite
        </Button>
      </Group>
    </Modal>
  );
}
