// Changes or deletes the selected rows together: a dry run shows what would happen, then one request applies it, which can be undone as a
// whole.
import { Button, Group, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Schema } from '../api/graph';
import { asProblem, type Problem } from '../api/problem';
import { applyBatch } from '../changesets/batch';
import { proposal, useProposal } from '../changesets/proposal';
import { declarationsOf } from '../declared/check';
import { declaredFields, isClosed } from '../declared/fields';
import { recordChange } from '../entity/changes';
import { newField, type Field } from '../entity/form';
import { notify, notifyChange } from '../shell/notify';
import { captionOf, escapeInvisible, formatCount, pluralize } from '../values/text';
import {
  countChanges,
  maxOperations,
  operationsOf,
  parseBulkFields,
  proposedOperations,
  rowErrors,
  type BulkAction,
  type BulkCounts,
} from './bulk';
import { BulkFields } from './BulkFields';
import { fieldsOf, filterableProperties } from './columns';
import { applyDeletes, applyUpdates, type Row } from './lists';
import { UndoNote } from './UndoNote';
import type { View } from './url';

interface Props {
  action: 'edit' | 'delete';
  /** The rows that are selected when the dialog opens. */
  rows: Row[];
  view: View;
  schema: Schema;
  /** After the rows were deleted; also those that the list has not loaded. */
  onDeleted: () => void;
  onClose: () => void;
}

/** What a dry run found for one form of the fields. */
interface DryRun {
  counts: BulkCounts | null;
  problem: Problem | null;
}

/** The rows and fields of the dialog, the result of its dry run, and what its buttons do. */
function useBulkChange({ action, rows: selected, view, onDeleted, onClose }: Props) {
  const queries = useQueryClient();
  const { active: proposing, items } = useProposal();
  const [rows, setRows] = useState(selected);
  const [fields, setFields] = useState<Field[]>(() => [newField()]);
  const [plan, setPlan] = useState<DryRun | null>(null);
  const [busy, setBusy] = useState(false);
  const [showErrors, setShowErrors] = useState(false);
  const { kind } = view;
  const form = parseBulkFields(fields);
  const change: BulkAction = action === 'edit' ? { action, change: form.change } : { action };
  const requested = fieldsOf(view.columns);
  const loaded = (property: string) => requested === null || requested.includes(property);
  const subject = pluralize(rows.length, kind);
  const tooMany = rows.length > maxOperations;
  const invalid = action === 'edit' && form.errors.size > 0;

  async function run(dryRun: boolean) {
    setShowErrors(true);
    if (invalid) return;
    setBusy(true);
    try {
      const outcome = await applyBatch(operationsOf(kind, rows, change), dryRun);
      if (dryRun) setPlan({ counts: countChanges(rows, change, outcome.results, loaded), problem: null });
      else finish(outcome);
    } catch (error) {
      setPlan({ counts: null, problem: asProblem(error) });
    }
    setBusy(false);
  }

  function finish({ requestId, results }: Awaited<ReturnType<typeof applyBatch>>) {
    if (action === 'delete') {
      applyDeletes(queries, kind, new Set(rows.map((row) => row.id)));
      onDeleted();
    } else applyUpdates(queries, kind, new Map(results.flatMap(({ id, data }) => (data && 'properties' in data ? [[id, data]] : []))));
    recordChange({
      label: `${action === 'delete' ? 'deleted' : 'changed'} ${subject}`,
      kind,
      needs: action === 'delete' ? 'create' : 'edit',
      requestId,
      several: true,
      undoUnrecorded: null,
    });
    notifyChange(subject, action === 'delete' ? 'Deleted' : 'Changed');
    onClose();
  }

  function propose() {
    setShowErrors(true);
    if (invalid) return;
    const added = proposedOperations(kind, rows, change, items, loaded);
    proposal.add(...added);
    notify(pluralize(added.length, 'operation'), 'Collected');
    onClose();
  }

  const errors = plan?.problem ? rowErrors(rows, plan.problem) : [];
  function leaveOut() {
    const failed = new Set(errors.map(({ row }) => row.id));
    setRows(rows.filter((row) => !failed.has(row.id)));
    setPlan(null);
  }
  function changeFields(next: Field[]) {
    setFields(next);
    setPlan(null);
  }

  return {
    proposing,
    rows,
    fields,
    fieldErrors: showErrors ? form.errors : new Map<number, string>(),
    changeFields,
    plan,
    busy,
    subject,
    tooMany,
    errors,
    run,
    propose,
    leaveOut,
  };
}

