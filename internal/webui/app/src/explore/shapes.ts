// The shapes of types, which differ for whoever does not see the colours: the same on the canvas, in legends and beside names.

/** The corners of a shape in a square from -1 to 1; null is a circle. */
type Corners = readonly (readonly [number, number])[] | null;

const corners = (text: string): Corners => text.split(', ').map((corner) => corner.split(' ').map(Number) as [number, number]);

export const shapes: readonly Corners[] = [
  null,
  corners('-0.86 -0.86, 0.86 -0.86, 0.86 0.86, -0.86 0.86'), // square
  corners('0 -1, 1 0, 0 1, -1 0'), // diamond
  corners('-0.5 -0.9, 0.5 -0.9, 1 0, 0.5 0.9, -0.5 0.9, -1 0'), // hexagon
  corners('0 -1, 1 0.8, -1 0.8'), // triangle
  corners('0 -1, 1 -0.25, 0.62 0.9, -0.62 0.9, -1 -0.25'), // pentagon
  corners('-1 -0.8, 1 -0.8, 0 1'), // triangle on its tip
  corners('-0.35 -1, 0.35 -1, 0.35 -0.35, 1 -0.35, 1 0.35, 0.35 0.35, 0.35 1, -0.35 1, -0.35 0.35, -1 0.35, -1 -0.35, -0.35 -0.35'),
];

/**
 * For Cytoscape, a little to the right: its hit test counts the edges below a point and takes a corner exactly below for two, so that the
 * centre of a shape with its tip down would be outside of it.
 */
export const canvasShape = (shape: Corners) =>
  shape === null ? { shape: 'ellipse' } : { shape: 'polygon', corners: shape.map(([x, y]) => `${0.999 * x + 0.0007} ${y}`).join(' ') };

/** For CSS. */
export const clipPath = (shape: Corners) =>
  shape === null ? 'circle(50%)' : `polygon(${shape.map(([x, y]) => `${50 + 50 * x}% ${50 + 50 * y}%`).join(', ')})`;

/** For the points of a polygon in SVG, around a centre. */
export const polygonPoints = (shape: NonNullable<Corners>, x: number, y: number, radius: number) =>
  shape.map(([dx, dy]) => `${Math.round((x + dx * radius) * 10) / 10},${Math.round((y + dy * radius) * 10) / 10}`).join(' ');
