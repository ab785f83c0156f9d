// Finds the nodes that the cells of an edge's ends name by a property.
import { listNodes, type Schema } from '../api/graph';
import { bodyText } from '../api/json';
import { maxLimit } from '../api/limits';
import { draftForProperty } from '../entity/form';
import { propertiesOf } from '../explore/columns';
import type { Kind, Value } from '../values/value';
import type { Form } from './forms';
import { parseCell } from './kinds';
import { keyText, type EndIds, type EndKey, type FoundNode } from './mapping';
import type { ColumnKind } from './typedHeaders';

// A condition is in the URL, of which some proxies accept 8 KiB.
const valuesPerRequest = 200;
const bytesPerRequest = 5000;
/** Each request counts against the user's limit of requests. */
export const maxRequests = 200;

/** The type of a key's values. */
export const kindOfKey = (schema: Schema, key: EndKey): Kind =>
  draftForProperty(propertiesOf(schema, 'node', key.type).find((p) => p.name === key.property)).kind;

/** Splits values into the lists of single requests. */
export function chunkValues(values: Value[]): Value[][] {
  const chunks: Value[][] = [];
  let bytes = 0;
  for (const value of values) {
    const size = encodeURIComponent(bodyText(value)).length + 3;
    const last = chunks.at(-1);
    if (!last || last.length >= valuesPerRequest || bytes + size > bytesPerRequest) {
      chunks.push([value]);
      bytes = size;
    } else {
      last.push(value);
      bytes += size;
    }
  }
  return chunks;
}

/** Looks the cells of an end up by a key. The result has the node that each cell names. */
export async function lookUpEnds(key: EndKey, kind: Kind, cells: string[], form?: Form, signal?: AbortSignal): Promise<EndIds> {
  if (key.type === '') return (cell) => ({ id: cell });
  const trimmed = cells.map((cell) => cell.trim());
  const existing = await lookUpNodes(key, kind, trimmed, form, signal);
  return (cell) => existing(cell) ?? `No ${key.type} has this ${key.property}`;
}

/** Looks cells up by a property of the nodes of a type. The result has the node that a cell names, null for none, or what is wrong. */
export async function lookUpNodes(
  key: EndKey,
  kind: ColumnKind,
  cells: string[],
  form?: Form,
  signal?: AbortSignal,
): Promise<(cell: string) => FoundNode | null | string> {
  const wanted = new Map<string, Value>();
  for (const cell of cells) {
    const parsed = parseCell(kind, cell, form);
    if ('value' in parsed && !Array.isArray(parsed.value)) wanted.set(keyText(parsed.value), parsed.value);
  }
  const chunks = chunkValues([...wanted.values()]);
  if (chunks.length > maxRequests)
    throw new Error(`The column has ${wanted.size} different values, too many to look up; import ids instead`);
  const found = new Map<string, FoundNode[]>();
  for (const chunk of chunks) {
    let cursor: string | undefined;
    do {
      const page = await listNodes(
        { type: key.type, limit: maxLimit, filters: [[`filter[${key.property}][in]`, bodyText(chunk)]], ...(cursor ? { cursor } : {}) },
        signal,
      );
      for (const node of page.items) {
        const value = Object.hasOwn(node.properties, key.property) ? node.properties[key.property]! : undefined;
        if (value === undefined || Array.isArray(value)) continue;
        const text = keyText(value);
        found.set(text, [...(found.get(text) ?? []), { id: node.id, value }]);
      }
      cursor = page.page.next_cursor ?? undefined;
    } while (cursor);
  }
  return (cell) => {
    const parsed = parseCell(kind, cell, form);
    if ('error' in parsed) return parsed.error;
    const nodes = Array.isArray(parsed.value) ? undefined : found.get(keyText(parsed.value));
    if (!nodes) return null;
    return nodes.length === 1 ? nodes[0]! : `${nodes.length} nodes of type ${key.type} have this ${key.property}`;
  };
}
