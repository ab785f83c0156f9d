// The points of a list, and the part of the earth that a map shows, in degrees with the south at the bottom.
import type { Row } from '../explore/lists';
import { isOnEarth, parsePoint } from '../values/parts';
import { isTagged, type Value } from '../values/value';

export interface Place {
  row: Row;
  x: number;
  y: number;
}

function placeOf(value: Value | undefined): [number, number] | null {
  if (value === undefined || Array.isArray(value) || !isTagged(value) || value.$type !== 'Point') return null;
  const { system, coordinates } = parsePoint(value._value);
  const [longitude, latitude] = coordinates.map(Number) as [number, number];
  return isOnEarth(system) && Number.isFinite(longitude) && Number.isFinite(latitude) ? [longitude, -latitude] : null;
}

/** The properties of rows that have a point on the earth, the most frequent first. */
export function pointProperties(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  for (const { properties } of rows)
    for (const [name, value] of Object.entries(properties)) if (placeOf(value)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([name]) => name);
}

const isPoint = (value: Value) => !Array.isArray(value) && isTagged(value) && value.$type === 'Point';

/** Whether a map can show points of rows such as these: not if they have points, but none on the earth. */
export const mayBeOnEarth = (rows: readonly Row[]): boolean =>
  pointProperties(rows).length > 0 || !rows.some(({ properties }) => Object.values(properties).some(isPoint));

export function placesOf(rows: readonly Row[], property: string): Place[] {
  return rows.flatMap((row) => {
    const place = placeOf(Object.hasOwn(row.properties, property) ? row.properties[property] : undefined);
    return place ? [{ row, x: place[0], y: place[1] }] : [];
  });
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const earth: Box = { x: -180, y: -90, width: 360, height: 180 };

/** A box of the shape of the earth that has all places, with a margin. */
export function boxAround(places: readonly Place[]): Box {
  if (places.length === 0) return earth;
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, right] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  const [top, bottom] = [ys.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.max(a, b))];
  return zoomed({ x: left, y: top, width: right - left, height: bottom - top }, 1.2);
}

/** The box with another size around its middle, in the shape of the earth and not beyond it. */
export function zoomed({ x, y, width, height }: Box, factor: number): Box {
  const next = Math.min(earth.width, Math.max(1, Math.max(width, height * 2) * factor));
  return moved({ x: x + width / 2 - next / 2, y: y + height / 2 - next / 4, width: next, height: next / 2 }, 0, 0);
}

export function moved(box: Box, dx: number, dy: number): Box {
  const between = (n: number, min: number, max: number) => Math.min(Math.max(n, min), max);
  return {
    ...box,
    x: between(box.x + dx, earth.x, earth.x + earth.width - box.width),
    y: between(box.y + dy, earth.y, earth.y + earth.height - box.height),
  };
}

/** The box between two corners. */
export const boxOf = (a: { x: number; y: number }, b: { x: number; y: number }): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

export const isInside = (box: Box, { x, y }: Place) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
