import { expect, test } from 'vitest';
import type { GraphEdge, GraphNode } from '../api/graph';
import { completeNodes } from './complete';

const partial = (id: string): GraphNode => ({ id, type: 'P', labels: ['P'], properties: {}, partial: { caption: id } });
const edge = (source_id: string, target_id: string): GraphEdge => ({
  id: source_id + target_id,
  type: 'T',
  source_id,
  target_id,
  properties: {},
});

test('a node is read with its neighbors, the deleted are left out, others stay as they are', async () => {
  const hub = ['a', 'b', 'c'].map((id) => edge('hub', id));
  const kept: GraphNode = { id: 'kept', type: 'P', labels: ['P'], properties: { n: 1n } };
  const nodes = [...['hub', 'a', 'b', 'c', 'far'].map(partial), kept];
  const asked: string[] = [];
  const found = await completeNodes({ nodes, edges: [...hub, edge('far', 'kept')], omitted: 0 }, (id, query) => {
    expect(query).toEqual({ limit: 1000, edge_type: 'T' });
    asked.push(id);
    const read = id === 'hub' ? ['hub', 'a', 'b'] : [id]; // c has been deleted
    return Promise.resolve({
      nodes: read.map((n) => ({ id: n, type: 'P', labels: ['P'], properties: { name: n } })),
      edges: [],
      truncated: false,
    });
  });
  expect(asked).toEqual(['hub', 'far']);
  expect(found.map((n) => n.properties)).toEqual([{ name: 'hub' }, { name: 'a' }, { name: 'b' }, { name: 'far' }, { n: 1n }]);
});
