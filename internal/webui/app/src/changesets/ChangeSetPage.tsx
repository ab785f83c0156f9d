import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { onDemand } from '../api/onDemand';
import { getNode } from '../api/graph';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { asProblem } from '../api/problem';
import { captionOf, escapeInvisible, formatTime, pluralize } from '../values/text';
import { Activity } from './Activity';
import { getChangeSet, getDiff, type ChangeSet, type Diff } from './changesets';
import {
  countConflicts,
  describeOperations,
  diffItems,
  endName,
  namedNodes,
  newNodeNames,
  nodeNames,
  summarize,
  unknownEnds,
  type DiffItem,
} from './diff';
import { DecisionBar } from './DecisionBar';
import { DiffTable } from './DiffTable';
import { OperationList } from './OperationList';
import type { Reference } from './operations';
import { StatusBadge } from './StatusBadge';

const DiffGraph = onDemand(() => import('./DiffGraph'));

/** The review of one change set: what it would change, who did what with it, and the decisions on it. */
export default function ChangeSetPage() {
  const { id = '' } = useParams();
  const read = useQuery({
    queryKey: ['changeset', id],
    queryFn: ({ signal }) => getChangeSet(id, signal),
    staleTime: 0,
    structuralSharing: false,
  });
  return (
    <div className="page">
      <div className="page-inner">
        <Anchor component={Link} to="/change-sets" size="sm">
          Change sets
        </Anchor>
        {read.isPending && <Loading subject="the change set" />}
        {read.isError &&
          !read.data &&
          (asProblem(read.error).code === 'NOT_FOUND' ? (
            <EmptyState title="No such change set">It may have expired.</EmptyState>
          ) : (
            <LoadError error={read.error} subject="the change set" retry={() => void read.refetch()} />
          ))}
        {read.data && <Review key={read.data.changeSet.id} changeSet={read.data.changeSet} etag={read.data.etag} />}
      </div>
    </div>
  );
}

function Review({ changeSet, etag }: { changeSet: ChangeSet; etag: string }) {
  const { id, version, status } = changeSet;
  const pending = status === 'open' || status === 'approved';
  // The diff is computed from the graph as it is now, so for one that was applied it would show nothing.
  const diff = useQuery({
    queryKey: ['changeset', id, 'diff', version],
    queryFn: ({ signal }) => getDiff(id, signal),
    staleTime: 0,
    enabled: pending,
    structuralSharing: false,
  });
  return (
    <>
      <Group gap="sm" mt={4} align="center">
        <h1 style={{ margin: 0, fontSize: '1.2rem', overflowWrap: 'anywhere' }}>{escapeInvisible(changeSet.title)}</h1>
        <StatusBadge status={status} />
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        Proposed by <strong>{escapeInvisible(changeSet.author)}</strong> {formatTime(changeSet.created_at)} ·{' '}
        {changeSet.hidden ? 'your roles do not show its operations' : pluralize(changeSet.operations.length, 'operation')}
      </Text>
      {changeSet.description && (
        <Text size="sm" mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {escapeInvisible(changeSet.description)}
        </Text>
      )}
      <DecisionBar changeSet={changeSet} etag={etag} diff={diff.data} onConflict={() => void diff.refetch()} />
      <div className="review">
        <div>
          {!pending && !changeSet.hidden && <FinalOperations changeSet={changeSet} />}
          {pending && diff.isPending && <Loading subject="the difference" />}
          {pending && diff.isError && <LoadError error={diff.error} subject="the difference" retry={() => void diff.refetch()} />}
          {pending && diff.data && <Difference changeSet={changeSet} diff={diff.data} />}
        </div>
        <Activity changeSet={changeSet} />
      </div>
    </>
  );
}

// The nodes outside of the diff whose names are read, each by a request.
const maxNamedNodes = 25;

/** Reads the names of nodes; the first ones, if there are many. */
function useNodeNames(ids: string[]): [string, string][] {
  const read = useQueries({
    queries: ids.slice(0, maxNamedNodes).map((id) => ({
      queryKey: ['pick-node', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await getNode(id, signal)).data,
      retry: false,
    })),
  });
  const names = read.flatMap(({ data }): [string, string][] => (data ? [[data.id, captionOf(data.properties, data.id)]] : []));
  // The same array while the names are the same, because the graph is drawn again for another one.
  const text = JSON.stringify(names);
  return useMemo(() => JSON.parse(text) as [string, string][], [text]);
}

/** The operations of a change set that is no longer open: the graph may have changed since, so there is no difference to show. */
function FinalOperations({ changeSet }: { changeSet: ChangeSet }) {
  const names = useNodeNames(useMemo(() => namedNodes(changeSet.operations), [changeSet.operations]));
  return (
    <>
      <h2 style={{ marginBottom: '0.5rem' }}>Operations</h2>
      <Operations changeSet={changeSet} items={[]} names={nodeNames([], names)} />
    </>
  );
}

function Difference({ changeSet, diff }: { changeSet: ChangeSet; diff: Diff }) {
  const [view, setView] = useState('table');
  const items = useMemo(() => diffItems(diff, changeSet.operations), [diff, changeSet.operations]);
  const ends = useNodeNames(useMemo(() => unknownEnds(diff.entities), [diff]));
  const names = useMemo(() => nodeNames(diff.entities, ends), [diff, ends]);
  const conflicts = countConflicts(diff);
  return (
    <>
      <Group mb="xs" wrap="nowrap">
        <h2>Difference</h2>
        <Text size="sm" c="dimmed" role="status" style={{ flex: 1 }}>
          {[
            summarize(items),
            ...(conflicts > 0 ? [pluralize(conflicts, 'conflict')] : []),
            ...(diff.violations.length > 0 ? [pluralize(diff.violations.length, 'violation')] : []),
          ].join('; ')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          style={{ flex: 'none' }}
          value={view}
          onChange={setView}
          data={[
            { value: 'table', label: 'Table' },
            { value: 'graph', label: 'Graph' },
          ]}
        />
      </Group>
      {view === 'table' ? (
        <DiffTable items={items} names={names} />
      ) : (
        <Suspense fallback={<Loading subject="the graph" />}>
          <DiffGraph entities={diff.entities} items={items} names={names} />
        </Suspense>
      )}
      {!changeSet.hidden && (
        <details className="operations-details">
          <summary>{pluralize(changeSet.operations.length, 'operation')}, in order</summary>
          <Operations changeSet={changeSet} items={items} names={names} />
        </details>
      )}
    </>
  );
}

function Operations({ changeSet, items, names }: { changeSet: ChangeSet; items: DiffItem[]; names: Map<string, string> }) {
  const all = new Map([...newNodeNames(changeSet.operations), ...names]);
  return (
    <OperationList
      items={describeOperations(changeSet.operations, items, all)}
      nameOf={(reference: Reference) => endName(reference, all)}
    />
  );
}
