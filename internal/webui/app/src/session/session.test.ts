import { expect, test } from 'vitest';
import { mayLoadSample, permissionsOf, type Me } from './session';

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

test('a sample graph is for administrators who see all of an empty graph, not by grants of roles', () => {
  const granted: Me = { ...me, admin: true, effective: { node: ['read', 'create'], edge: ['read', 'create'] } };
  expect([null, me, granted, { ...granted, permissions: ['create'] } satisfies Me].map(mayLoadSample)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(mayLoadSample({ ...granted, permissions: ['read'] })).toBe(false);
  expect(mayLoadSample({ ...granted, permissions: ['read', 'create'] })).toBe(true);
  expect(mayLoadSample({ ...granted, permissions: ['read', 'create'], admin: false })).toBe(false);
});
