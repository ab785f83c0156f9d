import { expect, test, vi } from 'vitest';
import type { GraphNode, Schema } from '../api/graph';
import { columnsOf } from './columns';

vi.mock('../api/graph', () => ({}));

test('properties of rows have columns, even if the schema does not have them yet', () => {
  const schema = { node_types: [{ type: 'A', properties: [{ name: 'old', types: ['String'], presence: 1, indexed: false, unique: false }] }], edge_types: [] } as unknown as Schema;
  const row: GraphNode = { id: 'x', type: 'A', labels: ['A'], properties: { old: 'o', n: 1n, list: [], name: 'it' } };
  expect(columnsOf(schema, { kind: 'node', type: 'A' }, [row]).map((c) => [c.title, c.number])).toEqual([['name', false], ['list', false], ['n', true], ['old', false], ['ID', false]]);
});
