// What a table shows of the nodes beside its rows: those that edges link to a row, or those at the ends of an edge.
import type { Direction, GraphNode } from '../api/graph';
import { maxLimit } from '../api/limits';
import { matchRows, nodeIdOf } from '../api/match';
import { captionOf } from '../values/text';
import type { Row } from './lists';

/** What a column reads; columns of the same name share it. */
export interface Reading {
  name: string;
  /** The id of the node of a row. */
  idOf: (row: Row) => string;
  /** The edges that lead from it to the nodes that are shown; without them it is shown itself. */
  hop?: { edge: string; direction: Direction; type: string | null };
}

export interface Linked {
  /** How many distinct nodes the user sees there. */
  count: number;
  /** The nodes themselves, if they are few. */
  nodes: GraphNode[];
}

export type Found = Map<string, Linked>;

/** How many nodes a cell names. */
export const maxNamed = 3;

/** Parts of a list whose sizes add up to at most a page of an answer, so that no answer is cut. */
export function partsOf<T>(items: T[], sizeOf: (item: T) => number): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const item of items) {
    if (parts.length === 0 || sizeOf(item) > room) {
      parts.push([]);
      room = maxLimit;
    }
    parts.at(-1)!.push(item);
    room -= sizeOf(item);
  }
  return parts;
}

/** Reads what is beside the nodes of these ids. Each of them is in the answer. */
export async function readLinked({ hop }: Pick<Reading, 'hop'>, ids: string[], signal: AbortSignal): Promise<Found> {
  const distinct = [...new Set(ids)];
  const found: Found = new Map(distinct.map((id) => [id, { count: 0, nodes: [] }]));
  const behind = hop
    ? [
        { edge: hop.edge, direction: hop.direction },
        { as: 'b', ...(hop.type === null ? {} : { type: hop.type }) },
      ]
    : [];
  const chainOf = (id: string[]) => [{ as: 'a', id }, ...behind];
  for (const part of hop ? partsOf(distinct, () => 1) : []) {
    // The edge has no name, so a row of the question is a pair of nodes, however many edges are between them.
    const { rows } = await matchRows({ match: [chainOf(part)], group_by: ['a'], measures: [{ op: 'count' }] }, signal);
    for (const [a, count] of rows) found.set(nodeIdOf(a), { count: Number(count), nodes: [] });
  }
  const countOf = (id: string) => (hop ? found.get(id)!.count : 1);
  const few = distinct.filter((id) => countOf(id) > 0 && countOf(id) <= maxNamed);
  for (const part of partsOf(few, countOf)) {
    const { rows, nodes } = await matchRows({ match: [chainOf(part)] }, signal);
    for (const [a, b = a] of rows) found.get(nodeIdOf(a))?.nodes.push(nodes.get(nodeIdOf(b))!);
  }
  const nameOf = ({ properties, id }: GraphNode) => captionOf(properties, id);
  for (const id of few) found.get(id)!.nodes.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return found;
}
