// Rows of a file that would be created twice: reported before the import, where the service would refuse the second or keep both.
import type { Schema } from '../api/graph';
import { bodyText } from '../api/json';
import type { Value } from '../values/value';
import { keyText, lineOf, typesOf, type Mapping, type MappedRow, type RowError } from './mapping';

/** A row that is equal to an earlier one. */
export interface EqualRow {
  row: number;
  first: number;
}

export interface Duplicates {
  /** Rows whose id or unique values an earlier row has: the service refuses them. */
  errors: RowError[];
  /** Of the other rows without ids, those that are equal to an earlier one: both can be imported. */
  equal: EqualRow[];
}

export function findDuplicates(m: Mapping, rows: MappedRow[], schema: Schema): Duplicates {
  const seen = new Map<string, number>();
  /** The first row with the text, if this is another. */
  const firstWith = (text: string, row: number): number | null => {
    const first = seen.get(text);
    if (first === undefined) seen.set(text, row);
    return first ?? null;
  };
  const keysOf = uniqueKeys(m, schema);
  const columnOf = (name: string) => m.columns.find((c) => c.use === 'property' && c.property === name)?.column ?? '';
  const found: Duplicates = { errors: [], equal: [] };
  for (const row of rows) {
    const before = found.errors.length;
    const report = (text: string, column: string, what: string) => {
      const first = firstWith(text, row.row);
      if (first !== null) found.errors.push({ row: row.row, column, message: `Row ${first} has the same ${what}` });
    };
    const idColumn = m.columns.find((c) => c.use === 'id');
    if (row.id !== undefined && idColumn) report(bodyText(['id', row.id]), idColumn.column, 'id');
    for (const { type, names } of keysOf(row)) {
      const values = names.map((name) => (Object.hasOwn(row.properties, name) ? row.properties[name]! : undefined));
      if (!values.every((value) => value !== undefined)) continue; // an absent value is equal to none
      report(
        bodyText(['key', type, ...names, ...values.map(valueKey)]),
        columnOf(names[0]!),
        `${names.join(' and ')}, which must be unique`,
      );
    }
    if (row.id !== undefined || found.errors.length > before) continue;
    const first = firstWith(lineOf(m, row), row.row);
    if (first !== null) found.equal.push({ row: row.row, first });
  }
  return found;
}

const valueKey = (value: Value) => (Array.isArray(value) ? bodyText(value) : keyText(value));

/** Returns a function for the unique keys of a row's types: those of constraints and of declarations, and that by which rows are found. */
function uniqueKeys(m: Mapping, schema: Schema) {
  const known = new Map<string, string[][]>();
  const ofType = (type: string): string[][] => {
    const declared = (m.kind === 'node' ? schema.node_types : schema.edge_types).find((t) => t.type === type)?.declared?.unique ?? [];
    const constrained = schema.constraints.filter((c) => c.entity === m.kind && /UNIQUE|KEY/.test(c.kind) && c.types.includes(type));
    const keys = [...declared, ...constrained.map((c) => c.properties), ...(m.existing ? [[m.existing]] : [])];
    return [...new Map(keys.map((names) => [bodyText([...names].sort()), names])).values()];
  };
  return (row: MappedRow) => {
    const { type, labels = [type] } = typesOf(m, row);
    return labels.flatMap((each) => {
      if (!known.has(each)) known.set(each, ofType(each));
      return known.get(each)!.map((names) => ({ type: each, names }));
    });
  };
}
