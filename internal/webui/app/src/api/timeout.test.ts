import { expect, test } from 'vitest';
import { Problem } from './problem';
import { indexName, newIndexPath, parseNewIndex, timeoutCauses } from './timeout';

const causeOf = (field: string, message: string) =>
  timeoutCauses(new Problem('DATABASE_TIMEOUT', 'The database took too long', 504, [{ field, message }]))[0]!;

test('a sort without an index suggests a range index', () => {
  const cause = causeOf(
    'sort',
    'Person.score has no index, so about 500000 nodes are read to be sorted; a range index on it would help (POST /api/admin/indexes)',
  );
  expect(cause).toEqual({
    label: 'Sort',
    message: 'Person.score has no index, so about 500000 nodes are read to be sorted; a range index on it would help',
    index: { entity: 'node', kind: 'range', type: 'Person', property: 'score' },
  });
});

test('a filter names its property, which may contain dots', () => {
  const cause = causeOf(
    'filter[home.city][contains]',
    'LIVES.IN.home.city has no text index, so about 70 edges are read; a text index on it would help (POST /api/admin/indexes)',
  );
  expect(cause.label).toBe('Filter on home.city');
  expect(cause.index).toEqual({ entity: 'edge', kind: 'text', type: 'LIVES.IN', property: 'home.city' });
});

test.each([
  ['type', 'no type is named, so about 9 nodes are read; name a type', 'Type', 'No type is named, so about 9 nodes are read; name a type'],
  [
    'max_depth',
    'a step of the search follows about 9 relationships by estimate; lower max_depth',
    'Path length',
    'A step of the search follows about 9 relationships by estimate; lower max_depth',
  ],
  [
    'filter[s][icontains]',
    'no index serves the operator icontains, so about 9 nodes are read; add a condition on the same type that an index serves',
    'Filter on s',
    undefined,
  ],
])('a cause in %s suggests no index', (field, message, label, text) => {
  const cause = causeOf(field, message);
  expect(cause.index).toBeNull();
  expect(cause.label).toBe(label);
  if (text !== undefined) expect(cause.message).toBe(text);
});

test('the path of a new index is parsed to the same index', () => {
  const index = { entity: 'edge' as const, kind: 'text' as const, type: 'A & B', property: 'x=y' };
  expect(parseNewIndex(new URL(newIndexPath(index), 'http://x').searchParams)).toEqual(index);
  expect(parseNewIndex(new URLSearchParams('new_index=other'))).toBeNull();
  expect(indexName({ type: 'Person', property: 'födelse år' })).toBe('person_f_delse_r');
});
