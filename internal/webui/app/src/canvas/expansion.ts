// The expansion of a node: the counts before it, and the neighbors. One request each.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getDegree, getNeighbors, type Degree, type Subgraph } from '../api/graph';
import type { SimpleStep } from './steps';

/** The maximum number of neighbors that one expansion adds. */
export const expansionLimit = 25;

/** The counts of a node's edges. The panel, the menu and the marks of a hub share them. */
export const degreeOptions = (id: string) =>
  queryOptions({ queryKey: ['node-edges', id, 'degree'], queryFn: ({ signal }) => getDegree(id, signal) });

export const fetchDegree = (queries: QueryClient, id: string): Promise<Degree> => queries.fetchQuery(degreeOptions(id));

export interface ExpansionOption {
  type: string;
  direction: 'in' | 'out';
  count: number;
}

/** Sums the counts by type and direction. */
export function expansionOptions(degree: Degree): ExpansionOption[] {
  const options = new Map<string, ExpansionOption>();
  for (const { edge_type: type, direction, count } of degree.counts) {
    const key = `${direction} ${type}`;
    const option = options.get(key) ?? { type, direction, count: 0 };
    option.count += count;
    options.set(key, option);
  }
  return [...options.values()].sort((a, b) => a.type.localeCompare(b.type) || a.direction.localeCompare(b.direction));
}

export function expandNode(
  { id, direction, type, limit, nodeType }: Extract<SimpleStep, { do: 'expand' }>,
  signal?: AbortSignal,
): Promise<Subgraph> {
  return getNeighbors(id, { direction, edge_type: type ?? undefined, node_type: nodeType, limit: limit ?? expansionLimit }, signal);
}
