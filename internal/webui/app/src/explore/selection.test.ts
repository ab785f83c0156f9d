import { expect, test } from 'vitest';
import { currentRows, emptySelection, selectAll, selectRange, toggleRow, withoutRows, type RowSelection } from './selection';

type Row = { id: string; version?: number };
const rows: Row[] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const ids = ({ rows: selected }: RowSelection<Row>) => [...selected.keys()].sort().join('');

test('a range starts at the row that was toggled last', () => {
  const one = toggleRow<Row>(emptySelection, 1, rows[1]!);
  expect(ids(one)).toBe('b');
  const down = selectRange(one, 3, rows, false);
  expect(ids(down)).toBe('bcd');
  expect(ids(selectRange(down, 0, rows, false))).toBe('ab');
  expect(ids(selectRange(toggleRow(down, 4, rows[4]!), 4, rows, true))).toBe('bcde');
  expect(ids(toggleRow(down, 2, rows[2]!))).toBe('bd');
  expect(ids(selectAll<Row>(emptySelection, rows))).toBe('abcde');
});

test('an anchor behind the last row does not select what is not there', () => {
  expect(ids(selectRange<Row>({ rows: new Map(), anchor: 9 }, 3, rows, false))).toBe('de');
});

test('rows of another order stay selected; loaded ones are shown as they are now', () => {
  const selection = selectRange(toggleRow<Row>(emptySelection, 0, rows[0]!), 2, rows, false);
  const { shown, others } = currentRows(selection, [{ id: 'c', version: 2 }, { id: 'x' }]);
  expect(shown).toEqual([{ id: 'c', version: 2 }]);
  expect(others.map((row) => row.id)).toEqual(['a', 'b']);
  expect(ids(selectAll(selection, [{ id: 'x' }]))).toBe('abcx');
  expect(ids(withoutRows(selection, (id) => id === 'b'))).toBe('ac');
  expect(withoutRows(selection, () => false)).toBe(selection);
});
