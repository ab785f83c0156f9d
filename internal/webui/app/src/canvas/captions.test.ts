import { expect, test } from 'vitest';
import { chooseCaptions, type Candidate } from './captions';

const at = (id: string, x: number, y: number, priority = 0): Candidate => ({ id, box: { x1: x, y1: y, x2: x + 80, y2: y + 14 }, priority });

test('captions that are shown do not cover each other, and the important ones are among them', () => {
  const all = Array.from({ length: 2000 }, (_, i) => at(`n${i}`, (i * 7919) % 1300, (i * 104729) % 700, i % 97));
  all.push(at('selected', 640, 350, 1e6));
  const chosen = chooseCaptions(all);
  const boxes = all.filter(({ id }) => chosen.has(id)).map(({ box }) => box);
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1)) expect(a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2).toBe(false);
  expect(chosen).toContain('selected');
  expect(boxes.length).toBeGreaterThan(200); // a fifth of the area
  // A caption is left out only because a more important one is in its place.
  for (const { id, box, priority } of all) {
    if (chosen.has(id)) continue;
    const before = all.filter((other) => chosen.has(other.id) && other.priority >= priority).map((other) => other.box);
    expect(before.some((b) => box.x1 < b.x2 && b.x1 < box.x2 && box.y1 < b.y2 && b.y1 < box.y2)).toBe(true);
  }
});

test('a caption covers the circles of less important nodes only', () => {
  const node = { x1: 30, y1: 0, x2: 50, y2: 20 };
  const hub = { ...at('hub', 0, 5, 9), node: { x1: 30, y1: -20, x2: 50, y2: 0 } };
  expect([...chooseCaptions([hub, { ...at('leaf', 0, 400, 1), node }])]).toEqual(['hub', 'leaf']);
  expect([
    ...chooseCaptions([
      { ...at('leaf', 0, 5, 1), node: hub.node },
      { ...at('other', 0, 400, 1), node },
    ]),
  ]).toEqual(['other']);
});
