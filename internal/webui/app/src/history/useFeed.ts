import { useEffect, useRef, useState } from 'react';
import { emptyFeed, followFeed, waitWhileVisible, type FeedState } from './feed';
import { readFeed, type FeedFilters } from './history';

/** The feed's changes, followed while following is true. Mount it again for other filters. */
export function useFeed(filters: FeedFilters, following: boolean, attempt: number): FeedState {
  const [state, setState] = useState(emptyFeed);
  const last = useRef(state);
  const query = useRef(filters);
  useEffect(() => {
    if (!following) return;
    const aborting = new AbortController();
    const read: Parameters<typeof followFeed>[1] = (of, signal) => readFeed({ ...query.current, ...of }, signal);
    void followFeed(last.current, read, waitWhileVisible, (next) => setState((last.current = next)), aborting.signal);
    return () => aborting.abort();
  }, [following, attempt]);
  return state;
}
