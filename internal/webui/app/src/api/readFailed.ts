import { InfiniteQueryObserver, type QueryClient } from '@tanstack/react-query';
import { isTransient } from './client';

/** Reads again what an outage kept from being read: of a list whose next page failed, that page alone. */
export function readFailed(queries: QueryClient) {
  for (const query of queries.getQueryCache().findAll({ type: 'active' })) {
    const { error, status, fetchMeta } = query.state;
    if (status !== 'error' || !isTransient(error)) continue;
    const further = fetchMeta?.fetchMore && query.observers.find((observer) => observer instanceof InfiniteQueryObserver);
    if (further instanceof InfiniteQueryObserver) void further.fetchNextPage();
    else void query.fetch().catch(() => undefined); // its page shows the error
  }
}
