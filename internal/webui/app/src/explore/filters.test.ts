import { expect, test } from 'vitest';
import { formatCondition, nextSort, filterParam, filterOptions, parseConditions, parseSort, serializeSort, type Condition } from './filters';

const conditions: Condition[] = [
  { property: 'born', operator: 'gte', kind: 'Integer', text: '1960' },
  { property: 'odd][eq] & name', operator: 'eq', kind: 'String', text: '007' },
  { property: 'home', operator: 'exists', kind: null, text: 'false' },
  { property: 'at', operator: 'lt', kind: 'OffsetDateTime', text: '2024-05-01T12:30:00Z' },
];

test('conditions come back from the address as they went in', () => {
  const params = new URLSearchParams(conditions.map(filterParam));
  expect(parseConditions(new URLSearchParams(params.toString()))).toEqual(conditions);
});

test('the type is said, so that a number in a text stays a text', () => expect(filterParam(conditions[1]!)[0]).toBe('filter[odd][eq] & name][eq:string]'));

test('other parameters are no conditions', () => expect(parseConditions(new URLSearchParams('type=A&filter[x]=1&filter[x][drop]=1'))).toEqual([]));

test.each(['name', '-name', 'a b'])('the order %s is read and written', (text) => expect(serializeSort(parseSort(text)!)).toBe(text));

test.each(['a,b', '-a', '+a', '[a'])('a property called %s can be sorted by', (property) => {
  for (const descending of [true, false]) expect(parseSort(serializeSort({ property, descending }))).toEqual({ property, descending });
});

test('a column goes up, down and out', () => {
  expect(nextSort('', 'n')).toBe('n');
  expect(nextSort('n', 'n')).toBe('-n');
  expect(nextSort('-n', 'n')).toBe('');
  expect(nextSort('-n', 'm')).toBe('m');
});

test('a property is asked what it can answer', () => {
  const use = (types: string[]) => ({ name: 'x', types, presence: 1, indexed: false, unique: false });
  expect(filterOptions(use(['Integer'])).operators).not.toContain('contains');
  expect(filterOptions(use(['List<Date>']))).toEqual({ operators: ['has', 'exists'], kind: 'Date' });
  expect(filterOptions(use(['Integer', 'String'])).kind).toBeNull();
  expect(formatCondition(conditions[2]!)).toBe('home is not set');
});
