// How the rows of a table become nodes or edges: what each column is, and which values its cells have.
import type { EntityKind, Schema } from '../api/graph';
import { bodyText } from '../api/json';
import { draftForProperty } from '../entity/form';
import { propertiesOf } from '../explore/columns';
import type { Properties, Scalar, Value } from '../values/value';
import type { Form } from './forms';
import { hasKnownKind, inferKind, parseCell } from './kinds';
import { isEmptyRow, type Table } from './tables';
import { hasTypedHeaders, parseHeader, unreadTypes, type ColumnKind, type Header } from './typedHeaders';

export const uses = ['property', 'id', 'type', 'source', 'target', 'ignore'] as const;
export type Use = (typeof uses)[number];

/** What a column is. */
export interface ColumnMapping {
  column: string;
  use: Use;
  /** Of a property: its name and the type of its values. */
  property: string;
  kind: ColumnKind;
}

/** How an end of an edge is found: by its id, or by a property of the nodes of a type. */
export interface EndKey {
  type: string; // empty: by id
  property: string;
}

export interface Mapping {
  kind: EntityKind;
  type: string;
  columns: ColumnMapping[];
  /** How the file writes numbers and dates; absent in mappings that were kept before there was a choice. */
  form?: Form;
  ends: { source: EndKey; target: EndKey };
  /** How rows find entities that exist, and change them: by their ids if it is empty, or nodes by this property. Absent: all are new. */
  existing?: string;
}

export const byId: EndKey = { type: '', property: '' };

