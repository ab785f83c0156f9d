// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import { session } from '../session/session';
import type { Operation } from './operations';
import { endOf, findProposed, proposal, withOperation, withoutOperation, type ProposedOperation } from './proposal';

const item = (operation: Operation): ProposedOperation => ({ operation, name: 'x', type: 'T' });
const update = (id: string, properties: object) => item({ op: 'update_node', id, properties: properties as never, if_match: '"1"' });
const collect = (...items: ProposedOperation[]) => items.reduce<ProposedOperation[]>(withOperation, []).map(({ operation }) => operation);
const logIn = (id: string) => ((session as unknown as { state: object }).state = { ...session.getState(), me: { id } });

afterEach(() => proposal.clear());

test('a later edit of an entity replaces the earlier one in its place', () => {
  const operations = collect(update('a', { x: 1n }), update('b', { x: 2n }), update('a', { y: 3n }));
  expect(operations).toMatchObject([{ id: 'a', properties: { y: 3n } }, { id: 'b' }]);
});

test('an edit back to the current values removes the operation', () => {
  expect(collect(update('a', { x: 1n }), update('a', {}))).toEqual([]);
});

test('a deletion replaces an edit; a node and an edge with the same id are different', () => {
  const operations = collect(
    update('a', { x: 1n }),
    item({ op: 'update_edge', id: 'a', properties: {} as never }),
    item({ op: 'update_edge', id: 'a', properties: { z: true } }),
    item({ op: 'delete_node', id: 'a', detach: true }),
  );
  expect(operations).toMatchObject([{ op: 'update_edge' }, { op: 'delete_node' }]);
});

test('operations on edges come before deletions of nodes, which may take the edges along', () => {
  const operations = collect(
    item({ op: 'delete_node', id: 'n', detach: true }),
    item({ op: 'delete_edge', id: 'e' }),
    update('m', { x: 1n }),
  );
  expect(operations.map(({ op }) => op)).toEqual(['delete_edge', 'delete_node', 'update_node']);
});

test('without a new node, the edges to it are removed too', () => {
  const node = item({ op: 'create_node', ref: 'new-1', type: 'T', properties: {} });
  const items = [
    node,
    item({ op: 'create_edge', ref: 'new-2', type: 'E', source_id: { ref: 'new-1' }, target_id: 'n' }),
    update('n', { x: 1n }),
  ];
  expect(withoutOperation(items, node)).toEqual([items[2]]);
  expect(endOf(items, 'new-1')).toEqual({ ref: 'new-1' });
  expect(endOf(items, 'new-2')).toBe('new-2');
});

test('operations survive a reload with exact values, and belong to their user', () => {
  logIn('ann');
  const properties = { count: 9007199254740993n, ratio: 1, born: { $type: 'Date', _value: '2024-05-01' }, list: [1n, 2n] };
  proposal.update({ active: true, title: 'Counts' });
  proposal.add({ ...update('a', properties), before: { properties: { count: 1n } } });
  logIn('bob');
  expect(proposal.get()).toMatchObject({ active: false, items: [] });
  logIn('ann');
  const { active, title, items } = proposal.get();
  expect({ active, title }).toEqual({ active: true, title: 'Counts' });
  expect(findProposed(items, 'node', 'a')).toMatchObject({
    operation: { properties, if_match: '"1"' },
    before: { properties: { count: 1n } },
  });
  proposal.clear();
  expect(sessionStorage.getItem('graphrest.proposal')).toBeNull();
});
