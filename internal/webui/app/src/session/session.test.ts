import { expect, test } from 'vitest';
import { permissionsOf, type Me } from './session';

const me: Me = {
  id: 'u',
  username: 'bob',
  permissions: [],
  roles: ['team'],
  effective: { node: ['read', 'edit'], edge: [] },
  admin: false,
  self_approval: false,
};

test('roles add rights for nodes and edges', () => {
  const may = permissionsOf(me);
  expect([may.see, may.node.read, may.node.edit, may.node.create, may.edge.read]).toEqual([true, true, true, false, false]);
  expect(may.admin).toBe(false);
});

test('without rights, and before the login, nothing is offered', () => {
  for (const may of [permissionsOf(null), permissionsOf({ ...me, effective: { node: [], edge: [] } })])
    expect([may.see, may.node.read, may.edge.create]).toEqual([false, false, false]);
});
