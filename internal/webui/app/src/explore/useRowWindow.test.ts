import { expect, test } from 'vitest';
import { windowOf } from './useRowWindow';

test('the window contains the visible rows and moves in steps', () => {
  for (let top = 0; top < 5000; top += 7) {
    const { first, end } = windowOf(top, 600, 36);
    expect(first * 36).toBeLessThanOrEqual(top);
    expect(end * 36).toBeGreaterThanOrEqual(top + 600);
    expect(end - first).toBeLessThan(50);
  }
  expect(windowOf(0, 600, 36)).toEqual(windowOf(100, 600, 36));
  expect(windowOf(-80, 600, 36).first).toBe(0);
});
