import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, Plus, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { listNodeEdges, type GraphEdge } from '../api/graph';
import { asProblem } from '../api/problem';
import { degreeOptions } from '../canvas/expansion';
import { Link } from 'react-router';
import { explorePath, type EntityRef } from '../explore/url';
import { EndLink } from '../explore/EndLink';
import { ProblemText } from '../shell/ProblemText';
import { Waiting } from '../shell/Waiting';
import { pluralize, escapeInvisible } from '../values/text';

interface Props {
  id: string;
  onOpen: (target: EntityRef) => void;
  onCreate?: () => void;
}

const pageSize = 50;

/** The edges of a node, with links to the nodes at the other ends. */
export function NodeEdges({ id, onOpen, onCreate }: Props) {
  const queries = useQueryClient();
  const listKey = ['node-edges', id, 'list'];
  const edges = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam, signal }) =>
      listNodeEdges(id, { limit: pageSize, ends: 'caption', ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.page.next_cursor ?? undefined,
  });
  // The node was deleted after the list was loaded from which it was opened: reading it reports that.
  const isGone = edges.isError && asProblem(edges.error).code === 'NOT_FOUND';
  useEffect(() => {
    if (isGone) void queries.invalidateQueries({ queryKey: ['entity', 'node', id] });
  }, [isGone, queries, id]);
  const items = edges.data?.pages.flatMap((p) => p.items) ?? [];
  const first = edges.data?.pages[0];
  // The edges of a hub are counted after the first of them are shown, because counting reads all of them.
  const degree = useQuery({ ...degreeOptions(id), enabled: first?.page.has_more === true });
  const total = first?.page.has_more ? degree.data?.total : first?.items.length;
  const count = total !== undefined ? pluralize(total, 'edge') : first ? `More than ${pageSize} edges` : 'Edges';
  const cancel = () => void queries.cancelQueries({ queryKey: listKey, exact: true });

  return (
    <section aria-label="Edges">
      <h3 className="section-title">
        {items.length > 0 ? (
          <Link className="linkbutton" to={explorePath({ kind: 'edge', end: id, open: { kind: 'node', id } })} title="List these edges">
            {count}
          </Link>
        ) : (
          count
        )}
        <span className="spacer" />
        {onCreate && (
          <Tooltip label="Create an edge from this node">
            <ActionIcon size="sm" aria-label="Create an edge from this node" onClick={onCreate}>
              <Plus size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </h3>
      {edges.isLoading && <Loader size="xs" role="status" aria-label="Loading the edges" />}
      {edges.isFetching && <Waiting subject="the edges" onCancel={cancel} />}
      {edges.isPending && !edges.isFetching && (
        <Button size="compact-xs" variant="subtle" onClick={() => void edges.refetch()}>
          Load the edges
        </Button>
      )}
      {edges.isError && (
        <div style={{ fontSize: 13, color: 'var(--muted)' }}>
          <ProblemText error={edges.error} />
        </div>
      )}
      {items.length > 0 && (
        <ul className="linked-list">
          {items.map((edge) => (
            <EdgeRow key={edge.id} edge={edge} nodeId={id} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {edges.hasNextPage && (
        <Button size="compact-xs" variant="subtle" loading={edges.isFetchingNextPage} onClick={() => void edges.fetchNextPage()} mt={4}>
          Load more
        </Button>
      )}
    </section>
  );
}

function EdgeRow({ edge, nodeId, onOpen }: { edge: GraphEdge; nodeId: string; onOpen: (target: EntityRef) => void }) {
  const isLoop = edge.source_id === edge.target_id;
  const outgoing = edge.source_id === nodeId;
  const Arrow = isLoop ? RotateCw : outgoing ? ArrowRight : ArrowLeft;
  return (
    <li className="linked">
      <Arrow size={14} aria-label={isLoop ? 'to itself' : outgoing ? 'to' : 'from'} style={{ flex: 'none', color: 'var(--muted)' }} />
      <button type="button" className="linkbutton" onClick={() => onOpen({ kind: 'edge', id: edge.id })}>
        {escapeInvisible(edge.type)}
      </button>
      <span className="spacer" />
      {!isLoop && (
        <EndLink
          end={outgoing ? edge.target : edge.source}
          id={outgoing ? edge.target_id : edge.source_id}
          onOpen={(other) => onOpen({ kind: 'node', id: other })}
        />
      )}
    </li>
  );
}
