import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseAnswer } from '../api/json';
import { captionOf, cellText, chosenCaption, escapeInvisible } from './text';
import type { Properties } from './value';

// The store's test reads the same cases.
const cases = readFileSync(resolve(import.meta.dirname, '../../../../graph/testdata/captions.json'), 'utf8');
test.each(parseAnswer(cases) as { properties: Properties; caption: string | null }[])(
  'the caption of $properties is $caption',
  ({ properties, caption }) => {
    expect(chosenCaption(properties)).toBe(caption);
  },
);

test('the property that is set for the type comes first, the end of the id last', () => {
  expect(captionOf({ name: 'Ada', born: 1815n }, 'x', 'born')).toBe('1815');
  expect(captionOf({ n: 1n }, '01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d')).toBe('…6a1b2c3d');
});

test('a table shows points without the usual coordinate system', () => {
  const point = (text: string) => ({ $type: 'Point' as const, _value: text });
  expect(cellText(point('SRID=4326;POINT (-9.14 38.72)'))).toBe('POINT (-9.14 38.72)');
  expect(cellText([point('SRID=4326;POINT (1 2)'), point('SRID=4326;POINT (3 4)')])).toBe('[POINT (1 2), POINT (3 4)]');
  expect(cellText(point('SRID=7203;POINT (1 2)'))).toBe('SRID=7203;POINT (1 2)');
  expect(cellText('SRID=4326;POINT (1 2)')).toBe('SRID=4326;POINT (1 2)');
});

test.each([
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['क्\u200dष', 'क्\u200dष'],
  ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['\u2764\ufe0f\u200d\u{1f525}', '\u2764\ufe0f\u200d\u{1f525}'],
  ['ad\u200dmin', 'ad\\u200dmin'],
  ['می\u200c', 'می\\u200c'],
  ['\u202etxt.exe', '\\u202etxt.exe'],
])('%j is shown as %j', (text, shown) => expect(escapeInvisible(text)).toBe(shown));
