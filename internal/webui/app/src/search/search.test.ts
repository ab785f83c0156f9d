import { expect, test, vi } from 'vitest';
import { searchRequest, withPrefixMatch } from './search';

vi.mock('../api/client', () => ({}));

test.each([
  ['ber', 'ber*'],
  ['san fran', 'san fran*'],
  ['"new york"', '"new york"'],
  ['"new yo', '"new yo'],
  ['fran*', 'fran*'],
  ['Größe', 'Größe*'],
])('%s is searched as %s while the user types', (text, query) => expect(withPrefixMatch(text)).toBe(query));

test('the request has the type and the incomplete word', () =>
  expect(searchRequest('san fran', { kind: 'node', type: 'City' })).toEqual({ q: 'san fran*', limit: 50, kind: 'node', type: 'City' }));
