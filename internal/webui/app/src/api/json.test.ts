import { expect, test } from 'vitest';
import { bodyText, floatText, parseAnswer } from './json';

test('integers below properties keep 64 bits, others are plain numbers', () => {
  const read = parseAnswer('{"data":[{"id":"a","properties":{"n":9007199254740993,"f":1.0,"l":[1,2]}}],"meta":{"page":{"total":12}}}') as {
    data: { properties: Record<string, unknown> }[];
    meta: { page: { total: unknown } };
  };
  expect(read.data[0]!.properties).toEqual({ n: 9007199254740993n, f: 1, l: [1n, 2n] });
  expect(read.meta.page.total).toBe(12);
});

test('a list called properties, as in the schema, holds plain numbers', () => {
  expect(parseAnswer('{"properties":[{"presence":1}]}')).toEqual({ properties: [{ presence: 1 }] });
});

test('what was read is written back as it was', () => {
  const text = '{"properties":{"a":9223372036854775807,"b":1.0,"c":-0.0,"d":1e+300,"e":"x","f":[1.0,2.5],"__proto__":true}}';
  expect(bodyText(parseAnswer(text))).toBe(text);
});

test.each([
  [1, '1.0'],
  [-0, '-0.0'],
  [1e21, '1e+21'],
  [0.1, '0.1'],
])('the float %d is written as %s', (value, text) => expect(floatText(value)).toBe(text));
