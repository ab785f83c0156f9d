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
  const read = async (query: { since?: string; wait?: number }) => {
    queries.push(`${query.since ?? 'now'}${query.wait ? ' wait' : ''}`);
    const answer = answers.shift();
    if (answer === undefined) {
      aborting.abort();
      throw new Problem('ABORTED', 'Cancelled', 0);
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
  expect(queries).toEqual(['0', 'c2 wait', 'c3 wait', 'c4 wait']);
  expect(last.partial).toBe(false);
  expect(pauses).toHaveLength(1);
});

test('if too many changes are recorded, only new ones are shown', async () => {
  const { ids, queries, last } = await follow([page(['1'], 'a', true), page(['2'], 'b', true), page(['3'], 'c', true), page([], 'n'), page(['9'], 'm')]);
  expect(queries).toEqual(['0', 'a', 'b', 'now', 'n wait', 'm wait']);
  expect(ids).toEqual(['9']);
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
  expect(queries).toEqual(['0']);
  expect(last).toMatchObject({ ended: true, problem: { code: 'CONFLICT' } });
});

test('a cursor that is no longer kept begins again', async () => {
  const { queries, last, ids } = await follow([new Problem('HISTORY_GONE', 'gone', 410), page(['7'], 'a')], { ...emptyFeed, changes: [change('1')], next: 'old' });
  expect(queries).toEqual(['old wait', '0', 'a wait']);
  expect(ids).toEqual(['7']);
  expect(last.problem).toBeNull();
});
