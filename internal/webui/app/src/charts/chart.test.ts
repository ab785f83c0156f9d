import { describe, expect, test } from 'vitest';
import type { Group, Measure } from './aggregate';
import {
  barsOf,
  binOf,
  boundText,
  chosenBars,
  niceUnit,
  niceWidth,
  parseChart,
  rangeConditions,
  serializeChart,
  valueCondition,
  withoutRange,
} from './chart';

const date = (text: string) => ({ $type: 'Date', _value: text });
const group = (value: Group['value'], until: Group['until'], count: number): Group => ({ value, until, count, measures: {} });
const summary = (min: Measure['min'], max: Measure['max'], sum: Measure['sum']): Measure => ({
  count: 2,
  numbers: sum === null ? 0 : 2,
  sum,
  mean: sum === null ? null : 1,
  min,
  max,
});

describe('the chart of an address', () => {
  test.each(['x', '[]', '3', '{"by":3,"bin":"century","measure":"a"}'])('leaves out what is invalid: %s', (text) =>
    expect(parseChart(text)).toEqual({}),
  );
  test('is null without one, and reads what it wrote', () => {
    expect(parseChart('')).toBeNull();
    const chart = { by: 'a', bin: 'year', measure: 'b', of: 'mean' } as const;
    expect(parseChart(serializeChart(chart))).toEqual(chart);
  });
});

describe('bins', () => {
  test.each([
    [0, 100, true, 5],
    [0, 10, true, 1],
    [0, 10, false, 0.5],
    [1960, 2020, true, 5],
    [0, 0, true, 1],
    [-3, 3, false, 0.5],
    [0, 1e9, true, 5e7],
  ])('of %d to %d (integers: %s) have a width of %d', (min, max, integers, want) =>
    expect(niceWidth(min, max, integers)).toBeCloseTo(want, 12),
  );
  test.each([
    ['2000-01-01', '2020-01-01', 'year'],
    ['2020-01-01', '2021-01-01', 'month'],
    ['2020-01-01', '2020-02-28', 'week'],
    ['2020-01-01', '2020-01-20', 'day'],
    ['2020-01-01', '2020-01-02', 'hour'],
  ])('from %s to %s are by the %s', (from, to, want) => expect(niceUnit(Date.parse(from), Date.parse(to))).toBe(want));
  test('follow the values of the property', () => {
    expect(binOf({}, summary(0n, 240n, 240n))).toBe('10');
    expect(binOf({}, summary(0.1, 0.9, 1.0))).toBe('0.05');
    expect(binOf({}, summary(date('1990-01-01'), date('2020-01-01'), null))).toBe('year');
    expect(binOf({ bin: 'month' }, summary(date('1990-01-01'), date('2020-01-01'), null))).toBe('month');
    expect(binOf({ bin: 'each' }, summary(0n, 240n, 240n))).toBeUndefined();
    expect(binOf({}, { count: 3, numbers: 0, sum: null, mean: null, min: null, max: null })).toBeUndefined();
  });
});

describe('bars', () => {
  test('fill the gaps between numbers, and leave out what is in no bin', () => {
    const { bars, rest } = barsOf([group(0n, 10n, 2), group(30n, 40n, 1), group(null, null, 5)]);
    expect(bars.map((bar) => [bar.from, bar.until, bar.count])).toEqual([
      [0n, 10n, 2],
      [10n, 20n, 0],
      [20n, 30n, 0],
      [30n, 40n, 1],
    ]);
    expect(rest).toBe(5);
  });
  test('fill the gaps between units of time, and show the most common kind', () => {
    const { bars, rest } = barsOf([
      group(date('2020-01-01'), date('2020-02-01'), 1),
      group(date('2020-04-01'), date('2020-05-01'), 1),
      group({ $type: 'LocalDateTime', _value: '2020-01-01T00:00:00' }, { $type: 'LocalDateTime', _value: '2020-02-01T00:00:00' }, 1),
    ]);
    expect(bars.map((bar) => boundText(bar.from, 'month'))).toEqual(['2020-01', '2020-02', '2020-03', '2020-04']);
    expect(rest).toBe(1);
    const quarters = barsOf([group(date('2020-01-01'), date('2020-04-01'), 1), group(date('2020-10-01'), date('2021-01-01'), 1)]);
    expect(quarters.bars.map((bar) => boundText(bar.from, 'day'))).toEqual(['2020-01-01', '2020-04-01', '2020-07-01', '2020-10-01']);
  });
  test('give conditions, which mark the same bars', () => {
    const { bars } = barsOf([
      group(date('2018-01-01'), date('2019-01-01'), 1),
      group(date('2019-01-01'), date('2020-01-01'), 1),
      group(date('2020-01-01'), date('2021-01-01'), 1),
    ]);
    const conditions = rangeConditions('at', bars, 1, 1);
    expect(conditions).toEqual([
      { property: 'at', operator: 'gte', kind: 'Date', text: '2019-01-01' },
      { property: 'at', operator: 'lt', kind: 'Date', text: '2020-01-01' },
    ]);
    expect(chosenBars(bars, conditions, 'at')).toEqual([1, 1]);
    expect(rangeConditions('at', bars, 1, 2), 'one bound was moved').toEqual([conditions[0]]);
    expect(rangeConditions('at', bars, 0, 1)).toEqual([conditions[1]]);
    expect(rangeConditions('at', bars, 0, 2)).toEqual([]);
    expect(chosenBars(bars, [], 'at')).toEqual([0, 2]);
    expect(withoutRange([...conditions, { property: 'b', operator: 'lt', kind: null, text: '1' }], 'at')).toHaveLength(1);
  });
});

test.each([
  ['x', 'eq', 'x'],
  [3n, 'eq', '3'],
  [null, 'exists', 'false'],
  ['y'.repeat(256), 'starts_with', 'y'.repeat(256)],
] as const)('the condition of a group with the value %s', (value, operator, text) =>
  expect(valueCondition('p', value)).toMatchObject({ property: 'p', operator, text }),
);
