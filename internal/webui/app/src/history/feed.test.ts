import { expect, test } from 'vitest';
import { Problem } from '../api/problem';
import { emptyFeed, followFeed, type FeedState } from './feed';
import type { Change, FeedPage } from './history';

const change = (id: string) => ({ id }) as Change;
const page = (ids: string[], next: string, hasMore = false): FeedPage => ({ changes: ids.map(change), next, hasMore });

/** Follows a feed that gives these answers, and then aborts. Returns the states, the queries and the pauses. */
async function follow(answers: (FeedPage | Problem)[], from: FeedState = emptyFeed) {
  const aborting = new AbortController();
  const states: FeedState[] = [];
  const queries: string[] = [];
  const pauses: number[] = [];
  const read = async (query: { since?: string; last?: number; wait?: number }) => {
    queries.push(`${query.since ?? `last ${query.last}`}${query.wait ? ' wait' : ''}`);
    const answer = answers.shift();
    if (answer === undefined) {
      aborting.abort();
      throw new Problem('ABORTED', 'Canceled', 0);
    }
    if (answer instanceof Problem) throw answer;
    return answer;
  };
  const wait = async (ms: number) => void (ms > 0 && pauses.push(ms));
  await followFeed(from, read, wait, (state) => states.push(state), aborting.signal);
  return { last: states.at(-1)!, queries, pauses, ids: states.at(-1)?.changes.map((c) => c.id) };
}

test('the recorded changes are shown newest first, and new ones are added at the top', async () => {
  const { ids, queries, last, pauses } = await follow([page(['1', '2'], 'c2'), page([], 'c3'), page(['4'], 'c4')]);
  expect(ids).toEqual(['4', '2', '1']);
  expect(queries).toEqual(['last 500', 'c2 wait', 'c3 wait', 'c4 wait']);
  expect(last.partial).toBe(false);
  expect(pauses).toHaveLength(1);
});

const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => String(from + i));

test('of many recorded changes the last ones are shown', async () => {
  const { ids: shown, queries, last } = await follow([page(ids(1, 500), 'a'), page(['501'], 'b')]);
  expect(queries).toEqual(['last 500', 'a wait', 'b wait']);
  expect(shown).toEqual(ids(2, 500).toReversed());
  expect(last.partial).toBe(true);
});

test('a page that is cut short is read on from its end', async () => {
  const { ids: shown, queries, last } = await follow([page(['1', '2'], 'a', true), page(['3'], 'b')]);
  expect(queries).toEqual(['last 500', 'a wait', 'b wait']);
  expect(shown).toEqual(['3', '2', '1']);
  expect(last.partial).toBe(false);
});

test('if more changes are made than are read, the last ones replace those that are shown', async () => {
  const {
    ids: shown,
    queries,
    last,
  } = await follow([page(ids(1, 1000), 'a', true), page(['5001', '5002'], 'n'), page(['5003'], 'm')], { ...emptyFeed, next: 'c' });
  expect(queries).toEqual(['c wait', 'last 500', 'n wait', 'm wait']);
  expect(shown).toEqual(['5003', '5002', '5001']);
  expect(last.partial).toBe(true);
});

test('a failure is retried after a growing time and not before the service allows it', async () => {
  const unreachable = new Problem('UNREACHABLE', 'away', 0);
  const limited = new Problem('RATE_LIMITED', 'slow', 429, [], '', 120);
  const { queries, pauses, last } = await follow([unreachable, unreachable, limited, page(['5'], 'd')], { ...emptyFeed, next: 'c' });
  expect(queries).toEqual(['c wait', 'c wait', 'c wait', 'c wait', 'd wait']);
  expect(pauses.slice(0, 3)).toEqual([5000, 10_000, 120_000]);
  expect(last.problem).toBeNull();
});

test('a feed that is not allowed ends', async () => {
  const { queries, last } = await follow([new Problem('CONFLICT', 'not recorded', 409), page(['1'], 'a')]);
  expect(queries).toEqual(['last 500']);
  expect(last).toMatchObject({ ended: true, problem: { code: 'CONFLICT' } });
});

test('a cursor that is no longer kept begins again', async () => {
  const { queries, last, ids } = await follow([new Problem('HISTORY_GONE', 'gone', 410), page(['7'], 'a')], {
    ...emptyFeed,
    changes: [change('1')],
    next: 'old',
  });
  expect(queries).toEqual(['old wait', 'last 500', 'a wait']);
  expect(ids).toEqual(['7']);
  expect(last.problem).toBeNull();
});
