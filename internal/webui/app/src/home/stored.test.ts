// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { forgetNames, nameOfOpened, readStored, recordOpened, toggleFavourite } from './stored';

beforeEach(() => localStorage.clear());

test('favourites are kept for each user, and a second click removes one', () => {
  toggleFavourite('1', { kind: 'node', type: 'Film' });
  toggleFavourite('1', { kind: 'edge', type: 'Film' });
  expect(readStored('1').favourites).toEqual([
    { kind: 'node', type: 'Film' },
    { kind: 'edge', type: 'Film' },
  ]);
  expect(readStored('2').favourites).toEqual([]);
  expect(toggleFavourite('1', { kind: 'node', type: 'Film' })).toEqual([{ kind: 'edge', type: 'Film' }]);
});

test('the entities opened last are few, each once, and stored without their names', () => {
  for (let i = 0; i < 10; i++) recordOpened('1', { kind: 'node', id: `n${i}`, type: 'Film' }, `Secret ${i}`);
  recordOpened('1', { kind: 'node', id: 'n5', type: 'Film' }, 'Secret 5');
  const { opened } = readStored('1');
  expect(opened.map((o) => o.id)).toEqual(['n5', 'n9', 'n8', 'n7', 'n6', 'n4', 'n3', 'n2']);
  expect(localStorage.getItem('graphrest.home.1')).not.toContain('Secret');
  expect(nameOfOpened(opened[0]!)).toBe('Secret 5');
  forgetNames();
  expect(nameOfOpened(opened[0]!)).toBeUndefined();
});

test('what cannot be read is left out', () => {
  localStorage.setItem('graphrest.home.1', '{"favourites":[{"kind":"x","type":"A"},{"kind":"node","type":1}],"opened":7}');
  expect(readStored('1')).toEqual({ favourites: [], opened: [] });
  localStorage.setItem('graphrest.home.1', 'no JSON');
  expect(readStored('1').opened).toEqual([]);
});
