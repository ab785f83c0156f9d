// The changes that the first page shows, by one request.
import { readFeed, type Change } from '../history/history';
import { readStored, storeFeedStart } from './stored';

const pageSize = 200;
/** Milliseconds after which the changes shown begin at the last visit. */
const window = 24 * 60 * 60_000;

export interface RecentChanges {
  /** Newest first. */
  changes: Change[];
  /** Since when; empty for all that are recorded. */
  since: string;
  /** There are too many to show the newest: the feed is read forwards. */
  more: boolean;
}

/** Reads the changes since the last visit, or all if they are few. */
export async function readRecentChanges(userId: string, signal?: AbortSignal): Promise<RecentChanges> {
  const { feed } = readStored(userId);
  const now = new Date().toISOString();
  if (feed?.since === '') {
    const { next } = await readFeed({}, signal);
    storeFeedStart(userId, { since: next, at: now });
    return { changes: [], since: now, more: false };
  }
  let page;
  try {
    page = await readFeed({ since: feed?.since ?? '0', limit: pageSize }, signal);
  } catch (error) {
    storeFeedStart(userId, null); // a cursor of another signing key
    throw error;
  }
  if (page.hasMore) storeFeedStart(userId, { since: '', at: now });
  else if (feed && Date.now() - Date.parse(feed.at) > window) storeFeedStart(userId, { since: page.next, at: now });
  return { changes: page.hasMore ? [] : page.changes.toReversed(), since: feed?.at ?? '', more: page.hasMore };
}
