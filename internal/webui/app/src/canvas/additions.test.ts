import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { readAddition } from './additions';

vi.mock('react-router', () => ({}));
afterEach(() => vi.unstubAllGlobals());

test.each([
  [{ question: '{"match":[[{"as":"film","type":"Film","id":["f1","f2"]}]]}' }, 'match[0][0].id'],
  [{ question: '{"match":[[{"as":"film","type":"Film"}]],"limit":5}' }, 'limit'],
  [{ question: '{"match"' }, 'all'],
  [{ list: 'type=Film&filter[year][like]=1999' }, 'filter[year][like]=1999'],
  [{ list: 'kind=xyz&type=ACTED_IN' }, 'kind=xyz'],
])('%j is refused, not drawn as more than was asked for', async (addition, part) => {
  const fetched = vi.fn(() => Promise.reject(new TypeError('offline')));
  vi.stubGlobal('fetch', fetched);
  await expect(readAddition(new QueryClient(), addition, new AbortController().signal)).rejects.toThrow(part);
  expect(fetched).not.toHaveBeenCalled();
});
