// Which type the cells of a column have. A type is proposed only if it prints every cell back as it was, but for seconds that a time lacks.
import { floatText, parseExact } from '../api/json';
import { parseDraft, type Parsed } from '../values/draft';
import { isTagged, type Kind, type Value } from '../values/value';
import { formHints, isOfOtherForm, plainCell, type Form } from './forms';
import type { ColumnKind } from './typedHeaders';

const inferredKinds: Kind[] = ['Integer', 'Float', 'Boolean', 'Date', 'OffsetDateTime', 'ZonedDateTime', 'LocalDateTime'];

/**
 * Which part of the cells may lack the type that is proposed for a column: they are then errors of their rows, not a reason to store text.
 */
const toleratedMismatches = { known: 0.5, inferred: 0.1 } as const;

const nonEmptyCells = (cells: string[]) => cells.filter((cell) => cell !== '');

/** How many cells of a column do not have a type. */
export const countMismatches = (kind: ColumnKind, cells: string[], form: Form = 'plain'): number =>
  nonEmptyCells(cells).filter((cell) => 'error' in parseCell(kind, cell, form)).length;

/** Parses a cell that is not empty. */
export function parseCell(kind: ColumnKind, given: string, form: Form = 'plain'): Parsed {
  if (kind === 'Json') return parseJson(given);
  const cell = kind === 'String' ? given : plainCell(form, given);
  if ((kind === 'Integer' || kind === 'Float') && isOfOtherForm(form, given)) return { error: 'The decimal separator is a comma here' };
  if (kind === 'Boolean') {
    const text = cell.trim().toLowerCase();
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { error: formHints[form].Boolean ?? 'Write true or false' };
  }
  // An offset without a colon, as in 2010-01-03T15:10:31+0000, is read as one with it.
  const text = kind === 'OffsetDateTime' || kind === 'Time' ? cell.trim().replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : cell;
  const day = /^(\d{4})-(\d\d)-(\d\d)/.exec(text.trim());
  if (kind.startsWith('Date') || kind.endsWith('DateTime')) {
    if (day && !isDay(day[0])) return { error: `There is no day ${given.trim().split(/[ T]/)[0]}` };
  }
  return parseDraft({ kind, list: false, texts: [text] }, formHints[form]);
}

/** Whether a day of four digits for the year exists. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function parseJson(cell: string): Parsed {
  try {
    const value = parseExact(cell);
    const isScalar = (each: unknown) => ['string', 'boolean', 'bigint', 'number'].includes(typeof each) || isTagged(each);
    if (isScalar(value) || (Array.isArray(value) && value.every(isScalar))) return { value: value as Value };
  } catch {
    // It is no JSON.
  }
  return { error: 'Write a value in JSON, such as ["a", "b"]' };
}

const numeric = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/;
const clock = String.raw`([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{0,8}[1-9])?)?`;
const offset = String.raw`(Z|[+-](?!00:00)(0\d|1[0-7]):[0-5]\d)`;
/** How the service writes values of these types; seconds may be missing, which it writes as :00. */
const written: Partial<Record<Kind, RegExp>> = {
  Date: /^\d{4}-\d\d-\d\d$/,
  LocalDateTime: new RegExp(String.raw`^\d{4}-\d\d-\d\dT${clock}$`),
  OffsetDateTime: new RegExp(String.raw`^\d{4}-\d\d-\d\dT${clock}${offset}$`),
  ZonedDateTime: new RegExp(String.raw`^\d{4}-\d\d-\d\dT${clock}${offset}\[[A-Za-z][\w+/-]*\]$`),
};

/** Whether a value of a type prints a cell as it is. A float prints 1 as well as 1.0. */
function printsBack(kind: Kind, value: Value, cell: string): boolean {
  if (typeof value === 'number') return cell === floatText(value) || (cell === String(value) && !Object.is(value, -0));
  if (typeof value === 'object') return written[kind]?.test(cell) ?? cell === (isTagged(value) ? value._value : '');
  return cell === String(value);
}

/** A cell fits a type if it is printed back; it is changed if it would be read and then printed otherwise. */
type Fit = 'fits' | 'changed' | 'not';

function fitOf(kind: Kind, given: string, form: Form): Fit {
  const parsed = parseCell(kind, given, form);
  const cell = plainCell(form, given);
  if ('value' in parsed) return printsBack(kind, parsed.value, cell) ? 'fits' : 'changed';
  // A number that the type cannot hold is no wrong cell: the column has numbers of another kind.
  return (kind === 'Integer' || kind === 'Float') && numeric.test(cell) ? 'changed' : 'not';
}

/** Whether a cell keeps its value in a type that the property is known to have: it may be printed with other zeros, but is the same. */
function knownFitOf(kind: Kind, given: string, form: Form): Fit {
  const parsed = parseCell(kind, given, form);
  if ('error' in parsed) return fitOf(kind, given, form);
  const cell = kind === 'String' ? given : plainCell(form, given);
  if (/^\s*([+-]?0\d|\+)/.test(cell) && (kind === 'Integer' || kind === 'Float')) return 'changed';
  return typeof parsed.value === 'number' && decimalOf(cell) !== decimalOf(floatText(parsed.value)) ? 'changed' : 'fits';
}

/** A decimal number without the ways to write it: its digits and the exponent of the last one. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim()) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const lastDigit = significant === '' ? 0 : Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign.replace('+', '')}${significant}e${lastDigit}`;
}

/** Whether cells have a type, except at most a part of them; none is changed by it. */
function haveKind(fit: (cell: string) => Fit, given: string[], tolerated: number): boolean {
  const max = Math.floor(given.length * tolerated);
  let mismatches = 0;
  const isAccepted = (found: Fit) => found === 'fits' || (found === 'not' && ++mismatches <= max);
  return given.length > 0 && given.every((cell) => isAccepted(fit(cell)));
}

/**
 * The narrowest type that all cells of a column have, or else that nearly all have; text if one would be changed by it. Where the user has
 * chosen how the file writes numbers, 12,50 is the number that it says.
 */
export function inferKind(cells: string[], form: Form = 'plain'): Kind {
  const given = nonEmptyCells(cells);
  const fit = form === 'plain' ? fitOf : knownFitOf;
  const have = (tolerated: number) => inferredKinds.find((kind) => haveKind((cell) => fit(kind, cell, form), given, tolerated));
  return have(0) ?? have(toleratedMismatches.inferred) ?? 'String';
}

/** Whether a column has the type that its property has in other entities. */
export const hasKnownKind = (kind: Kind, cells: string[], form: Form): boolean =>
  haveKind((cell) => knownFitOf(kind, cell, form), nonEmptyCells(cells), toleratedMismatches.known);
