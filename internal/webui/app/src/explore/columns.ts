// The columns of a table, with their widths.
import type { EntityKind, GraphNode, PropertyUse, Schema } from '../api/graph';
import type { Value } from '../values/value';
import { areNumbers, kindOf } from '../values/value';
import { captionOf, captionOrId, cellText, nameRank, shortId, escapeInvisible, valueText } from '../values/text';
import { declarationsOf } from '../declared/check';
import { declaredFields } from '../declared/fields';
import type { End } from '../entity/ends';
import { listedName } from './endNames';
import type { Linked, Reading } from './linkedNodes';
import type { Row } from './lists';

export interface Column {
  key: string;
  title: string;
  /** The group in the choice of columns. A column of a group is shown only if it is chosen. */
  group?: string;
  /** What the heading says of the column, instead of its title. */
  hint?: string;
  width: number;
  number: boolean;
  /** The property that the column shows, if it shows one. */
  property?: string;
  /** The name in the parameter sort, if the list can be sorted by the column. */
  sortName?: string;
  text: (row: Row) => string | undefined;
  /** What is read for the column beside the rows, and the text for it. useLinkedNodes.ts fills the column: text, links and problem. */
  reading?: Reading;
  linkedText?: (linked: Linked) => string | undefined;
  /** The same for exports: all that was read. */
  exportText?: (linked: Linked) => string | undefined;
  /** The nodes that a cell names, and how many more there are. */
  links?: (row: Row) => { nodes: GraphNode[]; more: number };
  /** Why it could not be read. */
  problem?: string;
}

// A number of 16 digits is shown whole.
const widths: Record<string, number> = { Integer: 160, Float: 170, Boolean: 90, Date: 120, Point: 260, Base64: 160 };

