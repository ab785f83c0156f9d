// A property value in the editor: text until it is sent, so that no precision is lost.
import { floatText } from '../api/json';
import { isTagged, kindOf, type Kind, type Scalar, type Value } from './value';

export interface Draft {
  kind: Kind;
  list: boolean;
  texts: string[]; // one text, or one for each item of a list
}

export function draftOf(value: Value): Draft {
  if (Array.isArray(value)) {
    const first = value[0];
    return { kind: first === undefined ? 'String' : kindOf(first), list: true, texts: value.map(scalarText) };
  }
  return { kind: kindOf(value), list: false, texts: [scalarText(value)] };
}

function scalarText(value: Scalar): string {
  if (typeof value === 'number') return floatText(value);
  return isTagged(value) ? value._value : String(value);
}

export function emptyDraft(kind: Kind, list = false): Draft {
  return { kind, list, texts: list ? [] : [''] };
}

/** Converts a draft to another kind; keeps as much of its text as possible. */
export function convertDraft(draft: Draft, kind: Kind, list: boolean): Draft {
  let texts = draft.texts;
  if (list && !draft.list && texts.length === 1 && texts[0] === '') texts = [];
  if (!list) texts = [texts[0] ?? ''];
  if (kind === 'Boolean') texts = texts.map((t) => (t === 'true' || t === 'false' ? t : ''));
  if (kind === 'Point') texts = texts.map((t) => (pointFormat.test(t) ? t : '')); // its text is not shown
  return { kind, list, texts };
}

/** Whether nothing has been entered. Of a text that exists, the empty text is a value: the form knows whether the property exists. */
export function isEmptyDraft(draft: Draft): boolean {
  return draft.list ? draft.texts.length === 0 : draft.texts[0] === '';
}

export type Parsed = { value: Value } | { error: string };

/** What to write for a value of a type. */
export type Hints = Partial<Record<Kind, string>>;

/** Parses a draft. Checks the format only; the service validates the rest and names the property. hints are those of another format. */
export function parseDraft(draft: Draft, hints: Hints = {}): Parsed {
  const values: Scalar[] = [];
  for (const [index, text] of draft.texts.entries()) {
    const parsed = parseScalar(draft.kind, text, hints);
    if ('error' in parsed) return { error: draft.list ? `Item ${index + 1}: ${parsed.error}` : parsed.error };
    values.push(parsed.value);
  }
  return { value: draft.list ? values : values[0]! };
}

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

const coordinate = String.raw`\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|NaN|[+-]?Infinity)\s*`;
const pointFormat = new RegExp(
  String.raw`^SRID=\d+;\s*POINT(\s*\(${coordinate} ${coordinate}\)|\s*Z\s*\(${coordinate} ${coordinate} ${coordinate}\))$`,
);

const date = String.raw`[+-]?\d{4,9}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d(:\d\d(\.\d+)?)?`;
const offset = String.raw`(Z|[+-]\d\d(:\d\d){0,2})`;
const whole = (...parts: string[]) => new RegExp(`^${parts.join('')}$`);

const formats: Partial<Record<Kind, { pattern: RegExp; hint: string }>> = {
  Date: { pattern: whole(date), hint: 'Write a date as 2024-05-01' },
  LocalDateTime: { pattern: whole(date, 'T', clock), hint: 'Write it as 2024-05-01T12:30:00' },
  OffsetDateTime: { pattern: whole(date, 'T', clock, offset), hint: 'Write it as 2024-05-01T12:30:00+02:00' },
  ZonedDateTime: {
    pattern: whole(date, 'T', clock, offset, '?', String.raw`\[.+\]`),
    hint: 'Write it as 2024-05-01T12:30:00+02:00[Europe/Berlin]',
  },
  LocalTime: { pattern: whole(clock), hint: 'Write a time as 12:30:00' },
  Time: { pattern: whole(clock, offset), hint: 'Write it as 12:30:00+02:00' },
  Duration: { pattern: /^P/, hint: 'Write a duration as P1Y2M3DT4H5M6S' },
  Point: { pattern: pointFormat, hint: 'Write a number for each coordinate; in a file, a point is SRID=4326;POINT (13.4 52.5)' },
  Base64: { pattern: /^[A-Za-z0-9+/]*={0,2}$/, hint: 'Write bytes in Base64, such as aGVsbG8=' },
};

function parseScalar(kind: Kind, text: string, hints: Hints): { value: Scalar } | { error: string } {
  switch (kind) {
    case 'String':
      return { value: text };
    case 'Boolean':
      return text === '' ? { error: 'Choose true or false' } : { value: text === 'true' };
    case 'Integer':
      return parseInteger(text.trim());
    case 'Float':
      return parseFloatText(text.trim(), hints.Float);
    default: {
      const known = formats[kind];
      const trimmed = text.trim();
      if (known && !known.pattern.test(trimmed)) return { error: hints[kind] ?? known.hint };
      return { value: { $type: kind, _value: trimmed } };
    }
  }
}

function parseInteger(text: string): { value: bigint } | { error: string } {
  if (!/^[+-]?\d+$/.test(text)) return { error: 'Write a whole number' };
  const value = BigInt(text.replace(/^\+/, ''));
  if (value < minInteger || value > maxInteger) return { error: 'Integers have 64 bits: from -9223372036854775808 to 9223372036854775807' };
  return { value };
}

function parseFloatText(
  text: string,
  hint = 'Write a number such as 1.5, or NaN, Infinity, -Infinity',
): { value: Scalar } | { error: string } {
  if (['NaN', 'Infinity', '-Infinity'].includes(text)) return { value: { $type: 'Float', _value: text } };
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return { error: hint };
  const value = Number(text);
  if (!Number.isFinite(value)) return { error: 'This number is too large for a float' };
  return { value };
}

/** Whether two values are the same in the database: 1 and 1.0 are not. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const x = draftOf(a);
  const y = draftOf(b);
  const kindsMatch = x.kind === y.kind || (x.list && x.texts.length === 0);
  return kindsMatch && x.list === y.list && x.texts.length === y.texts.length && x.texts.every((t, i) => t === y.texts[i]);
}
