// How a file writes numbers, dates and truth values: as programs do, or as people do, with a comma or a point as the decimal separator.
import type { Hints } from '../values/draft';

export const forms = ['plain', 'comma', 'point'] as const;
export type Form = (typeof forms)[number];

export const formLabels: Record<Form, string> = {
  plain: '1234.5, 2024-12-31, true',
  comma: '1.234,5, 31.12.2024, yes or ja',
  point: '1234.5, 31.12.2024, yes or ja',
};

const hintsOfDays: Hints = {
  Boolean: 'Write yes or no, ja or nein, true or false',
  Date: 'Write a date as 31.12.2024',
  LocalDateTime: 'Write it as 31.12.2024 12:30:00',
};

/** What to write in a cell, where it differs from what programs write. */
export const formHints: Record<Form, Hints> = {
  plain: {},
  comma: { ...hintsOfDays, Float: 'Write a number such as 1234,5' },
  point: hintsOfDays,
};

const commaNumber = /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/;
const pointNumber = /^[+-]?\d*\.\d+(?:[eE][+-]?\d+)?$/;
const day = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?)?$/;
const truths: Record<string, string> = {
  ...{ yes: 'true', ja: 'true', oui: 'true', sí: 'true', si: 'true', wahr: 'true' },
  ...{ no: 'false', nein: 'false', non: 'false', falsch: 'false' },
};

/** A cell as programs write its value; unchanged if it has another form. */
export function plainCell(form: Form, cell: string): string {
  if (form === 'plain') return cell;
  const text = cell.trim();
  if (form === 'comma' && commaNumber.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (Object.hasOwn(truths, text.toLowerCase())) return truths[text.toLowerCase()]!;
  const found = day.exec(text);
  if (!found) return cell;
  const two = (part: string) => part.padStart(2, '0');
  const [, days, months, year, hours, minutes, seconds = '00'] = found;
  const date = `${year}-${two(months!)}-${two(days!)}`;
  return hours === undefined ? date : `${date}T${two(hours)}:${minutes}:${seconds}`;
}

/** Whether a cell is a number of the other form: where 1.234 is a thousand and more, 12.5 is a mistake and no number. */
export function isOfOtherForm(form: Form, cell: string): boolean {
  const text = cell.trim();
  return form === 'comma' && pointNumber.test(text) && !commaNumber.test(text);
}

/**
 * The form of a table: a column with only such days shows that people wrote it, and then 12.5 which separator they use. 1,5 does not show
 * it, because 1,500 may be a thousand and more.
 */
export function detectForm(rows: string[][]): Form {
  const isDays = (_: string, at: number) => {
    const cells = rows.map((row) => row[at]!.trim()).filter((cell) => cell !== '');
    return cells.length > 0 && cells.every((cell) => day.test(cell));
  };
  if (!rows[0]?.some(isDays)) return 'plain';
  return rows.some((row) => row.some((cell) => isOfOtherForm('comma', cell))) ? 'point' : 'comma';
}
