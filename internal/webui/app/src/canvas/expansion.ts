// What an expansion would bring and what it brings. One request reads the node's edges, which gives both the counts and the
// edges; nodes at their other ends that nobody has read yet cost one more each, so an expansion has a cap.
import type { QueryClient } from '@tanstack/react-query';
import { getNode, listNodeEdges, type Direction, type GraphEdge, type GraphNode } from '../api/graph';
import type { Fragment } from './model';

/** How many neighbours one expansion brings at most. */
export const cap = 25;
const readAtOnce = 1000;

export interface Reach {
  edges: GraphEdge[];
  /** Whether there are more edges than were read. */
  more: boolean;
}

export function reachOf(queries: QueryClient, id: string): Promise<Reach> {
  return queries.fetchQuery({
    queryKey: ['node-edges', id, 'reach'],
    queryFn: async () => {
      const page = await listNodeEdges(id, { limit: readAtOnce });
      return { edges: page.items, more: page.page.has_more };
    },
  });
}

export interface Choice {
  type: string | null;
  direction: Direction;
  count: number;
}

function matches(edge: GraphEdge, id: string, direction: Direction, type: string | null): boolean {
  if (type !== null && edge.type !== type) return false;
  return direction === 'both' || (direction === 'out' ? edge.source_id === id : edge.target_id === id);
}

/** What can be expanded, by type and direction, with counts. */
export function choices(reach: Reach, id: string): Choice[] {
  const found = new Map<string, Choice>();
  for (const edge of reach.edges) {
    for (const direction of ['out', 'in'] as const) {
      if (!matches(edge, id, direction, null)) continue;
      const key = `${direction} ${edge.type}`;
      const choice = found.get(key) ?? { type: edge.type, direction, count: 0 };
      choice.count++;
      found.set(key, choice);
    }
  }
  return [...found.values()].sort((a, b) => a.type!.localeCompare(b.type!) || a.direction.localeCompare(b.direction));
}

export async function expand(queries: QueryClient, id: string, direction: Direction, type: string | null, known: ReadonlyMap<string, GraphNode>): Promise<Fragment> {
  const reach = await reachOf(queries, id);
  const edges = reach.edges.filter((e) => matches(e, id, direction, type)).slice(0, cap);
  const ends = new Set(edges.flatMap((e) => [e.source_id, e.target_id]));
  ends.delete(id);
  const read = (end: string) =>
    queries.fetchQuery({ queryKey: ['pick-node', end], queryFn: async () => (await getNode(end)).data });
  const nodes = await Promise.all([...ends].map((end) => known.get(end) ?? read(end)));
  return { nodes, edges };
}
