// The rows of CSV and Excel files. The parsers are loaded when they are needed.

/** A table of texts: each row has a cell for each column, empty for an absent value. */
export interface Table {
  columns: string[];
  rows: string[][];
  /** The number that the first of the rows has in its file; empty rows may be above the names of the columns. */
  firstRow: number;
}

export const maxRows = 200_000;

/** Whether a file is a table, by its name. */
export const isTable = (name: string) => /\.(csv|tsv|xlsx)$/i.test(name);

/** Reads a file whose first row has the names of the columns. Throws an Error with the reason. */
export async function readTable(file: File): Promise<Table> {
  const rows = /\.xlsx$/i.test(file.name) ? await readSheetRows(file) : await readCsvRows(file);
  return tableOf(rows);
}

/** Whether a row has nothing: it is not imported, and counts only for the numbers of the rows below it. */
export const isEmptyRow = (row: string[]) => row.every((cell) => cell.trim() === '');

export function tableOf(all: string[][]): Table {
  const at = all.findIndex((row) => !isEmptyRow(row));
  const [head, ...below] = all.slice(Math.max(0, at));
  const firstRow = at + 2;
  const rows = below.slice(0, below.findLastIndex((row) => !isEmptyRow(row)) + 1);
  if (!head || head.every((name) => name.trim() === '')) throw new Error('The file has no row with the names of its columns');
  if (rows.length === 0) throw new Error('The file has no rows below the names of its columns');
  if (rows.length > maxRows) throw new Error(`The file has more than ${maxRows.toLocaleString('en')} rows; use graphrest import`);
  const columns = head.map((name) => name.trim());
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two columns have the name ${twice}`);
  const long = rows.findIndex((row) => row.length > columns.length && row.slice(columns.length).some((cell) => cell !== ''));
  if (long >= 0) throw new Error(`Row ${firstRow + long} has more cells than the first row has names`);
  return { columns, rows: rows.map((row) => columns.map((_, index) => row[index] ?? '')), firstRow };
}

/** Decodes UTF-16 that begins with a byte order mark, as Excel writes "Unicode text", and UTF-8. Throws an Error for other encodings. */
export function decodeText(bytes: Uint8Array): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/^\ufeff+/, ''); // the decoder removes one mark
  } catch {
    throw new Error('The file is not in UTF-8; save it as CSV UTF-8');
  }
}

const separators = [',', ';', '\t', '|'];

/**
 * The text after a first line "sep=;", by which Excel knows the separator, and without a carriage return too many at the ends of lines: a
 * script that writes "\r\n" to a file that turns each "\n" into "\r\n" adds it.
 */
function withoutSeparatorLine(given: string): { text: string; separator?: string } {
  const text = /^[^\r\n]*\r\r\n/.test(given) ? given.replaceAll('\r\r\n', '\r\n') : given;
  const line = /^"?sep=([\t\x20-\x7e])"?(\r?\n)/.exec(text);
  // An empty row takes its place, so that the rows below it keep their numbers.
  return line ? { text: line[2]! + text.slice(line[0].length), separator: line[1]! } : { text };
}

async function readCsvRows(file: File): Promise<string[][]> {
  const [{ default: papa }, bytes] = await Promise.all([import('papaparse'), file.arrayBuffer()]);
  const { text, separator } = withoutSeparatorLine(decodeText(new Uint8Array(bytes)));
  // The separator is the one that splits the names of the columns most often; rows may be short, so they are not considered.
  const namesBy = (delimiter: string) =>
    papa.parse<string[]>(text, { delimiter, preview: 50 }).data.find((row) => !isEmptyRow(row))?.length ?? 0;
  const delimiter = separator ?? separators.reduce((best, next) => (namesBy(next) > namesBy(best) ? next : best));
  const { data, errors } = papa.parse<string[]>(text, { delimiter });
  const error = errors.find((e) => e.type === 'Quotes');
  if (error) throw new Error(`Row ${(error.row ?? 0) + 1}: ${error.message}`);
  return data;
}

/** How many bytes the parts of a workbook may have when they are unpacked: a small file can claim any number. */
export const maxWorkbookBytes = 256 * 1024 * 1024;

async function readSheetRows(file: File): Promise<string[][]> {
  const [{ readSheet }, { unzipSync, zipSync }, bytes] = await Promise.all([
    import('read-excel-file/universal'),
    import('fflate'),
    file.arrayBuffer(),
  ]);
  let rows: unknown[][];
  let unpacked = 0;
  const fits = (part: { size: number; originalSize: number }) => {
    unpacked += Math.max(part.size, part.originalSize); // no more than this is unpacked
    if (unpacked > maxWorkbookBytes) throw new Error('too large');
    return true;
  };
  try {
    // Large compressed entries would be unpacked by a worker, which the content security policy forbids; those that are only stored are
    // not.
    const stored = zipSync(unzipSync(new Uint8Array(bytes), { filter: fits }), { level: 0 });
    rows = await readSheet(stored.buffer as ArrayBuffer);
  } catch {
    if (unpacked > maxWorkbookBytes) {
      throw new Error(`The workbook has more than ${maxWorkbookBytes / 1024 / 1024} MiB when it is unpacked; save the sheet as CSV`);
    }
    throw new Error('The file is not a workbook of Excel');
  }
  return sheetTexts(rows);
}

/** The cells of a sheet as texts. In a column with times, midnight is a time as well, so that the column has one type. */
export function sheetTexts(rows: unknown[][]): string[][] {
  const timed = new Set<number>();
  for (const row of rows) row.forEach((cell, at) => cell instanceof Date && !isMidnight(cell) && timed.add(at));
  return rows.map((row) => row.map((cell, at) => cellText(cell, timed.has(at))));
}

const isMidnight = (date: Date) => date.toISOString().slice(11, 19) === '00:00:00';

/** A cell of a sheet, which has dates and numbers, as text. */
function cellText(cell: unknown, isTimed: boolean): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  // A sheet's dates have no time zone.
  return cell.toISOString().slice(0, isTimed || !isMidnight(cell) ? 19 : 10);
}
