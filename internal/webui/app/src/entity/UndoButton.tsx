import { Button, Tooltip } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session/session';
import { notify, notifyProblem } from '../shell/notify';
import { setLastChange, useLastChange } from './changes';

/** Takes back the last change, where the user may. */
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
      notify(last.label, 'Taken back');
    } catch (error) {
      notifyProblem(error, 'Could not take it back');
    } finally {
      setBusy(false);
    }
  }
  return (
    <Tooltip label={`Take back: ${last.label}`}>
      <Button variant="default" size="xs" leftSection={<Undo2 size={14} />} loading={busy} onClick={() => void undo()}>
        Undo
      </Button>
    </Tooltip>
  );
}
