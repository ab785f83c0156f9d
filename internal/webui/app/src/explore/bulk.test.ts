import { expect, test, vi } from 'vitest';
import { Problem } from '../api/problem';
import { newField } from '../entity/form';
import { countChanges, operationsOf, parseBulkFields, proposedOperations, rowErrors } from './bulk';
import type { Row } from './lists';

vi.mock('../api/graph', () => ({}));
vi.mock('../api/client', () => ({}));
vi.mock('../session/session', () => ({}));

const row = (id: string, properties: Row['properties']): Row => ({ id, type: 'A', labels: ['A'], properties });
const rows = [row('a', { name: 'Ann', n: 1n }), row('b', { name: 'Bob' })];
const edit = (change: object) => ({ action: 'edit', change: change as never }) as const;

test('every selected entity has one operation', () => {
  expect(operationsOf('node', rows, edit({ n: 2n }))).toEqual([
    { op: 'update_node', id: 'a', properties: { n: 2n } },
    { op: 'update_node', id: 'b', properties: { n: 2n } },
  ]);
  expect(operationsOf('edge', rows, { action: 'delete' })).toEqual([
    { op: 'delete_edge', id: 'a' },
    { op: 'delete_edge', id: 'b' },
  ]);
});

test('entities that have the values already are counted apart, those whose values are not loaded are not', () => {
  expect(countChanges(rows, edit({ n: 1n }), [], () => true)).toEqual({ entities: 1, unchanged: 1, edges: 0 });
  expect(countChanges(rows, edit({ n: null }), [], () => true)).toEqual({ entities: 1, unchanged: 1, edges: 0 });
  expect(countChanges(rows, edit({ n: 1n }), [], () => false)).toEqual({ entities: 2, unchanged: 0, edges: 0 });
  expect(
    countChanges(
      rows,
      { action: 'delete' },
      [
        { id: 'a', data: { deleted_edges: 2 } },
        { id: 'b', data: { deleted_edges: 0 } },
      ],
      () => true,
    ),
  ).toEqual({ entities: 2, unchanged: 0, edges: 2 });
});

test('errors of a batch belong to rows', () => {
  const problem = new Problem('VALIDATION_ERROR', 'Invalid', 400, [
    { field: 'operations[1].properties.n', message: 'must be 1 or more' },
    { field: 'operations', message: 'too many' },
  ]);
  expect(rowErrors(rows, problem)).toEqual([{ row: rows[1], message: 'n: must be 1 or more' }]);
});

test('the form sets and removes properties, each once', () => {
  const set = { ...newField('n'), draft: { kind: 'Integer' as const, list: false, texts: ['5'] } };
  expect(parseBulkFields([set, { ...newField('gone'), removed: true }])).toEqual({ change: { n: 5n, gone: null }, errors: new Map() });
  expect(parseBulkFields([set, { ...set, key: -1 }]).errors.get(-1)).toMatch(/Another/);
  expect(parseBulkFields([newField('')]).errors.size).toBe(1);
});

test('a proposed change adds to one that is proposed already, and a proposed delete stays', () => {
  const items = [
    {
      operation: { op: 'update_node' as const, id: 'a', properties: { n: 5n }, if_match: '"1"' },
      name: 'Ann',
      type: 'A',
      before: { properties: { n: 1n } },
    },
    { operation: { op: 'delete_node' as const, id: 'b' }, name: 'Bob', type: 'A' },
  ];
  expect(proposedOperations('node', rows, edit({ name: 'X' }), items, () => true)).toEqual([
    {
      operation: { op: 'update_node', id: 'a', properties: { n: 5n, name: 'X' }, if_match: '"1"' },
      name: 'Ann',
      type: 'A',
      before: { properties: { name: 'Ann', n: 1n } },
    },
  ]);
});
