import { Button, Tooltip } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session/session';
import { notify, notifyProblem } from '../shell/notify';
import { setLastChange, useLastChange } from './changes';

/** Undoes the last change, if the user has the permissions. */
export function UndoButton() {
  const last = useLastChange();
  const { me } = useSession();
  const [busy, setBusy] = useState(false);
  if (!last || !last.needs.every((p) => me?.permissions.includes(p))) return null;

  async function undo() {
    if (!last) return;
    setBusy(true);
    try {
      await last.undo();
      setLastChange(null);
      notify(last.label, 'Undone');
    } catch (error) {
      notifyProblem(error, 'Undo failed');
    } finally {
      setBusy(false);
    }
  }
  return (
    <Tooltip label={`Undo: ${last.label}`}>
      <Button variant="default" size="xs" leftSection={<Undo2 size={14} />} loading={busy} onClick={() => void undo()}>
        Undo
      </Button>
    </Tooltip>
  );
}
