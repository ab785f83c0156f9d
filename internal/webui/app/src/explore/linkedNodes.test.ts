import { beforeEach, expect, test, vi } from 'vitest';
import type { GraphNode, Schema } from '../api/graph';
import { matchRows } from '../api/match';
import { Problem } from '../api/problem';
import { chosenColumns, fieldsOf } from './columns';
import { offeredColumns } from './linkedColumns';
import { partsOf, readLinked } from './linkedNodes';
import { explorePath, parseView } from './url';

vi.mock('../api/graph', () => ({}));
vi.mock('react-router', () => ({}));
vi.mock('../api/match', async (original) => ({ nodeIdOf: (await original<typeof import('../api/match')>()).nodeIdOf, matchRows: vi.fn() }));
vi.mock('../api/client', () => ({}));

const asked = vi.mocked(matchRows);
beforeEach(() => void asked.mockReset());

const node = (id: string, name = id): GraphNode => ({ id, type: 'B', labels: ['B'], properties: { name } });
const cell = (id: string) => ({ $node: id });
const answer = (rows: unknown[][], nodes: GraphNode[] = []) => ({ rows, nodes: new Map(nodes.map((each) => [each.id, each])) });
const { signal } = new AbortController();
const hop = { edge: 'TO', direction: 'in', type: 'B' } as const;

test('few linked nodes are named, many counted, and rows without any have none', async () => {
  asked.mockResolvedValueOnce(
    answer([
      [cell('x'), 2n],
      [cell('y'), 13n],
    ]),
  );
  asked.mockResolvedValueOnce(
    answer(
      [
        [cell('x'), cell('2')],
        [cell('x'), cell('1')],
      ],
      [node('1', 'Ann'), node('2', 'Bob')],
    ),
  );
  const found = await readLinked({ hop }, ['x', 'y', 'z', 'x'], signal);
  expect([...found].map(([id, { count, nodes }]) => [id, count, nodes.map((each) => each.id)])).toEqual([
    ['x', 2, ['1', '2']],
    ['y', 13, []],
    ['z', 0, []],
  ]);
  const chain = (id: string[]) => [
    { as: 'a', id },
    { edge: 'TO', direction: 'in' },
    { as: 'b', type: 'B' },
  ];
  expect(asked.mock.calls.map(([question]) => question)).toEqual([
    { match: [chain(['x', 'y', 'z'])], group_by: ['a'], measures: [{ op: 'count' }] },
    { match: [chain(['x'])] },
  ]);
});

test('of more nodes the first three are named, and how many more there are is said', async () => {
  const nodes = ['Eve', 'Ann', 'Dan', 'Bob', 'Cem'].map((name, i) => node(String(i), name));
  asked.mockResolvedValueOnce(answer([[cell('x'), 5n]]));
  asked.mockResolvedValueOnce(
    answer(
      nodes.map(({ id }) => [cell('x'), cell(id)]),
      nodes,
    ),
  );
  const linked = (await readLinked({ hop }, ['x'], signal)).get('x')!;
  const [column] = offeredColumns(schema, 'node', 'A', null);
  expect(column!.linkedText!(linked)).toBe('Ann, Bob, Cem + 2 more');
  expect(column!.linkedText!({ count: 1204, nodes: [] })).toBe('1204');
});

test('a row whose id several nodes have says so, and the others are read', async () => {
  asked.mockRejectedValueOnce(new Problem('CONFLICT', 'The id "x" belongs to more than one node; use an element id', 409));
  asked.mockResolvedValueOnce(answer([[cell('y'), 1n]]));
  asked.mockResolvedValueOnce(answer([[cell('y'), cell('1')]], [node('1', 'Ann')]));
  const found = await readLinked({ hop }, ['x', 'y'], signal);
  const [column] = offeredColumns(schema, 'node', 'A', null);
  expect(['x', 'y'].map((id) => column!.linkedText!(found.get(id)!))).toEqual(['several nodes have this ID', 'Ann']);
  asked.mockRejectedValueOnce(new Problem('CONFLICT', 'Another conflict', 409));
  await expect(readLinked({ hop }, ['x', 'y'], signal)).rejects.toThrow('Another conflict');
});

test.each([
  ['a\u00a0b', 'a\\u00a0b'],
  ['a\u007fb', 'a\\x7fb'],
  ['"\\\n\v\u{e0001}\u{1f600}', '\\"\\\\\\n\\v\\U000e0001\u{1f600}'],
])('an id of several nodes is recognized as the service quotes it: %j', async (id, quoted) => {
  asked.mockRejectedValueOnce(new Problem('CONFLICT', `The id "${quoted}" belongs to more than one node; use an element id`, 409));
  asked.mockResolvedValueOnce(answer([[cell('y')]], [node('y')]));
  const found = await readLinked({}, [id, 'y'], signal);
  expect([found.get(id)!.shared, found.get('y')!.nodes.length]).toEqual([true, 1]);
});

