import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Pencil, Play, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { asProblem, Problem } from '../api/problem';
import { EntityName } from '../explore/EntityName';
import { refetchGraph } from '../explore/lists';
import { UndoDialog } from '../history/UndoDialog';
import { useSession } from '../session/session';
import { viewAs } from '../session/viewAs';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { notify, notifyProblem } from '../shell/notify';
import { escapeInvisible, pluralize } from '../values/text';
import { decide, type ChangeSet, type Conflict, type Decision, type Diff } from './changesets';
import { decisionsOf } from './decisions';
import { operationIndex } from './batch';
import { kindOf } from './operations';
import { countConflicts } from './diff';
import { proposalOf } from './editing';
import { proposal, useProposal } from './proposal';

interface Props {
  changeSet: ChangeSet;
  etag: string;
  diff: Diff | undefined;
  /** Called when applying has met conflicts. */
  onConflict: () => void;
}

const messageFor = (problem: Problem) => (problem.status === 412 ? 'It was changed since you opened it. Check it again.' : problem.text);
const done: Record<Decision, string> = { approve: 'Approved', reject: 'Rejected', apply: 'Applied', withdraw: 'Withdrawn' };

/** The decisions that the user may take on a change set, and their results. */
export function DecisionBar({ changeSet, etag, diff, onConflict }: Props) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { me } = useSession();
  const collected = useProposal().items.length;
  const [confirming, setConfirming] = useState<Exclude<Decision, 'approve'> | 'edit' | null>(null);
  const [undoing, setUndoing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Problem | null>(null);
  if (!me || viewAs) return null;
  const may = decisionsOf(changeSet, me);
  const conflicts = diff ? countConflicts(diff) : 0;

  async function run(decision: Decision) {
    setRefused(null);
    const { changes } = await decide(changeSet.id, etag, decision).catch(async (error: unknown) => {
      if (asProblem(error).status === 412) await refresh(); // the page shows what it has become
      throw error;
    });
    if (decision === 'apply') refetchGraph(queries);
    notify(decision === 'apply' ? `${pluralize(changes.length, 'change')} written.` : escapeInvisible(changeSet.title), done[decision]);
    setConfirming(null);
    await refresh();
  }
  async function refresh() {
    void queries.invalidateQueries({ queryKey: ['changesets'] });
    await queries.invalidateQueries({ queryKey: ['changeset', changeSet.id], exact: true });
  }
  async function approve() {
    setBusy(true);
    try {
      await run('approve');
    } catch (error) {
      const problem = asProblem(error);
      notifyProblem(new Problem(problem.code, messageFor(problem), problem.status), 'Not approved');
    }
    setBusy(false);
  }
  async function apply() {
    try {
      await run('apply');
    } catch (error) {
      const problem = asProblem(error);
      if (problem.conflicts.length === 0) throw problem;
      setConfirming(null);
      setRefused(problem);
      onConflict();
    }
  }
  function edit() {
    proposal.update(proposalOf(changeSet, etag, diff));
    setConfirming(null);
    void navigate('/explore');
  }

  return (
    <>
      <DecisionButtons
        may={may}
        busy={busy}
        onApprove={() => void approve()}
        onConfirm={setConfirming}
        onEdit={() => (collected > 0 ? setConfirming('edit') : edit())}
        onUndo={() => setUndoing(true)}
      />
      {refused && <Refusal problem={refused} changeSet={changeSet} own={changeSet.author_id === me.id} onClose={() => setRefused(null)} />}
      {confirming === 'apply' && (
        <ApplyDialog changeSet={changeSet} conflicts={conflicts} run={apply} onClose={() => setConfirming(null)} />
      )}
      {(confirming === 'reject' || confirming === 'withdraw') && (
        <ConfirmDialog
          title={confirming === 'reject' ? 'Reject this change set?' : 'Withdraw this change set?'}
          label={confirming === 'reject' ? 'Reject' : 'Withdraw'}
          run={() => run(confirming)}
          messageFor={messageFor}
          onClose={() => setConfirming(null)}
        >
          <Text size="sm">It can then no longer be edited, approved or applied.</Text>
        </ConfirmDialog>
      )}
      {confirming === 'edit' && (
        <ConfirmDialog
          title="Discard what you have collected?"
          label="Discard and edit"
          run={() => Promise.resolve(edit())}
          onClose={() => setConfirming(null)}
        >
          <Text size="sm">
            You have collected {pluralize(collected, 'operation')} that are not submitted. Editing this change set replaces them.
          </Text>
        </ConfirmDialog>
      )}
      {undoing && <UndoDialog target={{ changeset: changeSet.id }} title="Undo the change set" onClose={() => setUndoing(false)} />}
    </>
  );
}

