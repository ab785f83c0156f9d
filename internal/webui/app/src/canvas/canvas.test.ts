import { expect, test, vi } from 'vitest';
import type { GraphEdge, GraphNode } from '../api/graph';
import { expansionOptions } from './expansion';
import { capacity, countByType, dropOthers, hiddenNodes, mergeFragments, withoutDropped } from './model';
import { addStep, removeSteps, parseSteps, serializeSteps, simpleSteps, type SimpleStep, type Step } from './steps';

vi.mock('../api/graph', () => ({}));

const node = (id: string, type: string | null = 'A', properties: GraphNode['properties'] = {}): GraphNode => ({
  id,
  type,
  labels: [],
  properties,
});
const edge = (id: string, source_id: string, target_id: string, type = 'R'): GraphEdge => ({
  id,
  type,
  source_id,
  target_id,
  properties: {},
});

test('serialized steps are parsed to the same steps', () => {
  const steps: Step[] = [
    { do: 'expand', id: 'a', direction: 'both', type: null },
    { do: 'expand', id: '4:x:1', direction: 'out', type: 'it"s ~ odd' },
    { do: 'hide', id: 'b' },
    { do: 'keep', ids: ['a', 'c'] },
    { do: 'discard', ids: ['b'] },
    { do: 'drop', kind: 'edge', type: 'R' },
    { do: 'add', ids: ['d'] },
    { do: 'add', list: 'type=A' },
    { do: 'add', question: '{}' },
    {
      do: 'together',
      steps: [
        { do: 'hide', id: 'e' },
        { do: 'hide', id: 'f' },
      ],
    },
    { do: 'path', id: 'a', to: 'c' },
    { do: 'collapse', id: 'z' },
    { do: 'ungroup', id: 'z', group: { direction: 'in', edgeType: 'R', type: null } },
  ];
  expect(parseSteps(serializeSteps(steps))).toEqual(steps);
  expect(simpleSteps([...steps, { do: 'collapse', id: 'a' }])).toHaveLength(11); // hide e and hide f one by one
});

test('what takes a step back is a step, unless nothing is there to take back', () => {
  const expansion: SimpleStep = { do: 'expand', id: 'a', direction: 'both', type: null };
  const collapse: SimpleStep = { do: 'collapse', id: 'a' };
  const hide: SimpleStep = { do: 'hide', id: 'b' };
  const collapsed = addStep([expansion, hide], collapse);
  expect(simpleSteps(collapsed)).toEqual([hide]);
  expect(collapsed.slice(0, -1)).toEqual([expansion, hide]);
  expect(addStep([hide], collapse)).toEqual([hide]);
  expect(simpleSteps(addStep([expansion, hide], expansion))).toEqual([hide, expansion]); // reads again what was dropped since
});

test('a hidden node comes back with a later path or addition, not with an expansion', () => {
  const hide: SimpleStep = { do: 'hide', id: 'b' };
  const hidden = (by: SimpleStep) => [...hiddenNodes([{ at: 1, nodes: [node('b')], edges: [] }], [hide, by])];
  expect(hidden({ do: 'path', id: 'a', to: 'c' })).toEqual([]);
  expect(hidden({ do: 'add', list: 'type=A' })).toEqual([]);
  expect(hidden({ do: 'expand', id: 'a', direction: 'both', type: null })).toEqual(['b']);
  expect([...hiddenNodes([{ at: 0, nodes: [node('b')], edges: [] }], [{ do: 'add', ids: ['b'] }, hide])]).toEqual(['b']);
});

test('cancelled steps are removed, others stay', () => {
  const steps: Step[] = [
    { do: 'hide', id: 'a' },
    { do: 'expand', id: 'a', direction: 'out', type: 'R' },
    { do: 'path', id: 'a', to: 'b' },
  ];
  expect(removeSteps(steps, [{ do: 'expand', id: 'a', direction: 'out', type: 'R' }])).toEqual([steps[0], steps[2]]);
});

