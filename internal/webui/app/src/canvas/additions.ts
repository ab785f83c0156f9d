// What was added to the canvas from elsewhere: single nodes, a list, the answer of a question.
import type { QueryClient } from '@tanstack/react-query';
import type { GraphEdge, GraphNode, Subgraph } from '../api/graph';
import { maxLimit } from '../api/limits';
import { asProblem, Problem } from '../api/problem';
import { askQuestion } from '../ask/match';
import { drawnQuestion, parseQuestion, unreadParts } from '../ask/question';
import { entityOptions } from '../explore/entities';
import { unknownFilters } from '../explore/filters';
import { readPage, type Row } from '../explore/lists';
import { parseView, unknownParameters } from '../explore/url';
import { maxSingleNodes, type Addition, type SimpleStep } from './steps';

/** How many rows of a list or of an answer are added. */
export const maxRows = 500;

export async function readAddition(queries: QueryClient, addition: Addition, signal: AbortSignal): Promise<Subgraph> {
  if ('ids' in addition) return readNodes(queries, addition.ids.slice(0, maxSingleNodes));
  return 'list' in addition ? readList(addition.list, signal) : readAnswer(addition.question, signal);
}

/** Reads nodes, those of lists from there. Nodes that were deleted are left out. */
async function readNodes(queries: QueryClient, ids: string[]): Promise<Subgraph> {
  const read = async (id: string): Promise<GraphNode[]> => {
    try {
      const { entity } = await queries.fetchQuery(entityOptions(queries, { kind: 'node', id }));
      return 'source_id' in entity ? [] : [entity];
    } catch (error) {
      if (asProblem(error).code === 'NOT_FOUND') return [];
      throw error;
    }
  };
  return { nodes: (await Promise.all(ids.map(read))).flat(), edges: [], truncated: false };
}

/** The nodes that are known only as the ends of edges. */
function endNodes(edges: GraphEdge[]): GraphNode[] {
  const nodeAt = (id: string, end: GraphEdge['source']): GraphNode => {
    const type = end?.type ?? null;
    return { id, type, labels: type === null ? [] : [type], properties: {}, partial: { caption: end?.caption ?? null } };
  };
  return edges.flatMap((e) => [nodeAt(e.source_id, e.source), nodeAt(e.target_id, e.target)]);
}

/** What rows show on a canvas: nodes, or edges with their ends. */
export function fragmentOf(rows: Row[]) {
  const edges = rows.filter((row): row is GraphEdge => 'source_id' in row);
  const nodes = rows.filter((row): row is GraphNode => !('source_id' in row));
  return { nodes: [...nodes, ...endNodes(edges)], edges };
}

/** The rows in parts, each with the place of its first row: a step that keeps nodes is about the rows before a place. */
export function fragmentsOfRows(rows: Row[], steps: SimpleStep[]) {
  const places = steps.flatMap((step) => (step.do === 'keep' && step.rows !== undefined && step.rows < rows.length ? step.rows : []));
  const starts = [...new Set([0, ...places])].sort((a, b) => a - b);
  return starts.map((row, i) => ({ at: -1, row, ...fragmentOf(rows.slice(row, starts[i + 1])) }));
}

/** Refuses what is known in part only: it would be drawn as more than was asked for. */
function refuseUnread(unread: string[], what: string) {
  if (unread.length > 0)
    throw new Problem('INVALID', `The link adds ${what} with parts that are not understood; correct them in it: ${unread.join(', ')}`, 0);
}

async function readList(address: string, signal: AbortSignal): Promise<Subgraph> {
  const params = new URLSearchParams(address);
  refuseUnread([...unknownParameters(params), ...unknownFilters(params)], 'a list');
  const view = parseView(params);
  const { items, page } = await readPage(view, { cursor: '', limit: Math.min(maxRows, maxLimit) }, signal);
  return { ...fragmentOf(items), truncated: page.has_more };
}

async function readAnswer(text: string, signal: AbortSignal): Promise<Subgraph> {
  refuseUnread(unreadParts(text), 'a question');
  const question = parseQuestion(text);
  if (!question) return { nodes: [], edges: [], truncated: false };
  const { answer, next } = await askQuestion(drawnQuestion(question), maxRows, 0, signal);
  return { nodes: answer.nodes, edges: answer.edges, truncated: next !== null };
}