interface ButtonsProps {
  may: ReturnType<typeof decisionsOf>;
  /** Whether it is being approved. */
  busy: boolean;
  onApprove: () => void;
  onConfirm: (decision: Exclude<Decision, 'approve'>) => void;
  onEdit: () => void;
  onUndo: () => void;
}

function DecisionButtons({ may, busy, onApprove, onConfirm, onEdit, onUndo }: ButtonsProps) {
  return (
    <Group gap="xs" my="md" role="toolbar" aria-label="Decisions">
      {may.approve && (
        <Button size="xs" leftSection={<Check size={15} aria-hidden />} loading={busy} onClick={onApprove}>
          Approve
        </Button>
      )}
      {may.apply && (
        <Button size="xs" leftSection={<Play size={14} aria-hidden />} onClick={() => onConfirm('apply')}>
          Apply
        </Button>
      )}
      {may.reject && (
        <Button size="xs" variant="default" leftSection={<X size={15} aria-hidden />} onClick={() => onConfirm('reject')}>
          Reject
        </Button>
      )}
      {may.edit && (
        <Button size="xs" variant="default" leftSection={<Pencil size={14} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
      )}
      {may.withdraw && (
        <Button size="xs" variant="default" onClick={() => onConfirm('withdraw')}>
          Withdraw
        </Button>
      )}
      {may.undo && (
        <Button size="xs" variant="default" leftSection={<Undo2 size={14} aria-hidden />} onClick={onUndo}>
          Undo the change set
        </Button>
      )}
      {may.hint && (
        <Text size="sm" c="dimmed">
          {may.hint}
        </Text>
      )}
    </Group>
  );
}

interface ApplyProps {
  changeSet: ChangeSet;
  /** How many entities have a conflict. */
  conflicts: number;
  run: () => Promise<void>;
  onClose: () => void;
}

function ApplyDialog({ changeSet, conflicts, run, onClose }: ApplyProps) {
  return (
    <ConfirmDialog title="Apply this change set?" label="Apply" color="sea" run={run} messageFor={messageFor} onClose={onClose}>
      <Text size="sm">
        {changeSet.hidden ? 'Its operations' : `Its ${pluralize(changeSet.operations.length, 'operation')}`} will be written to the graph,
        all or none.
      </Text>
      {conflicts > 0 && (
        <Text size="sm" mt="xs">
          {pluralize(conflicts, 'entity has', 'entities have')} a conflict, so the service will refuse it.
        </Text>
      )}
    </ConfirmDialog>
  );
}

function kindOfOperation({ operations }: ChangeSet, conflict: Conflict) {
  const operation = operations[operationIndex(conflict.field)];
  return operation ? kindOf(operation) : null;
}

/** Why nothing was applied. */
function Refusal({ problem, changeSet, own, onClose }: { problem: Problem; changeSet: ChangeSet; own: boolean; onClose: () => void }) {
  const conflicts = problem.conflicts as Conflict[];
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      title="Not applied: something was changed since the proposal"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
      role="alert"
    >
      <Text size="sm">
        Nothing was written, and the change set is still approved.{' '}
        {own
          ? 'Edit it to base it on the current values.'
          : `Its author, ${escapeInvisible(changeSet.author)}, can edit it to base it on the current values.`}
      </Text>
      <ul className="taken-along" aria-label="Conflicts">
        {conflicts.map((conflict, index) => (
          <li key={index}>
            Operation {operationIndex(conflict.field) + 1}
            {conflict.id && (
              <>
                {' '}
                <EntityName kind={kindOfOperation(changeSet, conflict)} id={conflict.id} />
              </>
            )}
            : {escapeInvisible(conflict.message)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
