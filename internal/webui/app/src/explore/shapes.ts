// The shapes of types, so that types can be told apart without colours: the same on the canvas, in legends and beside names.

/** The corners of a shape in a square from -1 to 1; null is a circle. */
type Corners = readonly (readonly [number, number])[] | null;

export const shapes: readonly Corners[] = [
  null,
  [[-0.86, -0.86], [0.86, -0.86], [0.86, 0.86], [-0.86, 0.86]],
  [[0, -1], [1, 0], [0, 1], [-1, 0]],
  [[-0.5, -0.9], [0.5, -0.9], [1, 0], [0.5, 0.9], [-0.5, 0.9], [-1, 0]],
  [[0, -1], [1, 0.8], [-1, 0.8]],
  [[0, -1], [1, -0.25], [0.62, 0.9], [-0.62, 0.9], [-1, -0.25]],
  [[-1, -0.8], [1, -0.8], [0, 1]],
  [[-0.35, -1], [0.35, -1], [0.35, -0.35], [1, -0.35], [1, 0.35], [0.35, 0.35], [0.35, 1], [-0.35, 1], [-0.35, 0.35], [-1, 0.35], [-1, -0.35], [-0.35, -0.35]],
]; // prettier-ignore

/** For Cytoscape. */
export const canvasShape = (corners: Corners) =>
  corners === null ? { shape: 'ellipse' } : { shape: 'polygon', corners: corners.flat().join(' ') };

/** For CSS. */
export const clipPath = (corners: Corners) =>
  corners === null ? 'circle(50%)' : `polygon(${corners.map(([x, y]) => `${50 + 50 * x}% ${50 + 50 * y}%`).join(', ')})`;

/** For the points of a polygon in SVG, around a centre. */
export const polygonPoints = (corners: NonNullable<Corners>, x: number, y: number, radius: number) =>
  corners.map(([dx, dy]) => `${Math.round((x + dx * radius) * 10) / 10},${Math.round((y + dy * radius) * 10) / 10}`).join(' ');
