// The columns that a table offers beside those of its rows' own properties.
import type { EntityKind, PropertyUse, Schema } from '../api/graph';
import { connectionsOf } from '../ask/begin';
import type { End } from '../entity/ends';
import { nameOfNode } from './appearance';
import { propertyText, propertyWidth, wholeText, type Column } from './columns';
import { parseName } from './endNames';
import { propertiesAt } from './endProperties';
import { maxNamed, maxRead, type Linked, type Reading } from './linkedNodes';

const loading = () => '…';

const sharedText = 'several nodes have this ID';

/** The first names of nodes and how many more there are, or their number if they are too many to be read. */
function namesText({ count, nodes, shared }: Linked): string {
  if (shared) return sharedText;
  if (nodes.length < count || count === 0) return String(count);
  const names = nodes.slice(0, maxNamed).map(nameOfNode).join(', ');
  return count > maxNamed ? `${names} + ${count - maxNamed} more` : names;
}

/** All names of nodes, or their number if they are too many to be read. */
const allNamesText = (linked: Linked) =>
  linked.shared || linked.nodes.length < linked.count ? namesText(linked) : linked.nodes.map(nameOfNode).join(', ');

type Hop = NonNullable<Reading['hop']>;

/** The nodes of a type, or any, behind edges of a type. */
function linkedColumn(hop: Hop): Column {
  const { edge, direction, type: other } = hop;
  const key = [direction, edge, ...(other === null ? [] : [other])].map(encodeURIComponent).join(':');
  const title = `${edge} ${direction === 'out' ? '→' : '←'} ${other ?? 'any node'}`;
  return {
    key,
    title,
    width: 340,
    number: false,
    group: 'Linked',
    hint: `${title}: the nodes that you may see, each once however many edges lead to it; up to ${maxNamed} by name; more than ${
      maxRead
    } as their number`,
    text: loading,
    reading: { name: key, idOf: (row) => row.id, hop },
    linkedText: namesText,
    exportText: allNamesText,
  };
}

/** A property of the nodes at an end of edges. The list can be sorted by it. */
function endColumn(use: PropertyUse, end: End, property: string): Column {
  const group = end === 'source' ? 'Source' : 'Target';
  const title = `${group}: ${property}`;
  return {
    key: use.name,
    title,
    ...propertyWidth({ ...use, name: `${title} ↑` }),
    group,
    sortName: use.name,
    text: loading,
    reading: { name: end, idOf: (row) => ('source_id' in row ? row[`${end}_id`] : row.id) },
    linkedText: ({ nodes: [node], shared }) => (shared ? sharedText : node && propertyText(node.properties, property)),
    exportText: ({ nodes: [node], shared }) => (shared ? sharedText : node && wholeText(node.properties, property)),
  };
}

/** What the schema knows at nodes of a type; of edges of which it shows nothing, because the user sees only some, either direction. */
function hopsAt(schema: Schema, type: string): Hop[] {
  const known = connectionsOf(schema, type).flatMap(({ edge, direction, type: other }) =>
    edge === null ? [] : [{ edge, direction, type: other }],
  );
  const partial = schema.edge_types.filter((each) => each.count === null && each.connections.length === 0);
  return [...known, ...partial.flatMap(({ type: edge }) => (['out', 'in'] as const).map((direction) => ({ edge, direction, type: null })))];
}

/** The column of a key that the schema does not offer: it is a sample, and shows less to a user with rules. */
function columnOfKey(kind: EntityKind, key: string): Column[] {
  const { end, property } = parseName(key);
  if (kind === 'edge') return end ? [endColumn({ name: key, types: [], presence: 0, indexed: false, unique: false }, end, property)] : [];
  const [, direction, edge, type] = /^(out|in):([^:]+)(?::([^:]+))?$/.exec(key) ?? [];
  if (edge === undefined) return [];
  try {
    const hop = { edge: decodeURIComponent(edge), type: type === undefined ? null : decodeURIComponent(type) };
    return [linkedColumn({ ...hop, direction: direction as 'out' | 'in' })];
  } catch {
    return []; // a percent sign that escapes nothing
  }
}

/** The columns that are shown only if they are chosen: what the schema offers, and further ones of the chosen keys. */
export function offeredColumns(schema: Schema, kind: EntityKind, type: string | null, chosen: string[] | null): Column[] {
  if (type === null) return [];
  const atEnd = (end: End) => propertiesAt(schema, type, end).map((use) => endColumn(use, end, parseName(use.name).property));
  const offered = kind === 'node' ? hopsAt(schema, type).map(linkedColumn) : [...atEnd('source'), ...atEnd('target')];
  const keys = new Set(offered.map(({ key }) => key));
  return [...offered, ...(chosen ?? []).filter((key) => !keys.has(key)).flatMap((key) => columnOfKey(kind, key))];
}
