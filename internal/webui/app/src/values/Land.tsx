// The land of the earth: Natural Earth 1:110m, in the public domain, as world-atlas has it. Loaded when a map is first shown.
import { arcs, objects, transform } from 'world-atlas/land-110m.json';

/** The places of an arc, each of which is given as the difference from the one before it. */
function placesOf(arc: number[][]): [number, number][] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx!;
    y += dy!;
    return [x * transform.scale[0]! + transform.translate[0]!, y * transform.scale[1]! + transform.translate[1]!];
  });
}

const places = arcs.map(placesOf);

/** A ring of arcs; the number of a reversed arc is the complement. */
const ringOf = (ring: number[]) => ring.flatMap((index) => (index < 0 ? places[~index]!.toReversed() : places[index]!));

/** The ring with longitudes beyond 180 degrees where it crosses that meridian, so that no line goes around the earth. */
function unrolled(ring: [number, number][]): [number, number][] {
  let turn = 0;
  return ring.map(([longitude, latitude], index) => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turn += step < 0 ? 360 : -360;
    return [longitude + turn, latitude];
  });
}

function pathOf(arcsOfRing: number[]): string {
  const ring = unrolled(ringOf(arcsOfRing));
  const [first, last] = [ring[0]![0], ring.at(-1)![0]];
  // The one ring around a pole is that of Antarctica.
  if (Math.abs(last - first) > 180) ring.push([last, -90], [first, -90]);
  const turns = ring.some(([longitude]) => Math.abs(longitude) > 180) ? [-360, 0, 360] : [0];
  return turns
    .map((turn) => `M${ring.map(([longitude, latitude]) => `${(longitude + turn).toFixed(2)},${(-latitude).toFixed(2)}`).join('L')}Z`)
    .join('');
}

const path = objects.land.geometries
  .flatMap((geometry) => geometry.arcs)
  .flatMap((polygon) => polygon.map(pathOf))
  .join('');

export default function Land() {
  return <path className="land" d={path} fillRule="evenodd" />;
}
