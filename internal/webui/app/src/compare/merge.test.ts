import { expect, test } from 'vitest';
import type { GraphEdge, GraphNode } from '../api/graph';
import { compareValues } from '../history/change';
import { countEdges, keptChanges, mergeOperations, sameEdges, type Merge } from './merge';

const node = (id: string): { entity: GraphNode; etag: string } => ({
  entity: { id, type: 'Ferry', labels: ['Ferry'], properties: { name: id } },
  etag: `"${id}"`,
});
const edge = (id: string, source_id: string, target_id: string): GraphEdge => ({
  id,
  type: 'SAILS',
  source_id,
  target_id,
  properties: { n: 1n },
});
const merge = (edges: GraphEdge[], change = {}): Merge => ({ stays: node('a'), other: node('b'), change, edges });

test('values of the node that stays are kept, those that it lacks are taken, and a choice wins', () => {
  const values = compareValues({ name: 'A', deck: 1n, port: 'Kiel' }, { name: 'B', deck: 1n, berth: 'x' });
  expect(keptChanges(values, 'before', new Map())).toEqual({ berth: 'x' });
  expect(keptChanges(values, 'after', new Map())).toEqual({ port: 'Kiel' });
  expect(
    keptChanges(
      values,
      'before',
      new Map([
        ['name', 'after'],
        ['port', 'after'],
        ['berth', 'before'],
      ]),
    ),
  ).toEqual({ name: 'B', port: null });
});

test('edges move in their direction, a loop stays a loop, edges between the two are deleted', () => {
  const plan = merge([edge('1', 'b', 'c'), edge('2', 'c', 'b'), edge('3', 'b', 'b'), edge('4', 'a', 'b'), edge('5', 'b', 'a')], {
    name: 'B',
  });
  expect(countEdges(plan)).toEqual({ moved: 3, between: 2 });
  const create = (source_id: string, target_id: string) => ({
    op: 'create_edge',
    type: 'SAILS',
    source_id,
    target_id,
    properties: { n: 1n },
  });
  expect(mergeOperations(plan)).toEqual([
    ...['1', '2', '3', '4', '5'].map((id) => ({ op: 'delete_edge', id })),
    { op: 'delete_node', id: 'b', detach: false, if_match: '"b"' },
    create('a', 'c'),
    create('c', 'a'),
    create('a', 'a'),
    { op: 'update_node', id: 'a', properties: { name: 'B' }, if_match: '"a"' },
  ]);
});

test('without edges and changes the other node is deleted, and the one that stays is checked', () => {
  expect(mergeOperations(merge([]))).toEqual([
    { op: 'delete_node', id: 'b', detach: false, if_match: '"b"' },
    { op: 'update_node', id: 'a', properties: {}, if_match: '"a"' },
  ]);
});

test('edges are the same if none is new, gone or changed, in any order', () => {
  const [first, second] = [edge('1', 'b', 'c'), edge('2', 'c', 'b')];
  expect(sameEdges([first, second], [edge('2', 'c', 'b'), edge('1', 'b', 'c')])).toBe(true);
  expect(sameEdges([first], [first, second])).toBe(false);
  expect(sameEdges([first, second], [first])).toBe(false);
  expect(sameEdges([first], [second])).toBe(false);
  expect(sameEdges([first], [{ ...first, properties: { n: 2n } }])).toBe(false);
  expect(sameEdges([first], [{ ...first, properties: { n: 1n, m: 1n } }])).toBe(false);
  expect(sameEdges([first], [{ ...first, properties: {} }])).toBe(false);
});
