// Checks the rows of a table before they are imported: by the mapping, and the first ones by a dry run of the service.
import type { Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { applyBatch, fieldWithinOperation, operationIndex } from '../changesets/batch';
import type { Operation } from '../changesets/operations';
import { findDuplicates, type EqualRow } from './duplicates';
import { kindOfKey, lookUpEnds, lookUpNodes } from './lookup';
import {
  cellsOf,
  isKeyColumn,
  lineOf,
  mapRows,
  typesOf,
  type FoundNodes,
  type Mapping,
  type MappedRow,
  type RowError,
  type Use,
} from './mapping';
import type { Table } from './tables';

export interface Checked {
  rows: MappedRow[];
  errors: RowError[];
  /** Of the rows, those that would make an entity that is equal to that of an earlier row. */
  equal: EqualRow[];
  /** Of the rows, how many change a node that they find; null if they find none by a property. */
  changing: number | null;
  /** How many rows the service has checked; 0 if it could not. */
  checkedCount: number;
  /** Why the service checked nothing. */
  uncheckedReason: string | null;
}

/** A batch of this size counts as one request. */
export const maxCheckedRows = 100;

export async function checkRows(table: Table, m: Mapping, schema: Schema, signal?: AbortSignal): Promise<Checked> {
  const mapped = mapRows(table, m, await findNodes(table, m, schema, signal));
  const duplicates = findDuplicates(m, mapped.rows, schema);
  const rows = withoutErrors(mapped.rows, duplicates.errors);
  const errors = joinErrors(mapped.errors, duplicates.errors);
  const byKey = Boolean(m.existing);
  const checked = (rows: MappedRow[], errors: RowError[], checkedCount: number, uncheckedReason: string | null = null): Checked => {
    const changing = byKey ? rows.filter((row) => row.id !== undefined).length : null;
    return { rows, errors, equal: duplicates.equal, changing, checkedCount, uncheckedReason };
  };
  if (!byKey && rows.some((row) => row.id !== undefined))
    return checked(rows, errors, 0, 'Rows with ids are checked when they are imported.');
  const first = rows.slice(0, maxCheckedRows);
  if (first.length === 0) return checked(rows, errors, 0);
  const found = await dryRun(m, first, signal);
  if (typeof found === 'string') return checked(rows, errors, 0, found);
  return checked(withoutErrors(rows, found), joinErrors(errors, found), first.length);
}

/** Looks up the nodes that rows name by a property: the ends of edges, or the nodes that they change. */
async function findNodes(table: Table, m: Mapping, schema: Schema, signal?: AbortSignal): Promise<FoundNodes> {
  const cells = (isColumn: Parameters<typeof cellsOf>[2]) => cellsOf(table, m, isColumn);
  const end = async (use: 'source' | 'target') =>
    m.kind === 'node'
      ? () => ''
      : lookUpEnds(
          m.ends[use],
          kindOfKey(schema, m.ends[use]),
          cells((c) => c.use === use),
          m.form,
          signal,
        );
  const ends = { source: await end('source'), target: await end('target') };
  const key = m.columns.find((c) => isKeyColumn(m, c));
  if (!key || m.kind === 'edge') return ends;
  // With the type that is written: a text never finds a number, which the import would replace.
  const existing = await lookUpNodes(
    { type: m.type, property: key.property },
    key.kind,
    cells((c) => c === key),
    m.form,
    signal,
  );
  return { ...ends, existing };
}

function withoutErrors(rows: MappedRow[], errors: RowError[]): MappedRow[] {
  const bad = new Set(errors.map((error) => error.row));
  return rows.filter((row) => !bad.has(row.row));
}

const joinErrors = (...errors: RowError[][]) => errors.flat().sort((a, b) => a.row - b.row);

/** What a check found if rows that are equal to an earlier one that can be imported are left out. */
export function leaveOutEqual(checked: Checked): Checked {
  const right = new Set(checked.rows.map((row) => row.row));
  const equal = checked.equal.filter(({ row, first }) => right.has(row) && right.has(first));
  const errors = equal.map(({ row, first }) => ({ row, column: '', message: `Row ${first} is equal`, byChoice: true as const }));
  return { ...checked, rows: withoutErrors(checked.rows, errors), errors: joinErrors(checked.errors, errors), equal: [] };
}

/** Applies rows in a transaction that is rolled back. Returns the errors of the rows, or the reason why there are none for single rows. */
async function dryRun(m: Mapping, rows: MappedRow[], signal?: AbortSignal): Promise<RowError[] | string> {
  const operations = rows.map((row) => operationOf(m, row));
  try {
    await applyBatch(operations, true, signal);
    return [];
  } catch (error) {
    const problem = asProblem(error);
    if (problem.code === 'ABORTED') throw error;
    const errors = problem.details.flatMap((detail) => {
      const row = rows[operationIndex(detail.field)];
      return row ? [{ row: row.row, column: columnOf(m, fieldWithinOperation(detail.field)), message: detail.message }] : [];
    });
    return errors.length > 0 ? errors : problem.text;
  }
}

function operationOf(m: Mapping, row: MappedRow): Operation {
  const { properties } = row;
  if (row.id !== undefined) return { op: 'update_node', id: row.id, properties };
  if (m.kind === 'node') return { op: 'create_node', ...typesOf(m, row), properties };
  return { op: 'create_edge', type: typesOf(m, row).type, source_id: row.source ?? '', target_id: row.target ?? '', properties };
}

const usesOfFields: Record<string, Use> = { id: 'id', type: 'type', labels: 'type', source_id: 'source', target_id: 'target' };

/** The column that a field of an operation, or of a line, is from. */
export function columnOf(m: Mapping, field: string): string {
  const use = usesOfFields[field] ?? 'property';
  const column = m.columns.find(
    (c) => c.use === use && (use !== 'property' || field === `properties.${c.property}` || field.startsWith(`properties.${c.property}[`)),
  );
  return column?.column ?? field;
}

/** The rows as a file of an import; line n of it is row n of the rows. */
export const importOf = (m: Mapping, rows: MappedRow[]): Blob =>
  new Blob(
    rows.map((row) => `${lineOf(m, row)}\n`),
    { type: 'application/x-ndjson' },
  );
