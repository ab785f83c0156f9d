// Two nodes or edges side by side. Two nodes of one type can be merged from here.
import { Button, Group, Modal, Text } from '@mantine/core';
import { Merge as MergeIcon } from 'lucide-react';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { getEntity, type Entity, type EntityKind } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { nameOf } from '../explore/EntityName';
import { compareValues } from '../history/change';
import { ValueDifference } from '../history/ValueTable';
import { LoadError, Loading } from '../shell/States';
import { escapeInvisible, shortId } from '../values/text';
import type { Pair } from './merge';
import { MergeForm } from './MergeForm';

interface Props {
  kind: EntityKind;
  ids: [string, string];
  onMerged: (() => void) | undefined;
  onClose: () => void;
}

export default function CompareDialog({ kind, ids, onMerged, onClose }: Props) {
  const [merging, setMerging] = useState(false);
  // As they are when the dialog is opened: a merge is of the versions that are shown.
  const read = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['compare', kind, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => getEntity(kind, id, signal),
      staleTime: Infinity,
      gcTime: 0,
      retry: false,
    })),
  });
  const failed = read.find((query) => query.isError);
  const [first, second] = read.map((query) => query.data);
  const pair: Pair | null = first && second ? [first, second] : null;
  return (
    <Modal opened onClose={onClose} size="xl" title={merging ? 'Merge two nodes' : `Compare two ${kind}s`}>
      {failed ? (
        <LoadError error={failed.error} subject={`the ${kind}s`} retry={() => void failed.refetch()} />
      ) : !pair ? (
        <Loading subject={`the ${kind}s`} />
      ) : merging ? (
        <MergeForm pair={pair} names={namesOf(pair)} onMerged={onMerged} onClose={onClose} />
      ) : (
        <Comparison pair={pair} onMerge={() => setMerging(true)} onClose={onClose} />
      )}
    </Modal>
  );
}

/** The names of both; with the end of the id if they have the same one. */
function namesOf(pair: Pair): [string, string] {
  const [first, second] = pair.map(nameOf) as [string, string];
  return first === second ? (pair.map(({ entity }) => `${first} ${shortId(entity.id)}`) as [string, string]) : [first, second];
}

const typesOf = ({ kind, entity }: Entity) =>
  (kind === 'node' ? entity.labels : [entity.type]).map(escapeInvisible).join(', ') || 'no label';

function Comparison({ pair, onMerge, onClose }: { pair: Pair; onMerge: () => void; onClose: () => void }) {
  const names = namesOf(pair);
  const [first, second] = pair;
  const types = pair.map(typesOf);
  return (
    <>
      <ValueDifference
        values={compareValues(first.entity.properties, second.entity.properties)}
        label="Values of both"
        headings={names}
        same="All values are the same."
      />
      <p className="change-note">
        {types[0] === types[1] ? `Both are ${types[0]}.` : `${names[0]} is ${types[0]}, ${names[1]} is ${types[1]}.`}
      </p>
      <Group justify="flex-end" mt="md">
        <MergeOffer pair={pair} onMerge={onMerge} />
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </>
  );
}

/** Offers to merge two nodes of one type, or says which rights are missing. */
function MergeOffer({ pair: [first, second], onMerge }: { pair: Pair; onMerge: () => void }) {
  const may = useEditPermissions();
  if (first.kind !== 'node' || first.entity.type !== second.entity.type) return null;
  const missing = [
    ...(['edit', 'delete'] as const).filter((action) => !may.node[action]).map((action) => `${action} nodes`),
    ...(['read', 'create', 'delete'] as const).filter((action) => !may.edge[action]).map((action) => `${action} edges`),
  ];
  if (missing.length > 0)
    return (
      <Text size="sm" c="dimmed" mr="auto">
        To merge them you need the rights to {missing.join(', ')}.
      </Text>
    );
  return (
    <Button variant="default" leftSection={<MergeIcon size={14} aria-hidden />} onClick={onMerge}>
      Merge…
    </Button>
  );
}
