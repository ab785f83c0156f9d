import { expect, test } from 'vitest';
import { placeInLevels } from './levels';

const tree = {
  ids: ['root', 'a', 'b', 'a1', 'a2', 'b1', 'other', 'end'],
  edges: [
    ['root', 'b'],
    ['root', 'a'],
    ['b', 'b1'],
    ['a', 'a1'],
    ['a', 'a2'],
    ['other', 'end'],
  ] as [string, string][],
  roots: [],
};

test('a hierarchy goes down along the edges, and its edges do not cross', () => {
  const at = placeInLevels(tree, 'hierarchical');
  expect(at.get('root')!.y).toBeLessThan(at.get('a')!.y);
  expect(at.get('a')!.y).toBe(at.get('b')!.y);
  expect(at.get('a')!.y).toBeLessThan(at.get('a1')!.y);
  const isLeft = (one: string, two: string) => at.get(one)!.x < at.get(two)!.x;
  expect(isLeft('b', 'a')).toBe(isLeft('b1', 'a1'));
  expect(isLeft('root', 'other')).toBe(true);
  expect(new Set([...at.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(tree.ids.length);
});

test('a level in several rows stays near the level before, in the last row too', () => {
  const hubs = Array.from({ length: 12 }, (_, i) => `hub ${i}`);
  const leaves = Array.from({ length: 301 }, (_, i) => `leaf ${i}`);
  const edges = [...hubs.map((hub) => ['root', hub]), ...leaves.map((leaf, i) => [hubs[i % 12], leaf])] as [string, string][];
  const at = placeInLevels({ ids: ['root', ...hubs, ...leaves], edges, roots: [] }, 'hierarchical');
  const xs = [...at.values()].map(({ x }) => x);
  const width = Math.max(...xs) - Math.min(...xs);
  const middle = (Math.max(...xs) + Math.min(...xs)) / 2;
  // Leaves of the hubs at the left are at the left, and so on: they have the order of the hubs.
  const order = hubs.toSorted((a, b) => at.get(a)!.x - at.get(b)!.x);
  for (const [i, leaf] of leaves.entries()) {
    const place = (order.indexOf(hubs[i % 12]!) + 0.5) / 12 - 0.5;
    expect(Math.abs(at.get(leaf)!.x - middle - place * width)).toBeLessThan(0.12 * width);
  }
  expect(new Set([...at.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(at.size);
});

test('a radial layout begins at what is selected', () => {
  const at = placeInLevels({ ...tree, roots: ['a1'] }, 'radial');
  const distance = (id: string) => Math.round(Math.hypot(at.get(id)!.x - at.get('a1')!.x, at.get(id)!.y - at.get('a1')!.y));
  expect([distance('a'), distance('root'), distance('b')]).toEqual([170, 340, 510]);
  expect(distance('a2')).toBe(distance('root'));
});

test.each(['hierarchical', 'radial'] as const)('many components of a %s layout stand in rows, and do not cover each other', (kind) => {
  const ids = Array.from({ length: 300 }, (_, i) => `n${i}`);
  const edges = Array.from({ length: 100 }, (_, i) => [`n${3 * i}`, `n${3 * i + 1}`]).concat(
    Array.from({ length: 100 }, (_, i) => [`n${3 * i}`, `n${3 * i + 2}`]),
  ) as [string, string][];
  const at = placeInLevels({ ids, edges, roots: [] }, kind);
  const [xs, ys] = [[...at.values()].map(({ x }) => x), [...at.values()].map(({ y }) => y)];
  const ratio = (Math.max(...xs) - Math.min(...xs)) / (Math.max(...ys) - Math.min(...ys));
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(3);
  const boxes = Array.from({ length: 100 }, (_, i) => {
    const own = [0, 1, 2].map((k) => at.get(`n${3 * i + k}`)!);
    const [x, y] = [own.map((place) => place.x), own.map((place) => place.y)];
    return { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
  });
  const covering = boxes.flatMap((a, i) =>
    boxes.slice(i + 1).filter((b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom),
  );
  expect(covering).toEqual([]);
});
