// Questions whose rows are read to the end, page by page.
import type { GraphNode } from './graph';
import { unwrap, client } from './client';
import { integerOf } from './json';
import { maxLimit } from './limits';
import type { components } from './openapi';

type Body = components['schemas']['Match'];
type Question = Omit<Body, 'limit' | 'offset' | 'match'> & { match: Partial<Body['match'][number][number]>[][] };

export interface MatchedRows {
  /** Values, which are bigints if they are integers, and {"$node":id}. */
  rows: unknown[][];
  nodes: Map<string, GraphNode>;
}

export async function matchRows(question: Question, signal: AbortSignal): Promise<MatchedRows> {
  const found: MatchedRows = { rows: [], nodes: new Map() };
  for (let more = true; more;) {
    const body = { ...question, limit: integerOf(maxLimit), offset: integerOf(found.rows.length) } as Body;
    const { data, meta } = (await unwrap(client.POST('/api/match', { body, signal }))).data;
    const rows = data.rows ?? [];
    found.rows.push(...rows);
    for (const node of data.nodes ?? []) found.nodes.set(node.id, node as unknown as GraphNode);
    more = meta.page?.has_more === true && rows.length > 0;
  }
  return found;
}

/** The id in a cell that is a node. */
export const nodeIdOf = (cell: unknown) => (cell as { $node: string }).$node;
