import { Button, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { refetchGraph } from '../explore/lists';
import { hasConflicts } from '../history/history';
import { UndoDialog } from '../history/UndoDialog';
import { usePermissions } from '../session/session';
import { overlays } from '../shell/keepFocus';
import { notify, notifyProblem } from '../shell/notify';
import { forgetChange, isFinal, undoChange, useLastChange, type UndoableChange } from './changes';

/**
 * Undoes the last change, if the user has the right to, and then the one before. Ctrl Z moves the focus to it, so that what it undoes is
 * read before; pressed again there, it undoes.
 */
export function UndoButton() {
  const queries = useQueryClient();
  const may = usePermissions();
  const last = useLastChange((change) => may[change.kind][change.needs]);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<UndoableChange | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The request whose undo Ctrl Z has announced. After a click, Ctrl Z is no keyboard use for the browser, which would show no tooltip.
  const [announced, setAnnounced] = useState('');
  function handleUndoKey(event: KeyboardEvent) {
    // A key that is held would undo what nobody has read; in dialogs and menus, the button is behind them.
    if (!last || busy || event.repeat || (event.target as HTMLElement).closest(overlays)) return;
    // The button has the focus again after an undo, when nobody has read what is next.
    if (document.activeElement === button.current && announced === last.requestId) return button.current?.click();
    button.current?.focus();
    setAnnounced(last.requestId);
  }
  useHotkeys([['mod+Z', handleUndoKey]]); // not in fields, where it undoes typing
  if (!last) return null;

  async function undo() {
    if (!last) return;
    setBusy(true);
    try {
      await undoChange(last);
      refetchGraph(queries);
      forgetChange(last.requestId);
      notify(last.label, 'Undone');
    } catch (error) {
      if (hasConflicts(error)) setRefused(last);
      else {
        notifyProblem(error, 'Undo failed');
        if (isFinal(error)) forgetChange(last.requestId);
      }
    } finally {
      setAnnounced(''); // a disabled button loses the focus without a word
      setBusy(false);
    }
  }
  return (
    <>
      <Tooltip
        label={`Undo: ${last.label}`}
        {...(announced === last.requestId ? { opened: true } : {})}
        events={{ hover: true, focus: true, touch: false }}
      >
        <Button
          ref={button}
          variant="default"
          size="xs"
          aria-keyshortcuts="Control+Z Meta+Z"
          leftSection={<Undo2 size={14} />}
          loading={busy}
          onBlur={() => setAnnounced('')}
          onClick={() => void undo()}
        >
          Undo
        </Button>
      </Tooltip>
      {refused && (
        <UndoDialog target={{ request_id: refused.requestId }} title={`Undo: ${refused.label}`} onClose={() => setRefused(null)} />
      )}
    </>
  );
}
