import { expect, test } from 'vitest';
import { isInside } from './Lasso';

// The outline of a U: the gap in its middle is outside.
const outline = [
  [0, 0],
  [10, 0],
  [10, 30],
  [20, 30],
  [20, 0],
  [30, 0],
  [30, 40],
  [0, 40],
].map(([x, y]) => ({ x: x!, y: y! }));

test.each([
  [5, 5, true],
  [15, 10, false],
  [15, 35, true],
  [25, 20, true],
  [-1, 20, false],
  [15, 50, false],
])('whether %d, %d is inside the outline: %s', (x, y, inside) => expect(isInside({ x, y }, outline)).toBe(inside));
