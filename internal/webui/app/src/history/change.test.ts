import { expect, test } from 'vitest';
import { groupByRequest, namesOf, summaryOf, mayUndo, undoTargetOf, valueChanges } from './change';
import type { Change } from './history';

let nextId = 0;
const change = (of: Partial<Change>): Change => ({
  id: `c${nextId++}`,
  at: '2026-11-22T07:00:00.000000Z',
  user: 'ann',
  request_id: 'r1',
  action: 'update',
  kind: 'node',
  entity: '01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d',
  type: 'Person',
  before: null,
  after: null,
  cause: null,
  gap: false,
  ...of,
});

test('an update has the changed values only, and null is an absent value', () => {
  const update = change({
    before: { properties: { born: 1960n, name: 'Ann', email: null } },
    after: { properties: { born: 1960, name: null, email: 'x' } },
  });
  expect(valueChanges(update)).toEqual([
    { name: 'name', before: 'Ann', after: undefined },
    { name: 'born', before: 1960n, after: 1960 },
    { name: 'email', before: undefined, after: 'x' },
  ]);
});

test('a delete has all values before, and names of built-in object members are ordinary names', () => {
  const properties = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
  expect(valueChanges(change({ action: 'delete', before: { properties } }))).toEqual([
    { name: '__proto__', before: 'a', after: undefined },
    { name: 'constructor', before: 'b', after: undefined },
  ]);
});

test('entities are named by the newest caption among their changes', () => {
  const [year, title, create] = [
    change({ before: { properties: { born: 1n } }, after: { properties: { born: 2n } } }),
    change({ before: { properties: { title: 'A' } }, after: { properties: { title: 'B' } } }),
    change({ action: 'create', after: { properties: { title: 'A' } } }),
  ];
  expect([...namesOf([year, title, create]).values()]).toEqual(['B']);
  expect([...namesOf([year])]).toEqual([]);
});

test('an edge is named by its ends if the changes have them', () => {
  const node = (entity: string, name: string) => change({ action: 'create', entity, after: { properties: { name } } });
  const edge = change({
    action: 'create',
    kind: 'edge',
    entity: 'e',
    type: 'KNOWS',
    after: { source_id: 'a', target_id: 'b', properties: {} },
  });
  expect(namesOf([edge, node('a', 'Ann'), node('b', 'Ben')]).get('e')).toBe('KNOWS: Ann → Ben');
  expect(namesOf([edge, node('a', 'Ann')]).has('e')).toBe(false);
});

test('changes of one request are one group, and changes without a request are alone', () => {
  const [a, b, c, d] = [change({ request_id: 'r2' }), change({}), change({ request_id: 'r2' }), change({ request_id: null })];
  expect(groupByRequest([a, b, c, d]).map((group) => group.changes)).toEqual([[a, c], [b], [d]]);
});

test('the changes of an import are one group, of however many requests', () => {
  const [a, b, c] = [
    change({ request_id: 'r1', cause: { import: 'r9' } }),
    change({ request_id: 'r2', cause: { import: 'r9' } }),
    change({ request_id: 'r2' }),
  ];
  expect(groupByRequest([a, b, c]).map((group) => group.changes)).toEqual([[a, b], [c]]);
});

test('an import is undone as an import, others by request or change', () => {
  expect(undoTargetOf([change({ cause: { import: 'r9' } })])).toEqual({ import: 'r9' });
  expect(undoTargetOf([change({}), change({})])).toEqual({ request_id: 'r1' });
  const alone = change({ request_id: null });
  expect(undoTargetOf([alone])).toEqual({ change: alone.id });
});

test('a group is summed up, and undoing it needs the reverse rights', () => {
  const group = [
    change({ action: 'delete', kind: 'edge' }),
    change({ action: 'delete', kind: 'edge' }),
    change({ action: 'delete' }),
    change({ action: 'create' }),
  ];
  expect(summaryOf(group)).toBe('1 node created, 1 node deleted, 2 edges deleted');
  const rights = (...given: string[]) => ({ read: true, create: given.includes('create'), edit: false, delete: given.includes('delete') });
  expect(mayUndo(group, { node: rights('create', 'delete'), edge: rights('create') })).toBe(true);
  expect(mayUndo(group, { node: rights('create', 'delete'), edge: rights('delete') })).toBe(false);
  expect(mayUndo(group, { node: rights('create'), edge: rights('create') })).toBe(false);
});
