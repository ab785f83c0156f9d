import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asProblem } from '../api/problem';
import { forgetChange, forgetSingleChange } from '../entity/changes';
import { EntityName } from '../explore/EntityName';
import { refetchGraph } from '../explore/lists';
import { Loading } from '../shell/States';
import { notify } from '../shell/notify';
import { escapeInvisible, pluralize } from '../values/text';
import { hasConflicts, undoChanges, type UndoConflict, type UndoTarget } from './history';

interface Props {
  target: UndoTarget;
  /** The request that made the change, if the target is a change. */
  requestId?: string | null;
  title: string;
  /** Names of entities by their id, for conflicts. */
  names?: Map<string, string>;
  onClose: () => void;
  onUndone?: () => void;
}

/** Shows what an undo would reverse and what stands in its way, from a dry run, and then undoes it. */
export function UndoDialog({ target, requestId, title, names, onClose, onUndone }: Props) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const plan = useQuery({
    queryKey: ['undo', target],
    queryFn: () => undoChanges(target, { dry_run: true, on_conflict: 'skip' }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const skipped = plan.data?.skipped ?? [];
  const count = plan.data?.undone ?? 0;

  async function undo() {
    setBusy(true);
    setError(null);
    try {
      const done = await undoChanges(target, skipped.length > 0 ? { on_conflict: 'skip' } : {});
      if ('request_id' in target) forgetChange(target.request_id);
      else if (requestId) forgetSingleChange(requestId);
      refetchGraph(queries);
      const newIds = Object.keys(done.ids).length > 0 ? ' Restored entities without their own ID have new IDs.' : '';
      notify(`${pluralize(done.undone, 'change')} reversed.${newIds}`, 'Undone');
      onUndone?.();
      onClose();
    } catch (failure) {
      // Something was changed since the dry run: a new one shows it.
      if (hasConflicts(failure)) await plan.refetch();
      setError(failure);
    }
    setBusy(false);
  }

  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      {plan.isPending && <Loading subject="what would be reversed" />}
      {plan.isError && (
        <Text size="sm" c="red" role="alert">
          {asProblem(plan.error).text}
        </Text>
      )}
      {plan.data && (
        <>
          <Text size="sm" role="status">
            {count === 0 ? 'Nothing can be reversed.' : `${pluralize(count, 'change')} will be reversed.`}
          </Text>
          {skipped.length > 0 && <Conflicts conflicts={skipped} names={names} />}
        </>
      )}
      {error !== null && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {asProblem(error).message}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {plan.isPending || count > 0 ? 'Cancel' : 'Close'}
        </Button>
        {count > 0 && (
          <Button loading={busy} onClick={() => void undo()}>
            {skipped.length > 0 ? 'Undo the rest' : `Undo ${pluralize(count, 'change')}`}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

const shownConflicts = 100;

function Conflicts({ conflicts, names }: { conflicts: UndoConflict[]; names?: Map<string, string> | undefined }) {
  return (
    <>
      <Text size="sm" mt="sm">
        {conflicts.length === 1
          ? '1 entity stands in the way and stays as it is:'
          : `${pluralize(conflicts.length, 'entity', 'entities')} stand in the way and stay as they are:`}
      </Text>
      <div className="card" style={{ marginTop: 6, maxHeight: 320, overflow: 'auto' }} tabIndex={0} role="region" aria-label="Conflicts">
        <table className="plain-table">
          <thead>
            <tr>
              <th>Node or edge</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.slice(0, shownConflicts).map((conflict, index) => (
              <tr key={index}>
                <td>
                  <EntityName kind={null} id={conflict.id} name={names?.get(conflict.id)} />
                </td>
                <td>{escapeInvisible(conflict.message)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {conflicts.length > shownConflicts && (
        <Text size="sm" c="dimmed" mt={4}>
          The first {shownConflicts} are shown.
        </Text>
      )}
    </>
  );
}
