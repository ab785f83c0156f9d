import { expect, test, vi } from 'vitest';
import type { GraphNode, PropertyUse, Schema } from '../api/graph';
import { appendProperties, chosenColumns, columnsOf, fieldsOf, moveKey, orderedProperties, propertiesInRows } from './columns';

vi.mock('../api/graph', () => ({}));

const use = (name: string, presence = 1, types = ['String']): PropertyUse => ({ name, types, presence, indexed: false, unique: false });
const schemaWith = (properties: PropertyUse[], declared?: object) =>
  ({ node_types: [{ type: 'A', properties, declared }], edge_types: [] }) as unknown as Schema;
const names = (uses: PropertyUse[]) => uses.map((each) => each.name);

test('the order of columns depends on names and the declaration, not on how many entities have a property', () => {
  expect(names(orderedProperties(schemaWith([use('age', 0.1), use('name', 0.5), use('zip')]), 'node', 'A'))).toEqual([
    'name',
    'age',
    'zip',
  ]);
  const declared = { level: 'strict', unique: [], schema: { required: ['zip'], properties: { zip: {}, age: {} } } };
  expect(names(orderedProperties(schemaWith([use('age'), use('name'), use('zip')], declared), 'node', 'A'))).toEqual([
    'zip',
    'age',
    'name',
  ]);
});

test('properties that are found later come last, and none moves or disappears', () => {
  const row: GraphNode = { id: 'x', type: 'A', labels: ['A'], properties: { old: 'o', n: 1n, list: [], name: 'it' } };
  const first = [use('old'), ...propertiesInRows([use('old')], [row])];
  expect(names(first)).toEqual(['old', 'name', 'list', 'n']);
  const later = appendProperties(first, [use('a'), use('n', 1, ['Integer', 'Float'])]);
  expect(names(later)).toEqual(['old', 'name', 'list', 'n', 'a']);
  expect(later[3]!.types).toEqual(['Integer', 'Float']);
  expect(columnsOf({ kind: 'node', type: 'T' }, later).find((column) => column.key === 'p:n')!.number).toBe(true);
});

test('a choice of columns has its order and requests what it shows', () => {
  const all = columnsOf({ kind: 'node', type: 'A' }, [use('a'), use('b', 1, ['Integer'])]);
  expect(all.map((c) => [c.key, c.number])).toEqual([
    ['p:a', false],
    ['p:b', true],
    ['id', false],
  ]);
  expect(chosenColumns(all, ['id', 'p:b', 'p:gone']).map((c) => c.key)).toEqual(['id', 'p:b']);
  expect(chosenColumns(all, ['p:gone'])).toEqual(all);
  expect(fieldsOf(['id', 'p:b'])).toEqual(['b', 'label', 'name', 'title']);
  expect(fieldsOf(['type', 'rest'])).toBeNull();
  expect(fieldsOf(null)).toBeNull();
});

test('a column takes the place of another, unless one of them is gone', () => {
  expect(moveKey(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(moveKey(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(moveKey(['a', 'b'], 'c', 'a')).toEqual(['a', 'b']);
  expect(moveKey(['a', 'b'], 'a', 'c')).toEqual(['a', 'b']);
});