function ownValue(properties: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** The width and the alignment of the values of a property. */
export function propertyWidth({ name, types }: PropertyUse): Pick<Column, 'width' | 'number'> {
  const only = types.length === 1 ? types[0]! : '';
  return { width: Math.max(widths[only] ?? 190, Math.min(260, 40 + name.length * 8)), number: areNumbers(types) };
}

/** The text of a property in a cell; undefined if it is not set. */
export function propertyText(properties: Record<string, Value>, name: string): string | undefined {
  const value = ownValue(properties, name);
  return value === undefined ? undefined : escapeInvisible(listText(value).slice(0, 300));
}

/** The whole text of a property; undefined if it is not set. */
export function wholeText(properties: Record<string, Value>, name: string): string | undefined {
  const value = ownValue(properties, name);
  return value === undefined ? undefined : Array.isArray(value) ? value.map(valueText).join(', ') : valueText(value);
}

const propertyColumn = (use: PropertyUse, kind: EntityKind): Column => ({
  key: `p:${use.name}`,
  title: use.name,
  ...propertyWidth(use),
  property: use.name,
  sortName: listedName(kind, use.name),
  text: (row) => propertyText(row.properties, use.name),
});

/** The items of a list without brackets and quotes, which make it hard to read. */
const listText = (value: Value) => (Array.isArray(value) ? value.map(cellText).join(', ') : cellText(value));

const idColumn: Column = { key: 'id', title: 'ID', width: 110, number: false, text: (row) => shortId(row.id) };
const typeColumn: Column = {
  key: 'type',
  title: 'Type',
  width: 150,
  number: false,
  text: (row) => (row.type === null ? 'no label' : escapeInvisible(row.type)),
};
const nameColumn: Column = { key: 'caption', title: 'Name', width: 280, number: false, text: (row) => captionOf(row.properties, row.id) };
const endColumns: Column[] = [
  {
    key: 'source',
    title: 'Source',
    width: 200,
    number: false,
    text: (row) => ('source_id' in row ? captionOrId(row.source?.caption, row.source_id) : ''),
  },
  {
    key: 'target',
    title: 'Target',
    width: 200,
    number: false,
    text: (row) => ('target_id' in row ? captionOrId(row.target?.caption, row.target_id) : ''),
  },
];
const summary: Column = {
  key: 'rest',
  title: 'Properties',
  width: 520,
  number: false,
  text: (row) =>
    escapeInvisible(
      Object.entries(row.properties)
        .map(([k, v]) => `${k}: ${cellText(v)}`)
        .join(', ')
        .slice(0, 300),
    ),
};

// For forms and filters: naming properties first, then by presence.
function sortProperties(uses: PropertyUse[]): PropertyUse[] {
  return [...uses].sort((a, b) => nameRank(a.name) - nameRank(b.name) || b.presence - a.presence || a.name.localeCompare(b.name));
}

/** The properties of a type; without a type, those of all types, with the kinds of all. */
export function filterableProperties(schema: Schema, kind: EntityKind, typeName: string | null): PropertyUse[] {
  if (typeName !== null) return propertiesOf(schema, kind, typeName);
  const all = new Map<string, PropertyUse>();
  for (const use of (kind === 'node' ? schema.node_types : schema.edge_types).flatMap((t) => t.properties)) {
    const seen = all.get(use.name);
    all.set(use.name, seen ? { ...seen, types: [...new Set([...seen.types, ...use.types])] } : use);
  }
  return sortProperties([...all.values()]);
}

export function propertiesOf(schema: Schema, kind: EntityKind, typeName: string | null): PropertyUse[] {
  const types = kind === 'node' ? schema.node_types : schema.edge_types;
  return sortProperties(types.find((t) => t.type === typeName)?.properties ?? []);
}

/** Properties of rows that the schema lacks: for a large graph it is a sample and up to a minute old. */
export function propertiesInRows(known: PropertyUse[], rows: Row[]): PropertyUse[] {
  const found = new Map<string, { kinds: Set<string>; rows: number }>();
  const names = new Set(known.map((use) => use.name));
  for (const row of rows) {
    for (const [property, value] of Object.entries(row.properties)) {
      if (names.has(property)) continue;
      const use = found.get(property) ?? { kinds: new Set<string>(), rows: 0 };
      const member = Array.isArray(value) ? value[0] : value;
      use.kinds.add(Array.isArray(value) ? `List<${member === undefined ? 'Any' : kindOf(member)}>` : kindOf(value));
      use.rows++;
      found.set(property, use);
    }
  }
  const uses = [...found].map(([property, use]) => ({
    name: property,
    types: [...use.kinds],
    presence: use.rows / rows.length,
    indexed: false,
    unique: false,
  }));
  return uses.sort((a, b) => nameRank(a.name) - nameRank(b.name) || a.name.localeCompare(b.name));
}

/**
 * The properties of a type in the order of its columns: as declared, then naming ones, then as in the schema. It does not depend on rows.
 */
export function orderedProperties(schema: Schema, kind: EntityKind, typeName: string): PropertyUse[] {
  const types = kind === 'node' ? schema.node_types : schema.edge_types;
  const uses = types.find((t) => t.type === typeName)?.properties ?? [];
  const declared = declaredFields(declarationsOf(schema, kind, [typeName])).map((field) => field.name);
  const rank = ({ name }: PropertyUse) => (declared.includes(name) ? declared.indexOf(name) : declared.length + nameRank(name));
  return [...uses].sort((a, b) => rank(a) - rank(b));
}

/** Adds properties behind those that have a column, which keep their places and stay if no entity has them any more. */
export function appendProperties(shown: PropertyUse[], found: PropertyUse[]): PropertyUse[] {
  const current = new Map(found.map((use) => [use.name, use]));
  const names = new Set(shown.map((use) => use.name));
  return [...shown.map((use) => current.get(use.name) ?? use), ...found.filter((use) => !names.has(use.name))];
}

/** The properties that name the nodes at the ends of edges. */
export type EndNames = Partial<Record<End, string | undefined>>;

/** All columns of a list; properties are those of its type. By an end with a name the list can be sorted. */
export function columnsOf(of: { kind: EntityKind; type: string | null }, properties: PropertyUse[], sortedEnds: EndNames = {}): Column[] {
  if (of.type === null)
    return of.kind === 'node' ? [typeColumn, nameColumn, summary, idColumn] : [typeColumn, ...endColumns, summary, idColumn];
  const own = properties.map((use) => propertyColumn(use, of.kind));
  if (of.kind === 'node') return [...own, idColumn];
  const ends = endColumns.map((column) => {
    const name = sortedEnds[column.key as End];
    return name === undefined ? column : { ...column, sortName: `${column.key}:${name}` };
  });
  return [...ends, ...own, idColumn];
}

/** The keys of columns with one of them at the place of another. */
export function moveKey(keys: string[], key: string, to: string): string[] {
  const place = keys.indexOf(to);
  return place < 0 || !keys.includes(key) ? keys : keys.filter((other) => other !== key).toSpliced(place, 0, key);
}

/** The chosen columns in their order; all without a group if there is no choice or it names none. */
export function chosenColumns(all: Column[], keys: string[] | null): Column[] {
  const chosen = (keys ?? []).flatMap((key) => all.find((column) => column.key === key) ?? []);
  return chosen.length > 0 ? chosen : all.filter((column) => column.group === undefined);
}

const maxFields = 256; // the service's limit

/** The properties to request for the chosen columns: theirs, and those that name an entity; null for all. */
export function fieldsOf(keys: string[] | null): string[] | null {
  if (keys === null || keys.some((key) => key === 'rest' || key === 'caption')) return null;
  const shown = keys.flatMap((key) => (key.startsWith('p:') ? [key.slice(2)] : []));
  const names = [...new Set([...shown, 'name', 'title', 'label'])].sort();
  return names.length > maxFields ? null : names;
}