/** The uses that a column may have. */
export const usesOf = (kind: EntityKind): Use[] => (kind === 'node' ? ['property', 'id', 'type', 'ignore'] : [...uses]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The mapping that is offered for a table: columns are properties of their name, with the type that the property has in other entities. */
export function proposeMapping(table: Table, kind: EntityKind, type: string, schema: Schema, form: Form = 'plain'): Mapping {
  const known = propertiesOf(schema, kind, type);
  const isTyped = hasTypedHeaders(table.columns);
  const columns = table.columns.map((column, index): ColumnMapping => {
    const cells = table.rows.map((row) => row[index]!);
    const header = isTyped ? parseHeader(column) : { name: column };
    const use = known.find((p) => p.name === header.name);
    const observed = use && draftForProperty(use);
    const isKnown = observed && !observed.list && hasKnownKind(observed.kind, cells, form);
    const found = isKnown ? observed.kind : inferKind(cells, form);
    return {
      column,
      use: isTyped ? useOfHeader(kind, header, cells) : useOf(kind, column, cells),
      property: header.name,
      kind: isTyped ? kindOfHeader(header, cells) : found,
    };
  });
  return {
    kind,
    type,
    form,
    columns: columns.map((c, index) => (isFirstOfItsUse(columns, c, index) ? c : { ...c, use: 'property' })),
    ends: { source: byId, target: byId },
  };
}

/** The type of a column that its name states; text if it states none. */
function kindOfHeader({ kind = 'String' }: Header, cells: string[]): ColumnKind {
  return kind === 'OffsetDateTime' && cells.some((cell) => cell.endsWith(']')) ? 'ZonedDateTime' : kind;
}

const usesOfRoles = { LABEL: 'type', TYPE: 'type', START_ID: 'source', END_ID: 'target', IGNORE: 'ignore' } as const;

/** What a column is by its name; ids of other programs only connect the files of one import. */
function useOfHeader(kind: EntityKind, { name, role }: Header, cells: string[]): Use {
  if (role === undefined) return 'property';
  if (role === 'ID') return areIds(cells) ? 'id' : name === '' ? 'ignore' : 'property';
  return usesOf(kind).includes(usesOfRoles[role]) ? usesOfRoles[role] : 'ignore';
}

const areIds = (cells: string[]) => cells.some((cell) => cell !== '') && cells.every((cell) => cell === '' || uuid.test(cell));

const isFirstOfItsUse = (columns: ColumnMapping[], c: ColumnMapping, index: number) =>
  c.use === 'property' || c.use === 'ignore' || columns.findIndex((other) => other.use === c.use) === index;

function useOf(kind: EntityKind, column: string, cells: string[]): Use {
  if (column === '' || parseHeader(column).role === 'IGNORE') return 'ignore';
  const name = column.toLowerCase();
  if (name === 'id' && areIds(cells)) return 'id';
  if (kind === 'edge' && /^(source|source_id|from|start)$/.test(name)) return 'source';
  if (kind === 'edge' && /^(target|target_id|to|end)$/.test(name)) return 'target';
  return 'property';
}

/** What a mapping lacks; null if it is complete. */
export function checkMapping(m: Mapping): string | null {
  if (m.type.trim() === '' && !m.columns.some((c) => c.use === 'type')) return 'Choose a type';
  const names = m.columns.filter((c) => c.use === 'property').map((c) => c.property);
  const unread = unreadTypes(m.columns.map((c) => c.column)).find((column) => names.some((name) => name.trim() === column));
  if (unread !== undefined)
    return `The type of ${unread} is not read here: import the file with graphrest import, or name the property otherwise`;
  if (names.includes('')) return 'A property needs a name';
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `Two columns are the property ${twice}`;
  for (const use of ['id', 'type', 'source', 'target'] as const) {
    if (m.columns.filter((c) => c.use === use).length > 1) return `Two columns are the ${useLabels[use]}`;
  }
  const found = checkExisting(m);
  if (found !== null || m.kind === 'node') return found;
  for (const end of ['source', 'target'] as const) {
    if (!m.columns.some((c) => c.use === end)) return `Choose the column of the ${end}`;
    if (m.ends[end].type !== '' && m.ends[end].property === '') return `Choose the property by which the ${end} is found`;
  }
  return null;
}

/** What is missing for rows to find entities that exist; null if nothing is. */
function checkExisting(m: Mapping): string | null {
  if (m.existing === undefined) return null;
  if (m.existing === '') return m.columns.some((c) => c.use === 'id') ? null : 'Choose the column of the ID, by which rows are found';
  if (!m.columns.some((c) => isKeyColumn(m, c))) return `No column is the property ${m.existing}, by which rows are found`;
  if (m.columns.some((c) => c.use === 'type' || c.use === 'id'))
    return `Rows are found by ${m.existing}: no column can be the ID or the type`;
  return null;
}

/** Reports whether a column has the property by which rows find nodes that exist. */
export const isKeyColumn = (m: Mapping, c: ColumnMapping) => c.use === 'property' && c.property === m.existing;

export const useLabels: Record<Use, string> = {
  property: 'Property',
  id: 'ID',
  type: 'Type',
  source: 'Source',
  target: 'Target',
  ignore: 'Ignored',
};

/** Something wrong in a row of the file, counted from 1. */
export interface RowError {
  row: number;
  column: string;
  message: string;
  /** The user leaves the row out. */
  byChoice?: true;
}

/** A row that can be imported. */
export interface MappedRow {
  row: number;
  id?: string;
  /** The types that the row states: of a node all its labels, of an edge one. */
  types?: string[];
  source?: string;
  target?: string;
  properties: Properties;
}

/** The cell of the file that an error is about; empty if it is about none. */
export const cellOfError = (table: Table, e: RowError): string =>
  table.rows[e.row - table.firstRow]?.[table.columns.indexOf(e.column)] ?? '';

/** A node that exists, with its value of the property by which it was found: 1.0, where the cell is 1. */
export interface FoundNode {
  id: string;
  value: Value;
}

export interface FoundNodes {
  source: EndIds;
  target: EndIds;
  /** Of the property by which rows find nodes; null for a cell that names none. */
  existing?: (cell: string) => FoundNode | null | string;
}

/** Converts the rows. ends are the ids of the nodes that the cells of a column name; one that is missing or ambiguous is an error. */
export function mapRows(table: Table, m: Mapping, ends: FoundNodes): { rows: MappedRow[]; errors: RowError[] } {
  const rows: MappedRow[] = [];
  const errors: RowError[] = [];
  for (const [index, cells] of table.rows.entries()) {
    if (isEmptyRow(cells)) continue;
    const row: MappedRow = { row: table.firstRow + index, properties: Object.create(null) as Properties };
    const before = errors.length;
    const fail = (column: string, message: string) => errors.push({ row: row.row, column, message });
    for (const [at, c] of m.columns.entries()) {
      const cell = cells[at]!;
      if (c.use === 'source' || c.use === 'target') {
        const found = cell.trim() === '' ? 'is empty' : ends[c.use](cell.trim());
        if (typeof found === 'string') fail(c.column, found);
        else row[c.use] = found.id;
      } else if (cell !== '' && c.use === 'id') {
        row.id = cell.trim();
      } else if (cell !== '' && c.use === 'type') {
        row.types = m.kind === 'node' ? cell.split(';').filter((label) => label !== '') : [cell];
      } else if (isKeyColumn(m, c) && cell.trim() === '') {
        fail(c.column, 'is empty, and rows are found by it');
      } else if (cell !== '' && c.use === 'property') {
        const parsed = parseCell(c.kind, cell, m.form);
        const found = isKeyColumn(m, c) ? (ends.existing?.(cell) ?? null) : null;
        if ('error' in parsed) fail(c.column, parsed.error);
        else if (typeof found === 'string') fail(c.column, found);
        else row.properties[c.property] = found === null ? parsed.value : found.value;
        if (found !== null && typeof found !== 'string') row.id = found.id;
      }
    }
    if (row.types === undefined && m.type.trim() === '') fail(m.columns.find((c) => c.use === 'type')!.column, 'The row has no type');
    if (errors.length === before) rows.push(row);
  }
  return { rows, errors };
}

/** Returns the id of the node that a cell names, or what is wrong. */
export type EndIds = (cell: string) => { id: string } | string;

/** A row as a line of an import. */
export function lineOf(m: Mapping, row: MappedRow): string {
  const id = row.id === undefined ? {} : { id: row.id };
  const ends = m.kind === 'edge' ? { source_id: row.source, target_id: row.target } : {};
  return bodyText({ kind: m.kind, ...id, ...typesOf(m, row), ...ends, properties: row.properties });
}

/** The type of a row, and the labels of a node that has several. */
export function typesOf(m: Mapping, row: MappedRow): { type: string; labels?: string[] } {
  const [type = m.type, ...more] = row.types ?? [];
  return more.length > 0 ? { type, labels: [type, ...more] } : { type };
}

/** The distinct cells of a column. */
export function cellsOf(table: Table, m: Mapping, isColumn: (c: ColumnMapping) => boolean): string[] {
  const at = m.columns.findIndex(isColumn);
  return [...new Set(table.rows.map((row) => row[at]!))].filter((cell) => cell.trim() !== '');
}

/**
 * The text by which a value of a key property and a cell are equal: 1 and 1.0 are, 10:00 and 10:00:00.0 too, P1Y and P12M, and points
 * whose coordinates are equal; text is only itself.
 */
export function keyText(value: Scalar): string {
  if (typeof value === 'bigint') return `number ${value}`;
  if (typeof value === 'number') return `number ${Number.isInteger(value) ? BigInt(value) : value}`;
  if (typeof value !== 'object') return `${typeof value} ${value}`;
  return `${value.$type} ${(keyForms[value.$type] ?? String)(value._value)}`;
}

/** A time as the service writes it: with seconds, without zeros at the end of their fraction, and with Z. */
const withAllSeconds = (time: string) =>
  time
    .replace(/(\d\d:\d\d)(:\d\d)?(\.\d+)?/, (_, minutes: string, seconds = ':00', fraction = '') =>
      [minutes, seconds, fraction.replace(/\.?0+$/, '')].join(''),
    )
    .replace(/\+00:00$/, 'Z');

const durationForm = new RegExp(
  `^([+-]?)P${['Y', 'M', 'W', 'D'].map((unit) => `(?:([+-]?\\d+)${unit})?`).join('')}` +
    '(?:T(?:([+-]?\\d+)H)?(?:([+-]?\\d+)M)?(?:([+-]?\\d+)(?:\\.(\\d{1,9}))?S)?)?$',
);

/** The months, days and nanoseconds of a duration, which the database compares; its text if a part but the seconds has a fraction. */
function partsOfDuration(text: string): string {
  const [, sign, ...parts] = durationForm.exec(text) ?? [];
  if (sign === undefined) return text;
  const [years, months, weeks, days, hours, minutes, seconds] = parts.map((part) => BigInt((part ?? '0').replace('+', '')));
  const fraction = BigInt((parts[7] ?? '').padEnd(9, '0')) * (parts[6]?.startsWith('-') ? -1n : 1n);
  const nanoseconds = ((hours! * 60n + minutes!) * 60n + seconds!) * 1_000_000_000n + fraction;
  const all = sign === '-' ? -1n : 1n;
  return [years! * 12n + months!, weeks! * 7n + days!, nanoseconds].map((part) => part * all).join(' ');
}

/** The system and the coordinates of a point as numbers: 13.40 is 13.4, and -0 is 0. */
const partsOfPoint = (text: string) =>
  [...text.matchAll(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]?Infinity/g)].map(([part]) => Number(part) + 0).join(' ');

/** What equal values of a type have in common, whatever their texts are. */
const keyForms: Partial<Record<string, (text: string) => string>> = {
  Duration: partsOfDuration,
  Point: partsOfPoint,
  LocalDateTime: withAllSeconds,
  OffsetDateTime: withAllSeconds,
  ZonedDateTime: withAllSeconds,
  LocalTime: withAllSeconds,
  Time: withAllSeconds,
};
