import { expect, test } from 'vitest';
import type { ChangeSet, DiffEntity, EntityState } from './changesets';
import { decisionsOf } from './decisions';
import { describeOperations, diffGraph, diffItems, diffValues, entityName, nodeNames, summarize, unknownEnds } from './diff';
import { proposalOf } from './editing';
import type { Operation } from './operations';

const node = (name: string): EntityState => ({ type: 'Person', labels: ['Person'], properties: { name } });
const edge = (source_id: EntityState['source_id'], target_id: EntityState['target_id']): EntityState => ({
  type: 'KNOWS',
  source_id,
  target_id,
  properties: {},
});
const entity = (of: Partial<DiffEntity>): DiffEntity => ({
  kind: 'node',
  operation: 0,
  type: 'Person',
  status: 'unchanged',
  before: null,
  after: null,
  conflict: null,
  ...of,
});

const operations: Operation[] = [
  { op: 'create_node', ref: 'new-1', type: 'Person', properties: { name: 'Eve' } },
  { op: 'create_edge', ref: 'new-2', type: 'KNOWS', source_id: { ref: 'new-1' }, target_id: 'ann' },
  { op: 'update_node', id: 'bob', properties: { name: 'Bob', age: null }, if_match: 'old' },
  { op: 'delete_node', id: 'bob', detach: true, if_match: 'old' },
  { op: 'update_node', id: 'gone', properties: { x: 1n } },
];
const conflict = { field: 'operations[2]', id: 'bob', expected: 'old', found: 'new', message: 'was changed since' };
const diff = {
  entities: [
    entity({ ref: 'new-1', status: 'added', after: node('Eve') }),
    entity({ kind: 'edge', ref: 'new-2', operation: 1, type: 'KNOWS', status: 'added', after: edge({ ref: 'new-1' }, 'ann') }),
    entity({ id: 'bob', operation: 2, status: 'removed', before: { ...node('Bobby'), properties: { name: 'Bobby', age: 7n } }, conflict }),
    entity({ kind: 'edge', id: 'k1', operation: 3, type: 'KNOWS', status: 'removed', before: edge('bob', 'carl') }),
    entity({ kind: 'edge', id: 'k2', operation: 3, type: 'KNOWS', status: 'removed', before: edge('bob', 'bob') }),
    entity({
      id: 'gone',
      operation: 4,
      type: null,
      conflict: { ...conflict, field: 'operations[4]', id: 'gone', found: null, message: 'does not exist' },
    }),
  ],
  violations: [{ field: 'operations[2].properties.age', message: 'is required' }],
};
const items = diffItems(diff, operations);
const names = nodeNames(diff.entities, [['ann', 'Ann']]);

test('edges that go with a node are with its entity, also if an earlier operation changed it', () => {
  expect(items.map((item) => [item.entity.id ?? item.entity.ref, item.deletedEdges.length, item.violations.length])).toEqual([
    ['new-1', 0, 0],
    ['new-2', 0, 0],
    ['bob', 2, 1],
    ['gone', 0, 0],
  ]);
  expect(summarize(items)).toBe('2 added, 1 removed, 2 edges deleted with nodes');
});

test('a conflict of an edge that goes with a node is shown with the edge', () => {
  const edges = diff.entities.map((one) =>
    one.id === 'k1'
      ? { ...one, conflict: { ...conflict, field: 'operations[5]', id: 'k1', message: 'is deleted by an earlier operation' } }
      : one,
  );
  const found = diffItems({ ...diff, entities: edges }, [...operations, { op: 'delete_edge', id: 'k1' }]);
  expect(found.map((item) => [item.entity.id, item.deletedEdges.length])).toContainEqual(['k1', 0]);
});

test('entities are named by their captions, edges by their ends', () => {
  expect(diff.entities.map((one) => entityName(one, names))).toEqual([
    'Eve',
    'KNOWS: Eve → Ann',
    'Bobby',
    'KNOWS: Bobby → carl',
    'KNOWS: Bobby → Bobby',
    'gone',
  ]);
  expect(unknownEnds(diff.entities)).toEqual(['ann', 'carl']);
});

