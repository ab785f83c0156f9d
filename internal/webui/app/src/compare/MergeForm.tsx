// Merges two nodes: one stays, with the chosen values and the edges of both; a dry run first says what happens.
import { Button, Group, Radio, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { GraphNode } from '../api/graph';
import { Problem } from '../api/problem';
import { applyBatch } from '../changesets/batch';
import { proposal, useProposal } from '../changesets/proposal';
import { recordChange } from '../entity/changes';
import { maxOperations } from '../explore/bulk';
import { applyDeletes, refetchGraph } from '../explore/lists';
import { UndoNote } from '../explore/UndoNote';
import { compareValues } from '../history/change';
import { ValueDifference } from '../history/ValueTable';
import { FormError, useErrorFocus, useSubmit } from '../shell/Form';
import { notify, notifyChange } from '../shell/notify';
import { LoadError, Loading } from '../shell/States';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import {
  countEdges,
  keptChanges,
  keptSide,
  maxMergedEdges,
  mergeOperations,
  otherSide,
  proposedMerge,
  readEdgeTags,
  readMergedEdges,
  sameEdges,
  type Merge,
  type Pair,
  type Side,
} from './merge';

interface Props {
  pair: Pair;
  names: [string, string];
  onMerged: (() => void) | undefined;
  onClose: () => void;
}

const changedMeanwhile = () => new Problem('PRECONDITION_FAILED', 'An edge was changed meanwhile', 412);

/** What stays of both nodes, and what merging them does. */
function useMerge({ pair, names, onMerged, onClose }: Props) {
  const queries = useQueryClient();
  const { active: proposing } = useProposal();
  const [stays, setStays] = useState<Side>('before');
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const [checked, setChecked] = useState(false);
  const { problem, busy, run, clearProblem } = useSubmit(() => Promise.resolve());
  const [first, second] = pair;
  const values = compareValues(first.entity.properties, second.entity.properties);
  const versions = { before: first, after: second } as Record<Side, { entity: GraphNode; etag: string }>;
  const other = versions[otherSide(stays)];
  const name = { stays: names[stays === 'before' ? 0 : 1], other: names[stays === 'before' ? 1 : 0] };
  const edges = useQuery({
    queryKey: ['compare', 'edges', other.entity.id],
    queryFn: ({ signal }) => readMergedEdges(other.entity.id, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const merge: Merge | null = edges.data
    ? { stays: versions[stays], other, change: keptChanges(values, stays, chosen), edges: edges.data }
    : null;

  function edit(change: () => void) {
    change();
    setChecked(false);
    clearProblem();
  }
  /** Throws a Problem if the edges are no longer those that the dialog shows. */
  async function confirmEdges(of: Merge) {
    const now = await readMergedEdges(other.entity.id);
    if (!now || !sameEdges(of.edges, now)) throw changedMeanwhile();
  }
  async function apply(of: Merge, dryRun: boolean) {
    setChecked(false);
    await confirmEdges(of);
    const { requestId } = await applyBatch(mergeOperations(of), dryRun);
    if (dryRun) return setChecked(true);
    recordChange({ label: `merged ${name.stays}`, kind: 'node', needs: 'create', requestId, several: true, undoUnrecorded: null });
    applyDeletes(queries, 'node', new Set([other.entity.id]));
    refetchGraph(queries);
    notifyChange(name.stays, 'Merged');
    onMerged?.();
    onClose();
  }
  async function propose(of: Merge) {
    await confirmEdges(of);
    // The new edges get the values that are read now, so the merge must be refused if the old ones change before it is applied.
    const edgeTags = await readEdgeTags(of.edges);
    if (!edgeTags) throw changedMeanwhile();
    const added = proposedMerge({ ...of, edgeTags });
    proposal.add(...added);
    notify(pluralize(added.length, 'operation'), 'Collected');
    onClose();
  }
  return {
    ...{ proposing, stays, chosen, checked, problem, busy, values, name, edges, merge },
    lostLabels: other.entity.labels.filter((label) => !versions[stays].entity.labels.includes(label)),
    keep: (side: Side) => edit(() => setStays(side)),
    choose: (property: string, side: Side) => edit(() => setChosen(new Map(chosen).set(property, side))),
    propose: (of: Merge) => void run(() => propose(of)),
    run: (of: Merge, dryRun: boolean) => void run(() => apply(of, dryRun)),
  };
}

export function MergeForm(props: Props) {
  const { names, onClose } = props;
  const state = useMerge(props);
  const { proposing, stays, values, name, edges, merge, problem, busy, checked } = state;
  const foot = useRef<HTMLDivElement>(null);
  useErrorFocus(foot, busy);
  const choice = (property: string, side: Side, value: ReactNode) => (
    <label className="merge-choice">
      <input
        type="radio"
        name={`value of ${property}`}
        aria-label={`${escapeInvisible(property)} of ${names[side === 'before' ? 0 : 1]}`}
        checked={
          keptSide(
            values.find((each) => each.name === property)!,
            stays,
            state.chosen.get(property),
          ) === side
        }
        onChange={() => state.choose(property, side)}
      />
      <span>{value}</span>
    </label>
  );
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Radio.Group label="Which node stays, with its ID?" value={stays} onChange={(side) => state.keep(side as Side)}>
        <Group mt={6} mb="sm">
          <Radio value="before" label={names[0]} />
          <Radio value="after" label={names[1]} />
        </Group>
      </Radio.Group>
      <ValueDifference values={values} label="Values that stay" headings={names} cell={choice} same="All values are the same." />
      {edges.isError ? (
        <LoadError error={edges.error} subject="the edges" retry={() => void edges.refetch()} />
      ) : edges.isPending ? (
        <Loading subject="the edges" />
      ) : (
        <Consequences merge={merge} name={name} lostLabels={state.lostLabels} checked={checked} />
      )}
      {!proposing && <UndoNote action="delete" kind="node" />}
      <div className="form-footer" ref={foot}>
        {problem && (
          <FormError
            text={
              problem.code === 'PRECONDITION_FAILED'
                ? 'Nothing was changed: one of the nodes or edges was changed meanwhile. Close and compare them again.'
                : `Nothing was changed. ${problem.text}`
            }
          />
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {merge && proposing && (
            <Button loading={busy} onClick={() => state.propose(merge)}>
              Propose to merge
            </Button>
          )}
          {merge && !proposing && (
            <Button variant={checked ? 'default' : 'filled'} loading={busy && !checked} onClick={() => state.run(merge, true)}>
              Check
            </Button>
          )}
          {merge && !proposing && checked && (
            <Button color="red.8" loading={busy} onClick={() => state.run(merge, false)}>
              Merge
            </Button>
          )}
        </Group>
      </div>
    </form>
  );
}

interface ConsequencesProps {
  /** null if there are too many edges. */
  merge: Merge | null;
  name: { stays: string; other: string };
  lostLabels: string[];
  checked: boolean;
}

function Consequences({ merge, name, lostLabels, checked }: ConsequencesProps) {
  if (!merge)
    return (
      <Text size="sm" mt="sm" role="alert">
        {name.other} has more than {formatCount(maxMergedEdges)} edges: too many for one transaction of {formatCount(maxOperations)}{' '}
        operations. Let the other node stay, or delete edges first.
      </Text>
    );
  const { moved, between } = countEdges(merge);
  const changes = Object.keys(merge.change).length;
  const sentences = [
    `${pluralize(moved, 'edge')} of ${name.other} ${moved === 1 ? 'moves' : 'move'} to ${name.stays}, with new IDs.`,
    ...(between > 0 ? [`${pluralize(between, 'edge')} between the two ${between === 1 ? 'is' : 'are'} deleted.`] : []),
    changes > 0 ? `${pluralize(changes, 'property', 'properties')} of ${name.stays} will change.` : `The values of ${name.stays} stay.`,
    `${name.other} is deleted.`,
    ...(lostLabels.length > 0 ? [`Its labels ${lostLabels.map(escapeInvisible).join(', ')} are lost.`] : []),
  ];
  return (
    <Text size="sm" mt="sm" role="status">
      {sentences.join(' ')}
      {checked && ' The check found no errors.'}
    </Text>
  );
}