test('the nodes at ends are read themselves, each once; hidden ones have no node', async () => {
  asked.mockResolvedValueOnce(answer([[cell('x')]], [node('x')]));
  const found = await readLinked({}, ['x', 'x', 'hidden'], signal);
  expect([found.get('x')!.nodes, found.get('hidden')!.nodes]).toEqual([[node('x')], []]);
  expect(asked.mock.calls.map(([question]) => question)).toEqual([{ match: [[{ as: 'a', id: ['x', 'hidden'] }]] }]);
});

test('an answer is never larger than a page', () => {
  const parts = partsOf(Array<number>(1000).fill(3), (size) => size);
  expect(parts.map((part) => part.length)).toEqual([333, 333, 333, 1]);
  expect(partsOf([], () => 1)).toEqual([]);
});

const property = (name: string, types = ['String']) => ({ name, types, presence: 1, indexed: false, unique: false });
const hostile = 'a:b,c[d]\n%"e';
const schema = {
  node_types: [
    { type: 'A', properties: [property('born', ['Integer'])] },
    { type: hostile, properties: [property(hostile), property('target:x')] },
  ],
  edge_types: [
    { type: 'TO', properties: [], connections: [{ source_type: 'A', target_type: hostile, count: 1 }] },
    {
      type: hostile,
      properties: [],
      connections: [
        { source_type: hostile, target_type: 'A', count: 2 },
        { source_type: 'A', target_type: null, count: 1 },
      ],
    },
  ],
} as unknown as Schema;

test('the schema offers linked nodes and properties of ends, whose keys survive the address', () => {
  const ofNodes = offeredColumns(schema, 'node', 'A', null);
  expect(ofNodes.map(({ title, group }) => [title, group])).toEqual([
    [`${hostile} ← ${hostile}`, 'Linked'],
    [`${hostile} → any node`, 'Linked'],
    [`TO → ${hostile}`, 'Linked'],
  ]);
  expect(ofNodes[2]!.reading!.hop).toEqual({ edge: 'TO', direction: 'out', type: hostile });
  const ofEdges = offeredColumns(schema, 'edge', 'TO', null);
  expect(ofEdges.map(({ title, sortName }) => [title, sortName])).toEqual([
    ['Source: born', 'source:born'],
    [`Target: ${hostile}`, `target:${hostile}`],
    ['Target: target:x', 'target:target:x'],
  ]);
  for (const columns of [ofNodes, ofEdges]) {
    const keys = columns.map((column) => column.key);
    const kept = parseView(new URLSearchParams(explorePath({ columns: keys }).split('?')[1])).columns;
    expect(chosenColumns(columns, kept)).toEqual(columns);
    expect(fieldsOf(kept)).toEqual(['label', 'name', 'title']);
    expect(chosenColumns(columns, ['gone'])).toEqual([]); // none of them unless it is chosen
  }
  expect(offeredColumns(schema, 'edge', null, ['source:x'])).toEqual([]);
});

test('what the schema shows nothing of is offered to any node, and a chosen key needs no schema', () => {
  const edge_types = [{ type: 'TO', count: null, properties: [], connections: [] }];
  const limited = { node_types: [], edge_types } as unknown as Schema;
  expect(offeredColumns(limited, 'node', 'A', null).map(({ title }) => title)).toEqual(['TO → any node', 'TO ← any node']);
  for (const columns of [offeredColumns(schema, 'node', 'A', null), offeredColumns(schema, 'edge', 'TO', null)]) {
    const kind = columns[0]!.group === 'Linked' ? 'node' : 'edge';
    const keys = columns.map(({ key }) => key);
    const made = offeredColumns(limited, kind, 'A', keys).slice(kind === 'node' ? 2 : 0);
    expect(made.map(({ key, title, reading }) => [key, title, reading!.hop])).toEqual(
      columns.map(({ key, title, reading }) => [key, title, reading!.hop]),
    );
  }
  expect(offeredColumns(limited, 'node', 'B', ['out:%', 'out:', 'in:a:b:c', 'p:x', 'source:x'])).toHaveLength(2);
  expect(offeredColumns(limited, 'edge', 'TO', ['source', 'p:x', 'out:TO'])).toEqual([]);
});
