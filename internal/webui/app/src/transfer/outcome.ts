// What became of each row of a table, and a file of those that were not imported.
import { formatCount } from '../values/text';
import { columnOf } from './checking';
import { csvCell } from './csv';
import type { Counts, LineError } from './importing';
import type { Mapping, RowError } from './mapping';
import { isEmptyRow, type Table } from './tables';
import { reasonColumn, withApostrophes } from './typedHeaders';

/** The rows of a file that is imported. */
export interface TableRows {
  table: Table;
  mapping: Mapping;
  /** imported[n] is the row that line n + 1 is. */
  imported: number[];
  /** Why the others are left out. */
  leftOut: RowError[];
}

export const countRows = (errors: RowError[]): number => new Set(errors.map((e) => e.row)).size;

/** The errors of the lines that failed, by rows and columns of the file. */
export const rowErrors = ({ mapping, imported }: TableRows, errors: LineError[]): RowError[] =>
  errors
    .flatMap((e) => {
      const row = imported[e.line - 1]!;
      if (e.details.length === 0) return [{ row, column: '', message: e.message }];
      return e.details.map((d) => ({ row, column: columnOf(mapping, d.field), message: d.message }));
    })
    .sort((a, b) => a.row - b.row);

/** How many rows became what: together they are all rows of the file that are not empty. */
export function outcomeText({ imported, leftOut }: TableRows, counts: Omit<Counts, 'errors'> | undefined): string {
  const { created = 0, updated = 0, skipped = 0, failed = 0 } = counts ?? {};
  const out = countRows(leftOut);
  const parts: [number, string][] = [
    [created, 'made'],
    [updated, 'merged'],
    [skipped, 'skipped'],
    [out, 'left out by the check'],
    [failed, 'failed'],
    [imported.length - created - updated - skipped - failed, 'not known, because the import ended early'],
  ];
  const shown = parts.filter(([count, what]) => count > 0 || what === 'made').map(([count, what]) => `${formatCount(count)} ${what}`);
  return `Rows of the file: ${formatCount(imported.length + out)}. ${shown.join(', ')}.`;
}

/** The rows with errors as the file has them, each with its number and its reasons: an import of the file ignores these. */
export function notImportedCsv(table: Table, errors: RowError[]): string {
  const reasons = new Map<number, string[]>();
  for (const { row, column, message } of errors) {
    const of = reasons.get(row) ?? [];
    of.push(column === '' ? message : `${column}: ${message}`);
    reasons.set(row, of);
  }
  const at = table.columns.indexOf(reasonColumn); // the file may itself be one of rows that were not imported
  const withReason = (cells: string[], reason: string) => [...cells.filter((_, index) => index !== at), reason];
  const lines = [...reasons].map(([row, of]) =>
    withReason(table.rows[row - table.firstRow]!, withApostrophes(`Row ${row}: ${of.join('; ')}`)),
  );
  return [withReason(table.columns, reasonColumn), ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** Why a line of a file failed. */
export const lineErrorText = ({ message, details }: LineError): string =>
  [message, ...details.map((d) => (d.field ? `${d.field}: ${d.message}` : d.message))].join('; ');

/** The numbers of lines that failed with their reasons. */
export const lineErrorsCsv = (errors: LineError[]): string =>
  [['line', 'code', 'reason'], ...errors.map((e) => [String(e.line), e.code, withApostrophes(lineErrorText(e))])]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');

/** The table with only the rows that have errors. The others are empty, so that rows keep their numbers. */
export function onlyRowsWithErrors(table: Table, errors: RowError[]): Table {
  const wrong = new Set(errors.map((e) => e.row));
  const empty = table.columns.map(() => '');
  return { ...table, rows: table.rows.map((cells, index) => (wrong.has(table.firstRow + index) ? cells : empty)) };
}

/** The table with another value in the cell that an error is about. */
export function mend(table: Table, { row, column }: RowError, text: string): Table {
  const at = table.columns.indexOf(column);
  return {
    ...table,
    rows: table.rows.map((cells, index) => (index === row - table.firstRow ? cells.map((cell, i) => (i === at ? text : cell)) : cells)),
  };
}

export const countFilledRows = (table: Table): number => table.rows.filter((cells) => !isEmptyRow(cells)).length;