test.each(['', '{', '[1,"x"]', '[["z","a"]]', '"x"', '[["x",5]]'])('the invalid steps %s are ignored', (text) =>
  expect(parseSteps(text)).toEqual([]),
);

test('the content has each entity once, no hidden node and no edge without both ends', () => {
  const content = mergeFragments(
    [
      { nodes: [node('a'), node('b')], edges: [edge('1', 'a', 'b'), edge('2', 'a', 'c')] },
      { nodes: [node('b'), node('c')], edges: [edge('1', 'a', 'b'), edge('3', 'b', 'c')] },
    ],
    new Set(['c']),
  );
  expect(content.nodes.map((n) => n.id)).toEqual(['a', 'b']);
  expect(content.edges.map((e) => e.id)).toEqual(['1']);
});

test('a full canvas counts what it omits', () => {
  const nodes = Array.from({ length: capacity + 5 }, (_, i) => node(`n${i}`));
  const content = mergeFragments([{ nodes, edges: [] }], new Set());
  expect(content.nodes).toHaveLength(capacity);
  expect(content.omitted).toBe(5);
});

test('the neighbors of an expansion are counted by type and direction', () => {
  const counts = [
    { edge_type: 'R', direction: 'out' as const, node_type: 'A', count: 2 },
    { edge_type: 'R', direction: 'out' as const, node_type: null, count: 1 },
    { edge_type: 'R', direction: 'in' as const, node_type: 'A', count: 4 },
  ];
  expect(expansionOptions({ id: 'a', total: 7, out: 3, in: 4, counts })).toEqual([
    { type: 'R', direction: 'in', count: 4 },
    { type: 'R', direction: 'out', count: 3 },
  ]);
});

test('entities are counted by type', () =>
  expect(countByType([node('a'), node('b'), node('c', 'B'), node('d', null)])).toEqual([
    [null, 1],
    ['A', 2],
    ['B', 1],
  ]));

test('what is dropped is what was there before; what is added later stays', () => {
  const first = { at: -1, nodes: [node('a', 'A'), node('b', 'B')], edges: [] };
  const later = { at: 2, nodes: [node('b2', 'B'), node('a', 'A')], edges: [] };
  const left = (steps: SimpleStep[]) => withoutDropped([first, later], steps).map(({ nodes }) => nodes.map(({ id }) => id));
  const add: SimpleStep = { do: 'add', ids: ['b2'] };
  expect(left([{ do: 'drop', kind: 'node', type: 'B' }, { do: 'keep', ids: ['b'] }, add])).toEqual([[], ['b2', 'a']]);
  expect(left([add, add, add, { do: 'keep', ids: ['a'] }])).toEqual([['a'], ['a']]);
});

test('a type of edges that is dropped comes back with what is added later', () => {
  const first = { at: -1, nodes: [node('a'), node('b')], edges: [] };
  const added = { at: 1, nodes: [node('c'), node('b')], edges: [edge('bc', 'b', 'c')] };
  const between = { at: -1, nodes: [], edges: [edge('ab', 'a', 'b'), edge('ca', 'c', 'a')] };
  const drop: SimpleStep = { do: 'drop', kind: 'edge', type: 'R' };
  const left = (steps: SimpleStep[]) => withoutDropped([first, added, between], steps).flatMap(({ edges }) => edges.map(({ id }) => id));
  expect(left([drop, { do: 'add', ids: ['c'] }])).toEqual(['bc', 'ca']);
  expect(left([{ do: 'hide', id: 'x' }, { do: 'add', ids: ['c'] }, drop])).toEqual([]);
});

test('only a type is kept: nodes without a label go too', () => {
  const steps = dropOthers('node', [node('a', 'A'), node('b', 'B'), node('c', null)], 'A');
  const [left] = withoutDropped([{ at: -1, nodes: [node('a', 'A'), node('b', 'B'), node('c', null)], edges: [] }], steps);
  expect(left?.nodes.map(({ id }) => id)).toEqual(['a']);
  expect(parseSteps(serializeSteps(steps))).toEqual(steps);
});
