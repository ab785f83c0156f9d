import { expect, test } from 'vitest';
import { parseViewAs, viewAsPath } from './viewAs';

test('a path names whom it views as', () => {
  for (const name of ['ann', 'a/b', 'Jörg: Ünal', '..', 'a.b', '100%']) {
    const path = viewAsPath({ kind: 'user', name });
    expect(parseViewAs(new URL(path, 'http://x').pathname)).toEqual({
      as: { kind: 'user', name },
      basename: path.slice(0, -'/explore'.length),
    });
  }
  expect(parseViewAs('/as/role:team').as).toEqual({ kind: 'role', name: 'team' });
});

test('other paths view as nobody', () => {
  for (const path of [
    '/',
    '/explore',
    '/as',
    '/as/',
    '/as/ann/explore',
    '/as/user:/explore',
    '/as/user:%zz/explore',
    '/x/as/user:ann',
    '/as/group:x/explore',
  ]) {
    expect(parseViewAs(path)).toEqual({ as: null, basename: '' });
  }
});
