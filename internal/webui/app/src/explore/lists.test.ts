import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { listNodes } from '../api/graph';
import { applyDelete, applyUpdate, cancelList, listOptions, type Selection } from './lists';

vi.mock('../api/client', () => ({}));
vi.mock('../api/graph', () => ({ listNodes: vi.fn(), listEdges: vi.fn() }));

const films: Selection = { kind: 'node', type: 'Film', conditions: [], sort: '' };
const pageOf = (id: string) => ({
  items: [{ id, type: 'Film', labels: [], properties: {} }],
  page: { has_more: false, next_cursor: null, limit: 100 },
});
const ids = (result: { data: { pages: { items: { id: string }[] }[] } | undefined }) =>
  result.data?.pages.flatMap((p) => p.items.map((item) => item.id));

test('a cancelled list aborts its request, and the rows of the previous order stay', async () => {
  const queries = new QueryClient();
  vi.mocked(listNodes).mockResolvedValueOnce(pageOf('a') as never);
  const list = new InfiniteQueryObserver(queries, listOptions(films));
  const stop = list.subscribe(() => undefined);
  await vi.waitFor(() => expect(ids(list.getCurrentResult())).toEqual(['a']));

  let signal: AbortSignal | undefined;
  vi.mocked(listNodes).mockImplementationOnce((_, given) => {
    signal = given;
    return new Promise(() => undefined);
  });
  const sorted = { ...films, sort: 'score' };
  list.setOptions(listOptions(sorted));
  expect(list.getCurrentResult()).toMatchObject({ isPlaceholderData: true, isFetching: true });
  expect(ids(list.getCurrentResult())).toEqual(['a']);
  await vi.waitFor(() => expect(signal?.aborted).toBe(false));
  cancelList(queries, sorted);
  expect(signal?.aborted).toBe(true);
  await vi.waitFor(() => expect(list.getCurrentResult().isFetching).toBe(false));
  list.setOptions(listOptions(films));
  expect(list.getCurrentResult()).toMatchObject({ isPlaceholderData: false, status: 'success' });
  expect(ids(list.getCurrentResult())).toEqual(['a']);

  vi.mocked(listNodes).mockImplementationOnce(() => new Promise(() => undefined));
  list.setOptions(listOptions({ ...films, type: 'Person' }));
  expect(list.getCurrentResult()).toMatchObject({ status: 'pending', data: undefined });
  stop();
});

test('a canvas of many rows reads them with as few requests as the service allows', async () => {
  const limits: unknown[] = [];
  vi.mocked(listNodes)
    .mockReset()
    .mockImplementation((query) => {
      limits.push(query.limit);
      return Promise.resolve({
        items: Array.from({ length: query.limit! }, () => ({})),
        page: { has_more: true, next_cursor: 'next', limit: 1 },
      } as never);
    });
  for (const rows of [undefined, 30, 700, 1800])
    await new QueryClient().fetchInfiniteQuery({ ...listOptions({ ...films, rows }), pages: rows === 1800 ? 2 : 1 });
  expect(limits).toEqual([100, 100, 700, 1000, 800]);
});

test('a change reads again what shows the node beside rows, a deletion everything', async () => {
  const queries = new QueryClient();
  const reads = { film: vi.fn(), other: vi.fn() };
  const show = (name: keyof typeof reads, row: string, beside: string) =>
    new QueryObserver(queries, {
      queryKey: ['linked', name],
      queryFn: () => {
        reads[name]();
        return new Map([[row, { count: 1, nodes: [{ id: beside }] }]]);
      },
      structuralSharing: false,
      staleTime: Infinity,
    }).subscribe(() => undefined);
  show('film', 'a', 'b');
  show('other', 'c', 'd');
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
  applyUpdate(queries, { kind: 'node', entity: { id: 'b', type: 'Film', labels: [], properties: {} } } as never);
  await vi.waitFor(() => expect(reads.film).toHaveBeenCalledTimes(2));
  expect(reads.other).toHaveBeenCalledTimes(1);
  applyDelete(queries, 'node', 'x');
  await vi.waitFor(() => expect(reads.other).toHaveBeenCalledTimes(2));
});
