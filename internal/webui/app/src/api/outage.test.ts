import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentOutage, loadPart, onOutageEnd, watchOutage } from './outage';
import { Problem } from './problem';
import { readFailed } from './readFailed';

vi.mock('./client', () => ({ isTransient: (error: unknown) => error instanceof Problem && error.code === 'UNREACHABLE' }));

const answers: (Response | Error)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => {
    const next = answers.shift()!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  vi.stubGlobal('document', { querySelectorAll: () => [] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const unreachable = () => new TypeError('Failed to fetch');
const unready = (why: string) => new Response(why, { status: 503 });
const soon = () => vi.advanceTimersByTimeAsync(0);

test('a request that fails begins an outage, which ends when the service is ready', async () => {
  const end = vi.fn();
  const stop = onOutageEnd(end);
  answers.push(unreachable(), unready('service is shutting down'), unready('database'), new Response('', { status: 404 }));
  await expect(watchOutage(Promise.reject(unreachable()))).rejects.toThrow('Failed to fetch');
  await soon();
  expect(currentOutage()?.part).toBe('service');
  void watchOutage(Promise.resolve(unready(''))); // further ones ask nothing
  await vi.advanceTimersByTimeAsync(2000);
  expect(currentOutage()?.part).toBe('service');
  await vi.advanceTimersByTimeAsync(3000);
  expect(currentOutage()?.part).toBe('database');
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(4500);
  expect(currentOutage()).toBeNull();
  expect(end).toHaveBeenCalledTimes(1);
  expect(answers).toEqual([]);
  stop();
});

test('a request that fails while the service is ready begins none', async () => {
  answers.push(new Response('', { status: 200 }));
  await watchOutage(Promise.resolve(unready('busy')));
  await soon();
  expect([currentOutage(), answers.length]).toEqual([null, 0]);
});

test('a part of the interface is loaded when the service is ready again', async () => {
  answers.push(unreachable(), new Response('', { status: 200 }));
  const load = vi.fn().mockRejectedValueOnce(unreachable()).mockResolvedValueOnce('part');
  const part = loadPart(load as () => Promise<string>);
  await soon();
  expect(currentOutage()?.part).toBe('service');
  await vi.advanceTimersByTimeAsync(2000);
  expect(await part).toBe('part');
  answers.push(new Response('', { status: 200 }));
  await expect(loadPart(() => Promise.reject(new Error('not found')))).rejects.toThrow('not found');
});

test('what an outage kept from being read is read again, of a list only the page that failed', async () => {
  vi.useRealTimers();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let isOut = false;
  const asked: string[] = [];
  const read = (what: string) => {
    asked.push(what);
    return isOut ? Promise.reject(new Problem('UNREACHABLE', '', 0)) : Promise.resolve(what);
  };
  const refused = () => Promise.reject(new Problem('PERMISSION_DENIED', '', 403));
  const one = new QueryObserver<string>(queries, { queryKey: ['one'], queryFn: () => read('one') });
  const other = new QueryObserver<string>(queries, { queryKey: ['other'], queryFn: refused });
  const list = new InfiniteQueryObserver(queries, {
    queryKey: ['list'],
    queryFn: ({ pageParam }) => read(`page ${pageParam}`),
    initialPageParam: 1,
    getNextPageParam: (_last, all) => all.length + 1,
  });
  const stops = [one, other, list].map((observer) => observer.subscribe(() => undefined));
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess && other.getCurrentResult().isError).toBe(true));
  isOut = true;
  await Promise.all([one.refetch(), list.fetchNextPage()]);
  expect([one.getCurrentResult().isError, list.getCurrentResult().isError]).toEqual([true, true]);
  isOut = false;
  asked.length = 0;
  readFailed(queries);
  await vi.waitFor(() => expect(list.getCurrentResult().data?.pages).toEqual(['page 1', 'page 2']));
  expect(asked).toEqual(['one', 'page 2']);
  for (const stop of stops) stop();
});
