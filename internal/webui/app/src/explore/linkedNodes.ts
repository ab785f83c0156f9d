// What a table shows of the nodes beside its rows: those that edges link to a row, or those at the ends of an edge.
import type { Direction, GraphNode } from '../api/graph';
import { maxLimit } from '../api/limits';
import { matchRows, nodeIdOf } from '../api/match';
import { Problem } from '../api/problem';
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
  /** Whether the user sees several nodes with the id of the row's, so that nothing can be read of either. */
  shared?: boolean;
}

export type Found = Map<string, Linked>;

/** How many nodes a cell names, and how many are read to name the first of them. */
export const maxNamed = 3;
export const maxRead = 12;

/** How many ids of several nodes are left out, each of which costs a request. */
const maxShared = 10;

const escapes: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The text that the service has quoted as Go does, which escapes more than JSON: U+00A0 and U+007F, for instance. */
const unquote = (text: string) =>
  text.replace(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/g, (_, x?: string, u?: string, long?: string, one = '') => {
    const code = x ?? u ?? long;
    return code === undefined ? (escapes[one] ?? one) : String.fromCodePoint(parseInt(code, 16));
  });

/** The id in the refusal of a question that names an id of several nodes. */
function sharedIn(error: unknown, ids: string[]): string | undefined {
  const quoted = error instanceof Problem && error.code === 'CONFLICT' ? /"((?:[^"\\]|\\.)*)"/.exec(error.message)?.[1] : undefined;
  const shared = quoted === undefined ? undefined : unquote(quoted);
  return ids.find((id) => id === shared);
}

/** Asks about nodes. An id that several nodes have is marked and left out: the service refuses the whole question. */
async function askAbout(ids: string[], ask: (ids: string[]) => Parameters<typeof matchRows>[0], found: Found, signal: AbortSignal) {
  for (let left = ids, refused = 0; left.length > 0; refused++) {
    try {
      return await matchRows(ask(left), signal);
    } catch (error) {
      const shared = refused < maxShared ? sharedIn(error, left) : undefined;
      if (shared === undefined) throw error;
      found.set(shared, { count: 0, nodes: [], shared: true });
      left = left.filter((id) => id !== shared);
    }
  }
  return { rows: [], nodes: new Map<string, GraphNode>() };
}

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
    const ask = (some: string[]) => ({ match: [chainOf(some)], group_by: ['a'], measures: [{ op: 'count' as const }] });
    const { rows } = await askAbout(part, ask, found, signal);
    for (const [a, count] of rows) found.set(nodeIdOf(a), { count: Number(count), nodes: [] });
  }
  const countOf = (id: string) => (hop ? found.get(id)!.count : 1);
  const few = distinct.filter((id) => countOf(id) > 0 && countOf(id) <= maxRead);
  for (const part of partsOf(few, countOf)) {
    const { rows, nodes } = await askAbout(part, (some) => ({ match: [chainOf(some)] }), found, signal);
    for (const [a, b = a] of rows) found.get(nodeIdOf(a))?.nodes.push(nodes.get(nodeIdOf(b))!);
  }
  const nameOf = ({ properties, id }: GraphNode) => captionOf(properties, id);
  for (const id of few) found.get(id)!.nodes.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return found;
}
