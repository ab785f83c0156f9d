import { expect, test, vi } from 'vitest';
import { explorePath, parseView } from './url';

vi.mock('react-router', () => ({}));

test.each([[['p:name', 'id']], [['p:a,b', 'p:c']], [['p:[x']], [null]])('the columns %j are kept in the address', (columns) => {
  expect(parseView(new URLSearchParams(explorePath({ columns }).split('?')[1])).columns).toEqual(columns);
});
