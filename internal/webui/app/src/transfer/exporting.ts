// Exports: the rows of a list, page by page, or whole types and the whole graph as the service's own stream of lines.
import { authorized } from '../api/client';
import { listEdges, listNodes, type GraphEdge, type GraphNode, type Page } from '../api/graph';
import { bodyText } from '../api/json';
import { Problem, problemOf } from '../api/problem';
import { parameterOf } from '../explore/filters';
import type { Selection } from '../explore/lists';
import { edgesCsv, nodesCsv } from './csv';

export interface Exported {
  name: string;
  type: string;
  parts: BlobPart[];
  nodes: number;
  edges: number;
}

export type Tell = (lines: number) => void;

const pageRows = 1000; // the most that one request gives

/** A name for a file that every system takes. */
export function fileName(of: string, ending: string): string {
  const plain = of.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 80);
  return `${plain === '' || plain === '_' ? 'graph' : plain}.${ending}`;
}

/** A line that can be imported again. */
export function lineOf(row: GraphNode | GraphEdge): string {
  return `${bodyText({ kind: 'source_id' in row ? 'edge' : 'node', ...row })}\n`;
}

/** All rows that a list would show in the end, in its order. */
export async function exportRows(of: Selection, form: 'csv' | 'ndjson', tell: Tell, signal: AbortSignal): Promise<Exported> {
  const rows: (GraphNode | GraphEdge)[] = [];
  const parts: string[] = [];
  let found = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = { type: of.type ?? undefined, limit: pageRows, filters: of.conditions.map(parameterOf), ...(of.sort ? { sort: of.sort } : {}), ...(cursor ? { cursor } : {}) };
    const page: Page<GraphNode | GraphEdge> = await (of.kind === 'node' ? listNodes(query, signal) : listEdges(query, signal));
    if (form === 'csv') rows.push(...page.items);
    else parts.push(page.items.map(lineOf).join(''));
    found += page.items.length;
    tell(found);
    cursor = page.page.next_cursor ?? undefined;
  }
  const title = of.type ?? `${of.kind}s`;
  const counts = of.kind === 'node' ? { nodes: found, edges: 0 } : { nodes: 0, edges: found };
  if (form === 'ndjson') return { name: fileName(title, 'ndjson'), type: 'application/x-ndjson', parts, ...counts };
  const text = of.kind === 'node' ? nodesCsv(rows as GraphNode[]) : edgesCsv(rows as GraphEdge[]);
  return { name: fileName(title, 'csv'), type: 'text/csv;charset=utf-8', parts: [text], ...counts };
}

const newline = 10;
const gathered = 4 << 20; // bytes after which pieces become a Blob, which the browser may put on the disk

/** The nodes of a type with the edges between them, or everything where the type is null. */
export async function exportGraph(type: string | null, tell: Tell, signal: AbortSignal): Promise<Exported> {
  const query = type === null ? '' : `?${new URLSearchParams({ node_type: JSON.stringify([type]) })}`;
  const response = await authorized(new Request(`${location.origin}/api/export${query}`, { signal }));
  if (!response.ok || !response.body) throw problemOf(response, await response.json().catch(() => undefined));
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  let lines = 0;
  let tail = '';
  const text = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) if (byte === newline) lines++;
    tell(lines);
    tail = (tail + text.decode(value.subarray(-4096), { stream: false })).slice(-4096);
    pieces.push(value);
    held += value.length;
    if (held > gathered) {
      parts.push(new Blob(pieces));
      pieces = [];
      held = 0;
    }
  }
  return { name: fileName(type ?? 'graph', 'ndjson'), type: 'application/x-ndjson', parts: [...parts, ...pieces], ...ending(tail) };
}

/** Reads the last line, without which an export is not whole. */
export function ending(tail: string): { nodes: number; edges: number } {
  let last: { kind?: string; nodes?: number; edges?: number; error?: { code: string; message: string } } = {};
  try {
    last = JSON.parse(tail.trimEnd().split('\n').at(-1) ?? '') as typeof last;
  } catch {
    // Cut in the middle of a line.
  }
  if (last.kind === 'end') return { nodes: last.nodes ?? 0, edges: last.edges ?? 0 };
  throw new Problem(last.error?.code ?? 'UNEXPECTED', last.error?.message ?? 'The export ended too early, so it is not saved', 200);
}
