import { expect, test, vi } from 'vitest';
import type { Degree, GraphEdge, GraphNode } from '../api/graph';
import type { GroupKey } from './groupKey';
import { groupNeighbors, groupsOf, markLabel, markTitle } from './groups';
import { isSuperseded, parseSteps, serializeSteps, simpleSteps, type SimpleStep, type Step } from './steps';

vi.mock('../api/graph', () => ({}));

const node = (id: string, type: string | null = 'A'): GraphNode => ({ id, type, labels: [], properties: {} });
const edge = (source_id: string, target_id: string, type = 'R'): GraphEdge => ({
  id: `${source_id}${type}${target_id}`,
  type,
  source_id,
  target_id,
  properties: {},
});

// The hub h has three neighbors of type A, one of them with another edge, and two of type B that lead to it.
const content = {
  nodes: [node('h', 'Hub'), node('a1'), node('a2'), node('a3'), node('b1', 'B'), node('b2', 'B'), node('x', 'X')],
  edges: [edge('h', 'a1'), edge('h', 'a2'), edge('h', 'a3'), edge('a3', 'x'), edge('b1', 'h', 'S'), edge('b2', 'h', 'S')],
  omitted: 0,
};
const outA: GroupKey = { direction: 'out', edgeType: 'R', type: 'A' };
const inB: GroupKey = { direction: 'in', edgeType: 'S', type: 'B' };
const group = (groups: GroupKey[]): SimpleStep => ({ do: 'group', id: 'h', groups });
const expansion = (part: Partial<Extract<Step, { do: 'expand' }>> = {}) => ({
  do: 'expand' as const,
  id: 'h',
  direction: 'both' as const,
  type: null,
  ...part,
});
const degree = (counts: Degree['counts']): Degree => ({ id: 'h', total: 0, out: 0, in: 0, counts });

test('only neighbors without other edges make up groups, of at least two', () => {
  expect(groupsOf(content, 'h')).toEqual([outA, inB]);
  expect(groupsOf(content, 'a3')).toEqual([]);
});

test('a mark replaces its nodes and their edges, and has their count', () => {
  const { nodes, edges, marks } = groupNeighbors(content, content, [group([outA])], []);
  expect(nodes.map(({ id }) => id)).toEqual(['h', 'a3', 'b1', 'b2', 'x']);
  expect(edges).toHaveLength(4);
  expect(marks.map((mark) => [mark.hub, markLabel(mark)])).toEqual([['h', '2 A']]);
});

test('a node that gets an edge to another leaves its group', () => {
  const more = { ...content, edges: [...content.edges, edge('a1', 'x')] };
  const { nodes, marks } = groupNeighbors(more, more, [group([outA, inB])], []);
  expect(nodes.map(({ id }) => id)).toContain('a1');
  expect(marks.map(markLabel)).toEqual(['1 A', '2 B']);
});

test('what a cut expansion left out is counted, apart from what is hidden', () => {
  const counts: Degree['counts'] = [
    { edge_type: 'R', direction: 'out', node_type: 'A', count: 412 },
    { edge_type: 'S', direction: 'in', node_type: 'B', count: 2 },
    { edge_type: 'T', direction: 'out', node_type: null, count: 7 },
  ];
  const cuts = [{ step: expansion(), degree: degree(counts) }];
  const without = {
    ...content,
    nodes: content.nodes.filter(({ id }) => id !== 'a2'),
    edges: content.edges.filter((e) => e.target_id !== 'a2'),
  };
  expect(groupNeighbors(without, content, [], cuts).marks.map(markLabel)).toEqual(['409 more A', '7 more without a label']);
  expect(groupNeighbors(content, content, [group([outA])], cuts).marks.map(markLabel)).toEqual(['411 A', '7 more without a label']);
  const ofType = [{ step: expansion({ direction: 'out', type: 'R', nodeType: 'A', limit: 25 }), degree: degree(counts) }];
  expect(groupNeighbors(content, content, [], ofType).marks.map(markLabel)).toEqual(['409 more A']);
});

test('of a hub with many groups the largest have marks, and the others one together', () => {
  const counts: Degree['counts'] = Array.from({ length: 200 }, (_, i) => ({
    edge_type: `R${i % 20}`,
    direction: i % 2 ? ('in' as const) : ('out' as const),
    node_type: `T${i}`,
    count: i + 1,
  }));
  const { marks } = groupNeighbors(content, content, [], [{ step: expansion(), degree: degree(counts) }]);
  expect(marks).toHaveLength(12);
  expect(marks.slice(0, 2).map(markTitle)).toEqual(['200 more T199 ← R19', '199 more T198 → R18']);
  expect(markTitle(marks.at(-1)!)).toBe('17,955 more in 189 groups');
  expect(marks.reduce((sum, mark) => sum + mark.rest, 0)).toBe((200 * 201) / 2);
  expect(new Set(marks.map(({ id }) => id)).size).toBe(12);
  // A group that a step has made stays, however small its rest is.
  const many = [...counts, { edge_type: 'R', direction: 'out' as const, node_type: 'A', count: 4 }];
  const made = groupNeighbors(content, content, [group([outA])], [{ step: expansion(), degree: degree(many) }]).marks;
  expect(made).toHaveLength(12);
  expect(made.map(markLabel)).toContain('3 A');
});

test('groups and limits are kept in the address; invalid ones are ignored', () => {
  const steps: Step[] = [
    group([outA, { ...inB, type: null }]),
    expansion({ direction: 'in', type: 'S', limit: 50, nodeType: 'B' }),
    expansion({ limit: 50 }),
  ];
  expect(parseSteps(serializeSteps(steps))).toEqual(steps);
  expect(parseSteps('[["g","h",[["up","R","A"],["in",1,"A"],["in","R",5]]],["g","h","x"]]')).toEqual([]);
  expect(parseSteps('[["x","h","both",null,100000,7]]')).toEqual([expansion()]);
});

test('a group is taken apart alone, and goes with the expansions', () => {
  const steps = [expansion(), group([outA, inB])];
  const ungroup = (key: GroupKey): Step => ({ do: 'ungroup', id: 'h', group: key });
  expect(simpleSteps([...steps, ungroup(outA)])).toEqual([expansion(), group([inB])]);
  expect(simpleSteps([...steps, ungroup(outA), ungroup(inB)])).toEqual([expansion()]);
  expect(simpleSteps([...steps, { do: 'collapse', id: 'h' }])).toEqual([]);
});

test('an expansion is superseded by a larger one of the same kind', () => {
  const [small, large] = [expansion({ type: 'R', limit: 25 }), expansion({ type: 'R', limit: 50 })];
  expect([
    isSuperseded(small, [small, large]),
    isSuperseded(large, [small, large]),
    isSuperseded(small, [small, expansion({ type: 'S', limit: 50 })]),
  ]).toEqual([true, false, false]);
});
