import cytoscape from 'cytoscape';
import { expect, test } from 'vitest';
import { canvasShape, clipPath, shapes } from './shapes';

interface Renderer {
  registerNodeShapes: () => void;
  nodeShapes: { makePolygon: (points: number[]) => { checkPoint: (...of: number[]) => boolean } };
}

/** The hit test of the library, without a page. */
const { prototype } = (cytoscape as unknown as (kind: string, name: string) => { prototype: Renderer })('renderer', 'base');
const renderer = Object.create(prototype) as Renderer;
renderer.registerNodeShapes();

test.each(shapes.filter((shape) => shape !== null).map((shape) => [clipPath(shape), shape] as const))(
  'a click on either axis of a node hits it: %s',
  (_, shape) => {
    const drawn = renderer.nodeShapes.makePolygon(canvasShape(shape).corners!.split(' ').map(Number));
    const isHit = (x: number, y: number) => drawn.checkPoint(x, y, 0, 40, 40, 0, 0);
    for (const [x, y] of [
      [0, 0],
      ...[-10, -5, -1, 1, 5, 10].flatMap((at) => [
        [at, 0],
        [0, at],
      ]),
    ] as const)
      // prettier-ignore
      expect([x, y, isHit(x!, y!)]).toEqual([x, y, true]);
    for (const [x, y] of [
      [0, 21],
      [21, 0],
      [0, -21],
      [-21, 0],
    ] as const)
      // prettier-ignore
      expect([x, y, isHit(x, y)]).toEqual([x, y, false]);
  },
);
