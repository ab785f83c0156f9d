import { expect, test, vi } from 'vitest';
import type { Schema } from '../api/graph';
import { findDuplicates } from './duplicates';
import { mapRows, proposeMapping } from './mapping';
import { failedLines, hasFewLines } from './importing';
import { lineErrorsCsv, mend, notImportedCsv, onlyRowsWithErrors, outcomeText, rowErrors } from './outcome';
import { tableOf } from './tables';

vi.mock('../api/client', () => ({}));
vi.mock('./lookup', () => ({}));

const schema = {
  node_types: [{ type: 'Port', properties: [], declared: { unique: [['country', 'code']] } }],
  edge_types: [],
  constraints: [{ entity: 'node', kind: 'UNIQUENESS', name: 'a', types: ['Port'], properties: ['name'] }],
} as unknown as Schema;
const noEnds = { source: () => '', target: () => '' };
const table = tableOf([
  ['name', 'country', 'code'],
  ['Sines', 'PT', '1'],
  ['Faro', 'PT', '1'],
  ['Sines', 'ES', '1'],
  ['', 'PT', ''],
  ['', 'PT', ''],
  ['', '', '=1'],
]);
const mapping = proposeMapping(table, 'node', 'Port', schema);

test('rows with the unique values of an earlier row are reported, and those that are equal to one', () => {
  const { rows } = mapRows(table, mapping, noEnds);
  expect(findDuplicates(mapping, rows, schema)).toEqual({
    errors: [
      { row: 3, column: 'country', message: 'Row 2 has the same country and code, which must be unique' },
      { row: 4, column: 'name', message: 'Row 2 has the same name, which must be unique' },
    ],
    equal: [{ row: 6, first: 5 }],
  });
  const withIds = tableOf([
    ['id', 'name'],
    ['01900000-0000-7000-8000-00000000c1f1', 'a'],
    ['01900000-0000-7000-8000-00000000c1f1', 'b'],
  ]);
  const m = proposeMapping(withIds, 'node', 'Port', schema);
  const found = findDuplicates(m, mapRows(withIds, m, noEnds).rows, schema);
  expect(found.errors).toEqual([{ row: 3, column: 'id', message: 'Row 2 has the same id' }]);
});

test('every row is accounted for, and those that were not imported are a file with reasons that an import reads again', () => {
  const leftOut = [{ row: 3, column: 'code', message: 'Write a number' }];
  const rows = { table, mapping, imported: [2, 4, 5, 6, 7], leftOut };
  const ofKind = { created: 0, updated: 0, skipped: 0, failed: 0 };
  const counts = { lines: 4, created: 2, updated: 0, skipped: 0, failed: 2, nodes: ofKind, edges: ofKind };
  expect(outcomeText(rows, counts)).toBe(
    'Rows of the file: 6. 2 made, 1 left out by the check, 2 failed, 1 not known, because the import ended early.',
  );
  const failed = rowErrors(rows, [
    { line: 5, code: 'VALIDATION_ERROR', message: 'Invalid input', details: [{ field: 'properties.code', message: 'is wrong' }] },
    { line: 2, code: 'CONFLICT', message: 'It exists', details: [] },
  ]);
  expect(failed.map((e) => [e.row, e.column])).toEqual([
    [4, ''],
    [7, 'code'],
  ]);
  const csv = notImportedCsv(table, [...leftOut, ...failed]);
  expect(csv).toBe(
    [
      'name,country,code,reason:IGNORE',
      'Faro,PT,1,Row 3: code: Write a number',
      'Sines,ES,1,Row 4: It exists',
      ',,=1,Row 7: code: is wrong',
      '',
    ].join('\r\n'),
  );
  const again = tableOf(csv.split('\r\n').map((line) => line.split(',')));
  const m = proposeMapping(again, 'node', 'Port', schema);
  expect(m.columns.map((c) => c.use)).toEqual(['property', 'property', 'property', 'ignore']);
  expect(m.columns[2]!.kind).toBe('String');
  expect(notImportedCsv(again, [{ row: 2, column: '', message: 'Again' }])).toBe(
    'name,country,code,reason:IGNORE\r\nFaro,PT,1,Row 2: Again\r\n',
  );
});

test('lines that failed are saved as they are in the file, with their numbers and reasons', async () => {
  const file = new Blob(['{"a":1}\n\n{"b":"ü"}\r\n', '{"c":3}']);
  const errors = [4, 3].map((line) => ({ line, code: 'CONFLICT' as const, message: '=1', details: [{ field: 'id', message: 'exists' }] }));
  expect(await failedLines(file, errors)).toBe('{"b":"ü"}\r\n{"c":3}\n');
  expect(lineErrorsCsv(errors.slice(1))).toBe('line,code,reason\r\n3,CONFLICT,"\'=1; id: exists"\r\n');
  expect(await hasFewLines(file)).toBe(true);
  expect(await hasFewLines(new Blob(['{}\n'.repeat(100_001)]))).toBe(false);
});

test('rows that are mended keep their numbers', () => {
  const error = { row: 4, column: 'name', message: '' };
  const left = onlyRowsWithErrors(table, [error]);
  const { rows } = mapRows(mend(left, error, 'Vigo'), mapping, noEnds);
  expect(rows.map((row) => [row.row, row.properties.name])).toEqual([[4, 'Vigo']]);
});
