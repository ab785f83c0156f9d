// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { loadLayout, loadMoves, placeSaved, saveMoves } from './layoutStorage';

vi.mock('react-router', () => ({}));

test('a canvas that is opened as it was saved has its positions, and no move to undo', () => {
  const [before, after] = [new Map([['a', { x: 1, y: 1 }]]), new Map([['a', { x: 9, y: 9 }]])];
  saveMoves('films', [{ at: '', before, after }]);
  expect(loadMoves('films')).toHaveLength(1);
  placeSaved('films', before);
  expect(loadMoves('films')).toEqual([]);
  expect(loadLayout('films')).toEqual(before);
});
