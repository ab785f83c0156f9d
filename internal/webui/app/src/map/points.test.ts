import { expect, test } from 'vitest';
import type { Row } from '../explore/lists';
import { boxAround, boxOf, earth, isInside, mayBeOnEarth, moved, placesOf, pointProperties, zoomed } from './points';

const point = (text: string) => ({ $type: 'Point' as const, _value: text });
const row = (id: string, properties: Row['properties']): Row => ({ id, type: 'Port', labels: ['Port'], properties });
const rows = [
  row('a', { at: point('SRID=4326;POINT (10 54)'), plan: point('SRID=7203;POINT (1 2)') }),
  row('b', { at: point('SRID=4979;POINT Z (-20 -10 5)'), home: point('SRID=4326;POINT (0 0)') }),
  row('c', { at: 'Kiel' }),
];

test('points on the earth are found by property, the south at the bottom', () => {
  expect(pointProperties(rows)).toEqual(['at', 'home']);
  expect(placesOf(rows, 'at').map(({ row: { id }, x, y }) => [id, x, y])).toEqual([
    ['a', 10, -54],
    ['b', -20, 10],
  ]);
});

test('a map is offered unless all points are elsewhere', () => {
  expect(mayBeOnEarth(rows)).toBe(true);
  expect(mayBeOnEarth([row('d', { name: 'Kiel' })])).toBe(true);
  expect(mayBeOnEarth([row('e', { seat: point('SRID=7203;POINT (1 2)') })])).toBe(false);
});

test('the box has all points, and no zoom or move leaves the earth', () => {
  const places = placesOf(rows, 'at');
  const box = boxAround(places);
  expect(places.every((place) => isInside(box, place))).toBe(true);
  expect(box.width).toBe(box.height * 2);
  expect(boxAround([])).toEqual(earth);
  expect(zoomed(box, 1000)).toEqual(earth);
  expect(moved(zoomed(earth, 0.5), 500, -500)).toEqual({ x: 0, y: -90, width: 180, height: 90 });
});

test('a rectangle has the points between its corners', () => {
  expect(placesOf(rows, 'at').filter((place) => isInside(boxOf({ x: 20, y: -60 }, { x: 0, y: -50 }), place))).toHaveLength(1);
});
