import { expect, test } from 'vitest';
import {
  addSort,
  formatCondition,
  formatConditions,
  nextSort,
  filterParam,
  filterOptions,
  parseConditions,
  unknownFilters,
  parseSort,
  parseValues,
  placesFor,
  replaceCondition,
  serializeSort,
  serializeValues,
  type Condition,
} from './filters';

const conditions: Condition[] = [
  { property: 'born', operator: 'gte', kind: 'Integer', text: '1960' },
  { property: 'odd][eq] & name', operator: 'eq', kind: 'String', text: '007' },
  { property: 'home', operator: 'exists', kind: null, text: 'false' },
  { property: 'at', operator: 'lt', kind: 'OffsetDateTime', text: '2024-05-01T12:30:00Z' },
];

test('serialized conditions are parsed to the same conditions', () => {
  const params = new URLSearchParams(conditions.map(filterParam));
  expect(parseConditions(new URLSearchParams(params.toString()))).toEqual(conditions);
});

test('the parameter names the type, so that digits in a text stay a text', () =>
  expect(filterParam(conditions[1]!)[0]).toBe('filter[odd][eq] & name][eq:string]'));

test('alternatives are numbered from 1 on, and what is left of several is none', () => {
  const [a, b, c, d] = conditions as [Condition, Condition, Condition, Condition];
  const labels = (of: Condition[]) => placesFor(of).map(({ label }) => label);
  expect(labels([])).toEqual(['and']);
  expect(labels([a, c])).toEqual(['and', 'or, beside born ≥ 1960', 'or, beside home is not set']);
  const either = placesFor([c, a])[2]!.add([c, a], d);
  expect(either).toEqual([c, { ...a, any: 1 }, { ...d, any: 2 }]);
  expect(parseConditions(new URLSearchParams(either.map(filterParam)))).toEqual(either);
  const [, , withFirst] = placesFor(either);
  const three = withFirst!.add(either, b);
  expect(formatConditions(three)).toEqual(['home is not set', expect.stringMatching(/^born ≥ 1960 and odd.* = "007" or at < /)]);
  const two = replaceCondition(three, three, { ...a, any: 1 });
  const left = replaceCondition(two, two, { ...b, any: 1 });
  expect(left).toEqual([c, d]);
  expect(placesFor(three)[1]!.add(three, a).at(-1)).toEqual({ ...a, any: 3 });
  expect(unknownFilters(new URLSearchParams('any[a][x][eq]=1&any[1][x][eq]=2'))).toEqual(['any[a][x][eq]=1']);
});

test('other parameters are not conditions', () =>
  expect(parseConditions(new URLSearchParams('type=A&filter[x]=1&filter[x][drop]=1'))).toEqual([]));

test.each(['name', '-name', 'a b', '-born,name', '["-a,b","+c"]', ''])('the order %s is parsed and serialized', (text) =>
  expect(serializeSort(parseSort(text))).toBe(text),
);

test.each(['a,b', '-a', '+a', '[a'])('the property %s can be sorted by', (property) => {
  for (const descending of [true, false])
    expect(
      parseSort(
        serializeSort([
          { property: 'n', descending: false },
          { property, descending },
        ]),
      ),
    ).toEqual([
      { property: 'n', descending: false },
      { property, descending },
    ]);
});

test('a click on a column sorts ascending, descending, then not', () => {
  expect(nextSort('', 'n')).toBe('n');
  expect(nextSort('n', 'n')).toBe('-n');
  expect(nextSort('-n', 'n')).toBe('');
  expect(nextSort('-n', 'm')).toBe('m');
  expect(nextSort('n,m', 'n')).toBe('n');
});

test('a click that adds a column keeps the other keys, up to four', () => {
  expect(addSort('', 'a')).toBe('a');
  expect(addSort('-a', 'b')).toBe('-a,b');
  expect(addSort('-a,b,c', 'b')).toBe('-a,-b,c');
  expect(addSort('-a,-b,c', 'b')).toBe('-a,c');
  expect(addSort('a,b,c,d', 'e')).toBe('a,b,c,d');
});

test('several values keep their types', () => {
  const values = ['a,b', '7', 7n, 1.5, true, { $type: 'Date', _value: '2024-05-01' }];
  expect(parseValues(serializeValues(values))).toEqual(values);
  expect(parseValues('1960,2.0,007,true,Ann')).toEqual([1960n, 2, '007', true, 'Ann']);
  expect(parseValues('[')).toEqual([]);
  expect(formatCondition({ property: 'n', operator: 'in', kind: null, text: '["7",7]' })).toBe('n any of "7", 7');
});

test('the operators and the kind follow from the types of a property', () => {
  const use = (types: string[]) => ({ name: 'x', types, presence: 1, indexed: false, unique: false });
  expect(filterOptions(use(['Integer'])).operators).not.toContain('contains');
  expect(filterOptions(use(['Integer', 'Float']))).toEqual(filterOptions(use(['Float'])));
  expect(filterOptions(use(['List<Date>']))).toEqual({ operators: ['has', 'exists'], kind: 'Date' });
  expect(filterOptions(use(['Integer', 'String'])).kind).toBeNull();
  expect(formatCondition(conditions[2]!)).toBe('home is not set');
});

test('a condition is replaced and removed among those of the address, which may have changed since it was rendered', () => {
  const [born, odd, home, at] = conditions as [Condition, Condition, Condition, Condition];
  const rendered = [odd, home, at];
  expect(replaceCondition([odd, home, at], rendered, home)).toEqual([odd, at]);
  expect(replaceCondition([odd, { ...home }, at], rendered, home, born)).toEqual([odd, born, at]);
  expect(replaceCondition([odd, at], rendered, home, born)).toEqual([odd, at]);
  // A double click removes one of two that are equal.
  expect(replaceCondition([odd, home], [odd, home, home], home)).toEqual([odd, home]);
  const either = [
    { ...odd, any: 1 },
    { ...odd, any: 2 },
    { ...home, any: 2 },
    { ...at, any: 3 },
  ];
  const removed = replaceCondition(either, either, either[0]!);
  expect(removed.map(({ any }) => any)).toEqual([1, 1, 2]);
  expect(replaceCondition(removed, either, either[0]!)).toEqual(removed);
});

test('a filter that is not known is named, not dropped in silence', () => {
  const params = new URLSearchParams([
    ['filter[name][like]', 'x'],
    ['filter[name][eq]', 'y'],
    ['filter', 'z'],
    ['filter[name][eq:strng]', '007'],
    ['type', 'A'],
  ]);
  expect(unknownFilters(params)).toEqual(['filter[name][like]=x', 'filter=z', 'filter[name][eq:strng]=007']);
  expect(parseConditions(params)).toHaveLength(1);
});
