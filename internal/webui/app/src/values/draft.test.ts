import { expect, test } from 'vitest';
import { draftOf, parseDraft, convertDraft, sameValue } from './draft';
import type { Value } from './value';

const values: Value[] = [
  'text',
  '',
  true,
  false,
  0n,
  -9223372036854775808n,
  9223372036854775807n,
  1,
  1.5,
  1e300,
  { $type: 'Float', _value: 'NaN' },
  { $type: 'Date', _value: '2024-05-01' },
  { $type: 'ZonedDateTime', _value: '2024-05-01T12:30:00+02:00[Europe/Berlin]' },
  { $type: 'Duration', _value: 'P1Y' },
  { $type: 'Point', _value: 'SRID=4326;POINT (13.4 52.5)' },
  { $type: 'Point', _value: 'SRID=9157;POINT Z (1 -2.5 3e10)' },
  { $type: 'Base64', _value: 'aGVsbG8=' },
  [1n, 2n],
  [1, 2.5],
  ['a', 'b\nc'],
  [],
  [{ $type: 'Date', _value: '2024-05-01' }],
];

test.each(values.map((v) => [v]))('a value that is not changed in the editor stays the same', (value) => {
  const parsed = parseDraft(draftOf(value));
  expect(parsed).toEqual({ value });
  expect(sameValue(value, 'value' in parsed ? parsed.value : undefined)).toBe(true);
});

test.each([
  ['Integer', '9223372036854775808'],
  ['Integer', '1.0'],
  ['Integer', ''],
  ['Float', '1e999'],
  ['Float', 'tall'],
  ['Date', 'yesterday'],
  ['Point', '13 52'],
  ['Point', 'SRID=4326;POINT (1 ?)'],
  ['Point', 'SRID=4326;POINT (1 two)'],
  ['Point', 'SRID=4979;POINT Z (1 2)'],
  ['Base64', 'a b'],
] as const)('%s rejects %s', (kind, text) => expect(parseDraft({ kind, list: false, texts: [text] })).toHaveProperty('error'));

test('1 and 1.0 are different values', () => {
  expect(sameValue(1n, 1)).toBe(false);
  expect(sameValue('1', 1n)).toBe(false);
  expect(sameValue(undefined, 1n)).toBe(false);
});

test('a converted draft keeps its text', () => {
  expect(convertDraft(draftOf('42'), 'Integer', false)).toEqual({ kind: 'Integer', list: false, texts: ['42'] });
  expect(convertDraft(draftOf('a'), 'Point', false).texts).toEqual(['']);
  expect(convertDraft(draftOf('a'), 'String', true)).toEqual({ kind: 'String', list: true, texts: ['a'] });
});
