// Exports: the rows of a list, page by page, or types and the whole graph as the service's NDJSON stream.
import { addressOf } from '../api/address';
import { sendAuthorized } from '../api/client';
import { listEdges, listNodes, type GraphEdge, type GraphNode, type Page } from '../api/graph';
import { bodyText } from '../api/json';
import { maxLimit } from '../api/limits';
import { Problem, problemFromResponse } from '../api/problem';
import { filterParam } from '../explore/filters';
import type { Column } from '../explore/columns';
import { readLinked, type Found } from '../explore/linkedNodes';
import type { Row, Selection } from '../explore/lists';
import { edgesCsv, nodesCsv, type Beside } from './csv';

export interface ExportFile {
  name: string;
  type: string;
  parts: BlobPart[];
  nodes: number;
  edges: number;
}

export type OnProgress = (lines: number) => void;

/** A file name that is valid on every system. */
export function fileName(of: string, extension: string): string {
  const plain = of.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 80);
  return `${plain === '' || plain === '_' ? 'graph' : plain}.${extension}`;
}

/** The NDJSON line of an entity, in the form of the import. */
export function lineOf(row: GraphNode | GraphEdge): string {
  return `${bodyText({ kind: 'source_id' in row ? 'edge' : 'node', ...row })}\n`;
}

/** Reads what columns show beside rows: the texts of each row. Columns of the same name share what is read. */
async function readBeside(rows: Row[], columns: Column[], signal: AbortSignal): Promise<string[][]> {
  const found = new Map<string, Found>();
  for (const { reading } of columns)
    if (reading && !found.has(reading.name)) found.set(reading.name, await readLinked(reading, rows.map(reading.idOf), signal));
  return rows.map((row) =>
    columns.map(({ reading, exportText }) => {
      const linked = reading && found.get(reading.name)?.get(reading.idOf(row));
      return (linked && exportText?.(linked)) ?? '';
    }),
  );
}

/** Exports all rows of a list, in its order; as CSV with what the given columns show beside them. */
export async function exportRows(
  of: Selection,
  form: 'csv' | 'ndjson',
  onProgress: OnProgress,
  signal: AbortSignal,
  linked: Column[] = [],
): Promise<ExportFile> {
  const rows: Row[] = [];
  const beside: Beside = { titles: linked.map(({ title }) => title), texts: [] };
  const parts: string[] = [];
  let found = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = {
      type: of.type ?? undefined,
      limit: maxLimit,
      filters: of.conditions.map(filterParam),
      ...(of.sort ? { sort: of.sort } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const page: Page<GraphNode | GraphEdge> = await (of.kind === 'node' ? listNodes(query, signal) : listEdges(query, signal));
    if (form === 'csv') {
      rows.push(...page.items);
      if (linked.length > 0) beside.texts.push(...(await readBeside(page.items, linked, signal)));
    } else parts.push(page.items.map(lineOf).join(''));
    found += page.items.length;
    onProgress(found);
    cursor = page.page.next_cursor ?? undefined;
  }
  const title = of.type ?? `${of.kind}s`;
  const counts = of.kind === 'node' ? { nodes: found, edges: 0 } : { nodes: 0, edges: found };
  if (form === 'ndjson') return { name: fileName(title, 'ndjson'), type: 'application/x-ndjson', parts, ...counts };
  const text = of.kind === 'node' ? nodesCsv(rows as GraphNode[], beside) : edgesCsv(rows as GraphEdge[], beside);
  return { name: fileName(title, 'csv'), type: 'text/csv;charset=utf-8', parts: [text], ...counts };
}

const newline = 10;
const blobThreshold = 4 << 20; // bytes after which chunks are combined into a Blob, which the browser may store on disk

/** Exports the nodes of a type and the edges between them, or the whole graph if the type is null. */
export async function exportGraph(type: string | null, onProgress: OnProgress, signal: AbortSignal): Promise<ExportFile> {
  const query = type === null ? '' : `?${new URLSearchParams({ node_type: JSON.stringify([type]) })}`;
  const response = await sendAuthorized(new Request(`${location.origin}${addressOf('/api/export')}${query}`, { signal }));
  if (!response.ok || !response.body) throw problemFromResponse(response, await response.json().catch(() => undefined));
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  let lines = 0;
  let tail = '';
  const text = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) if (byte === newline) lines++;
    onProgress(lines);
    tail = (tail + text.decode(value.subarray(-4096), { stream: false })).slice(-4096);
    pending.push(value);
    pendingBytes += value.length;
    if (pendingBytes > blobThreshold) {
      parts.push(new Blob(pending));
      pending = [];
      pendingBytes = 0;
    }
  }
  return { name: fileName(type ?? 'graph', 'ndjson'), type: 'application/x-ndjson', parts: [...parts, ...pending], ...readTrailer(tail) };
}

/** Parses the last line, which only a complete export has. Throws a Problem without it. */
export function readTrailer(tail: string): { nodes: number; edges: number } {
  let last: { kind?: string; nodes?: number; edges?: number; error?: { code: string; message: string } } = {};
  try {
    last = JSON.parse(tail.trimEnd().split('\n').at(-1) ?? '') as typeof last;
  } catch {
    // The line is incomplete.
  }
  if (last.kind === 'end') return { nodes: last.nodes ?? 0, edges: last.edges ?? 0 };
  throw new Problem(last.error?.code ?? 'UNEXPECTED', last.error?.message ?? 'The export ended too early and was not saved', 200);
}