test('values are compared with their types', () => {
  const values = diffValues(
    entity({ before: { type: 'T', properties: { a: 1n, b: 1n, c: 'x' } }, after: { type: 'T', properties: { a: 1, b: 1n, d: true } } }),
  );
  expect(values.map(({ name, differs }) => [name, differs])).toEqual([
    ['a', true],
    ['b', false],
    ['c', true],
    ['d', true],
  ]);
});

test('the graph has the ends of edges, and not what does not exist', () => {
  const graph = diffGraph(diff.entities, names, 100);
  expect(graph.nodes.map(({ name, status }) => [name, status])).toEqual([
    ['Eve', 'added'],
    ['Bobby', 'removed'],
    ['Ann', 'context'],
    ['carl', 'context'],
  ]);
  expect(graph.edges.map(({ source, target, status }) => [source, target, status])).toEqual([
    ['node ref new-1', 'node id ann', 'added'],
    ['node id bob', 'node id carl', 'removed'],
    ['node id bob', 'node id bob', 'removed'],
  ]);
  expect(diffGraph(diff.entities, names, 2).omitted).toBe(3);
});

test('operations are shown with the values before', () => {
  const rows = describeOperations(operations, items, names);
  expect(rows[2]).toMatchObject({ name: 'Bobby', type: 'Person', before: { properties: { name: 'Bobby', age: 7n } } });
  expect(rows[4]).toMatchObject({ name: 'gone', type: null });
});

const changeSet = { id: 'c1', title: 'T', description: '', status: 'open', author_id: 'ann', operations } as ChangeSet;

test('who edits a change set bases operations with conflicts on the current versions', () => {
  const { items: collected, changeSet: edited } = proposalOf(changeSet, '"1.0"', diff);
  expect(edited).toEqual({ id: 'c1', etag: '"1.0"' });
  expect(collected.map(({ operation }) => ('if_match' in operation ? operation.if_match : undefined))).toEqual([
    undefined,
    undefined,
    'new',
    'old',
    undefined,
  ]);
});

const user = (id: string, ...permissions: ('read' | 'create' | 'edit' | 'delete')[]) => ({
  id,
  effective: { node: permissions, edge: permissions },
  self_approval: false,
});
const all = ['read', 'create', 'edit', 'delete'] as const;

test.each([
  ['the author', 'open', user('ann', ...all), ['edit', 'withdraw'], /Somebody else must approve/],
  ['another user', 'open', user('bob', ...all), ['approve', 'reject'], /^$/],
  [
    'a user without all permissions',
    'open',
    user('bob', 'read', 'edit'),
    [],
    /To approve it, you need the permissions create and delete\./,
  ],
  ['an author who may approve', 'open', { ...user('ann', ...all), self_approval: true }, ['approve', 'reject', 'edit', 'withdraw'], /^$/],
  ['the author of an approved one', 'approved', user('ann', ...all), ['apply', 'edit', 'withdraw'], /^$/],
  ['a user of an applied one', 'applied', user('bob', ...all), ['undo'], /^$/],
  ['an editor of an applied one', 'applied', user('bob', 'read', 'edit'), [], /^$/],
  [
    'a user who may change nodes only',
    'approved',
    { ...user('bob'), effective: { node: [...all], edge: [] } },
    [],
    /To apply it, you need the/,
  ],
  ['the author of a rejected one', 'rejected', user('ann', ...all), [], /^$/],
] as const)('the decisions of %s that is %s', (_, status, me, expected, hint) => {
  const { hint: shown, ...may } = decisionsOf({ ...changeSet, status }, me);
  expect(
    Object.entries(may)
      .filter(([, allowed]) => allowed)
      .map(([name]) => name),
  ).toEqual(expected);
  expect(shown).toMatch(hint);
});