export default function BulkDialog({ action, rows: selected, view, schema, onDeleted, onClose }: Props) {
  const bulk = useBulkChange({ action, rows: selected, view, schema, onDeleted, onClose });
  const { proposing, fields, plan, subject, tooMany, errors } = bulk;
  const { kind } = view;
  const verb = action === 'edit' ? 'Change' : 'Delete';
  const title = proposing ? `Propose to ${verb.toLowerCase()} ${subject}` : `${verb} ${subject}`;
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      {tooMany ? (
        <Text size="sm" role="alert">
          At most {formatCount(maxOperations)} can be {action === 'edit' ? 'changed' : 'deleted'} at once, because that happens in one
          transaction. Select fewer rows.
        </Text>
      ) : (
        <>
          {action === 'edit' && (
            <EditFields view={view} schema={schema} fields={fields} errors={bulk.fieldErrors} onChange={bulk.changeFields} />
          )}
          {proposing && action === 'delete' && (
            <Text size="sm">
              They will be deleted when the change set is applied{kind === 'node' ? ', and their edges with them' : ''}.
            </Text>
          )}
          {!proposing && <UndoNote action={action} kind={kind} />}
          {plan?.counts && <Counts action={action} kind={kind} counts={plan.counts} />}
          {plan?.problem && <Errors problem={plan.problem} errors={errors} />}
        </>
      )}
      <BulkButtons action={action} kind={kind} bulk={bulk} proposeLabel={title} onClose={onClose} />
    </Modal>
  );
}

interface ButtonsProps {
  action: Props['action'];
  kind: View['kind'];
  bulk: ReturnType<typeof useBulkChange>;
  proposeLabel: string;
  onClose: () => void;
}

function BulkButtons({ action, kind, bulk, proposeLabel, onClose }: ButtonsProps) {
  const { proposing, rows, plan, busy, tooMany, errors } = bulk;
  return (
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onClose} data-autofocus={action === 'delete' || tooMany || undefined}>
        Cancel
      </Button>
      {!tooMany && errors.length > 0 && errors.length < rows.length && (
        <Button variant="default" onClick={bulk.leaveOut}>
          Leave out {pluralize(new Set(errors.map(({ row }) => row.id)).size, 'row')}
        </Button>
      )}
      {!tooMany && proposing && <Button onClick={bulk.propose}>{proposeLabel}</Button>}
      {!tooMany && !proposing && (
        <Button
          variant={plan?.counts ? 'default' : 'filled'}
          loading={busy && !plan?.counts}
          disabled={busy}
          onClick={() => void bulk.run(true)}
        >
          Check
        </Button>
      )}
      {!tooMany && !proposing && plan?.counts && (
        <Button
          loading={busy}
          color={action === 'delete' ? 'red.8' : undefined}
          disabled={plan.counts.entities === 0}
          onClick={() => void bulk.run(false)}
        >
          {action === 'edit' ? 'Change' : 'Delete'} {pluralize(plan.counts.entities, kind)}
        </Button>
      )}
    </Group>
  );
}

function EditFields({
  view,
  schema,
  fields,
  errors,
  onChange,
}: {
  view: View;
  schema: Schema;
  fields: Field[];
  errors: Map<number, string>;
  onChange: (fields: Field[]) => void;
}) {
  const declarations = useMemo(
    () => (view.type === null ? [] : declarationsOf(schema, view.kind, [view.type])),
    [schema, view.kind, view.type],
  );
  const declared = useMemo(() => declaredFields(declarations), [declarations]);
  const known = useMemo(() => filterableProperties(schema, view.kind, view.type), [schema, view.kind, view.type]);
  return (
    <BulkFields fields={fields} errors={errors} known={known} declared={declared} closed={isClosed(declarations)} onChange={onChange} />
  );
}

function Counts({ action, kind, counts }: { action: 'edit' | 'delete'; kind: 'node' | 'edge'; counts: BulkCounts }) {
  const parts = [
    `${pluralize(counts.entities, kind)} will be ${action === 'edit' ? 'changed' : 'deleted'}`,
    ...(counts.edges > 0 ? [`${pluralize(counts.edges, 'edge')} with them`] : []),
  ];
  return (
    <Text size="sm" mt="sm" role="status">
      {parts.join(', and ')}.
      {counts.unchanged > 0 && ` ${pluralize(counts.unchanged, kind)} already ${counts.unchanged === 1 ? 'has' : 'have'} these values.`}
    </Text>
  );
}

function Errors({ problem, errors }: { problem: Problem; errors: ReturnType<typeof rowErrors> }) {
  return (
    <div role="alert">
      <Text size="sm" mt="sm" c="red">
        {errors.length > 0 ? `Nothing was changed. ${problem.message}:` : `Nothing was changed. ${problem.text}`}
      </Text>
      {errors.length > 0 && (
        <div
          className="card"
          style={{ marginTop: 6, maxHeight: 220, overflow: 'auto' }}
          tabIndex={0}
          role="region"
          aria-label="Errors by row"
        >
          <table className="plain-table">
            <thead>
              <tr>
                <th>Row</th>
                <th>Error</th>
              </tr>
            </thead>
            <tbody>
              {errors.map(({ row, message }, index) => (
                <tr key={index}>
                  <td title={row.id}>{captionOf(row.properties, row.id)}</td>
                  <td>{escapeInvisible(message)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
