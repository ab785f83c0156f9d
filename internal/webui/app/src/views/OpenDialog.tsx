import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { escapeInvisible } from '../values/text';
import { ViewList } from './ViewList';
import { viewPath, type ViewSummary } from './views';

interface Props {
  /** The name of the view that is open, if it was changed since it was saved; else null. */
  changed: string | null;
  onClose: () => void;
}

/** The saved views to open. Asks before changes of the open one are lost. */
export default function OpenDialog({ changed, onClose }: Props) {
  const navigate = useNavigate();
  const [next, setNext] = useState<ViewSummary | null>(null);
  if (next !== null && changed !== null) {
    return (
      <Modal opened onClose={onClose} title="Discard the changes?">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The changes of “{changed}” are not saved. They are lost when “{escapeInvisible(next.name)}” is opened.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.8"
            onClick={() => {
              onClose();
              void navigate(viewPath(next.id));
            }}
          >
            Discard and open
          </Button>
        </Group>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="Open a saved view">
      <ViewList
        shown={12}
        autoFocus
        onOpen={(event, view) => {
          if (changed === null) return onClose();
          event.preventDefault();
          setNext(view);
        }}
      />
    </Modal>
  );
}
