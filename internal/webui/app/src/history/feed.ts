// Follows the change feed by long polling. Every answer is a request that counts against the user's limit, so busy feeds are read at
// intervals.
import { maxLimit } from '../api/limits';
import { asProblem, type Problem } from '../api/problem';
import type { Change, FeedFilters, FeedPage } from './history';

/** How many changes are kept; older ones are dropped. */
export const keptChanges = 500;
/** How many of the last changes the service searches for those that match the filters. */
export const searchedChanges = 5000;
// Seconds that the service waits for a change.
const waitSeconds = 25;
// Milliseconds between an answer with changes and the next request, and the limits of the time before a retry.
const pauseAfterChanges = 4000;
const minRetry = 5000;
const maxRetry = 60_000;

export interface FeedState {
  /** Newest first. */
  changes: Change[];
  /** The cursor after these changes; empty before the first answer. */
  next: string;
  /** Whether there are changes before or between these that are not shown. */
  partial: boolean;
  /** Why the feed is not followed: it is retried, unless the service does not allow it. */
  problem: Problem | null;
  ended: boolean;
}

export const emptyFeed: FeedState = { changes: [], next: '', partial: false, problem: null, ended: false };

type ReadFeed = (
  query: FeedFilters & { since?: string; last?: number; limit?: number; wait?: number },
  signal: AbortSignal,
) => Promise<FeedPage>;
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Adds a page, which is oldest first. */
function withPage(state: FeedState, page: FeedPage): FeedState {
  const changes = [...page.changes.toReversed(), ...state.changes].slice(0, keptChanges);
  const dropped = state.changes.length + page.changes.length > changes.length;
  return { changes, next: page.next, partial: state.partial || dropped, problem: null, ended: false };
}

/** Reads the last changes. If they are as many as are kept, there may be earlier ones. */
async function readStart(read: ReadFeed, signal: AbortSignal): Promise<FeedState> {
  const page = await read({ last: keptChanges, limit: maxLimit }, signal);
  return { ...withPage(emptyFeed, page), partial: page.changes.length >= keptChanges };
}

/** Follows the feed from a state until the signal aborts or the service does not allow it. */
export async function followFeed(
  from: FeedState,
  read: ReadFeed,
  wait: Wait,
  onChange: (state: FeedState) => void,
  signal: AbortSignal,
): Promise<void> {
  let state = from;
  let retry = minRetry;
  const update = (next: FeedState) => {
    if (!signal.aborted) onChange((state = next));
  };
  while (!signal.aborted) {
    try {
      if (state.next === '') {
        update(await readStart(read, signal));
        continue;
      }
      const page = await read({ since: state.next, limit: maxLimit, wait: waitSeconds }, signal);
      retry = minRetry;
      if (page.changes.length > 0 || page.hasMore || state.problem) update(withPage(state, page));
      else state = { ...state, next: page.next };
      if (page.hasMore && page.changes.length === maxLimit) update({ ...(await readStart(read, signal)), partial: true });
      await wait(page.changes.length > 0 ? pauseAfterChanges : 0, signal); // also until the page is visible
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === 'ABORTED' || signal.aborted) return;
      if (problem.code === 'HISTORY_GONE') state = { ...emptyFeed, changes: state.changes, partial: true };
      const ended = problem.status >= 400 && problem.status < 500 && problem.status !== 429 && problem.status !== 410;
      update({ ...state, problem, ended });
      if (ended) return;
      await wait(Math.max(retry, problem.retryAfter * 1000), signal);
      retry = Math.min(retry * 2, maxRetry);
    }
  }
}

/** Waits for a time, and then until the page is visible; returns at once when the signal aborts. */
export function waitWhileVisible(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    let elapsed = false;
    const check = () => {
      if (elapsed && document.visibilityState === 'visible') finish();
    };
    const timer = setTimeout(() => {
      elapsed = true;
      check();
    }, ms);
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', finish);
    if (signal.aborted) finish();
  });
}
