import { expect, test, vi } from 'vitest';
import { explorePath, parseView } from './url';

vi.mock('react-router', () => ({}));

test('the end of edges is kept in the address of a list of edges, and no other', () => {
  const kept = (kind: 'node' | 'edge') => parseView(new URLSearchParams(explorePath({ kind, end: 'n1' }).split('?')[1])).end;
  expect([kept('edge'), kept('node')]).toEqual(['n1', '']);
});

test.each([[['p:name', 'id']], [['p:a,b', 'p:c']], [['p:[x']], [null]])('the columns %j are kept in the address', (columns) => {
  expect(parseView(new URLSearchParams(explorePath({ columns }).split('?')[1])).columns).toEqual(columns);
});
