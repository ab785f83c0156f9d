import { expect, test } from 'vitest';
import { emptySelection, selectAll, selectRange, toggleRow } from './selection';

const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const ids = ({ ids: selected }: { ids: ReadonlySet<string> }) => [...selected].sort().join('');

test('a range starts at the row that was toggled last', () => {
  const one = toggleRow(emptySelection, 1, 'b');
  expect(ids(one)).toBe('b');
  const down = selectRange(one, 3, rows, false);
  expect(ids(down)).toBe('bcd');
  expect(ids(selectRange(down, 0, rows, false))).toBe('ab');
  expect(ids(selectRange(toggleRow(down, 4, 'e'), 4, rows, true))).toBe('bcde');
  expect(ids(toggleRow(down, 2, 'c'))).toBe('bd');
  expect(ids(selectAll(rows))).toBe('abcde');
});

test('an anchor behind the last row does not select what is not there', () => {
  expect(ids(selectRange({ ids: new Set(), anchor: 9 }, 3, rows, false))).toBe('de');
});
