import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { asProblem } from '../api/problem';
import { search, searchRequest, type SearchedType } from './search';

/** The hits of a search, and similar ones if there are none. The last word may be incomplete. */
export function useSearch(words: string, only: SearchedType) {
  const queryKey = ['search', 'hits', words, only];
  const { q, ...first } = searchRequest(words, only);
  const found = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => search(q, { ...first, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.page.next_cursor ?? undefined,
    retry: false,
    // While other words are searched, the previous results stay.
    placeholderData: keepPreviousData,
  });
  const loaded = found.isSuccess && !found.isPlaceholderData;
  const hits = found.data?.pages.flatMap((p) => p.hits) ?? [];
  const similar = useQuery({
    queryKey: [...queryKey, 'similar'],
    queryFn: ({ signal }) => search(q, { limit: 10, fuzzy: true, ...only }, signal),
    enabled: loaded && hits.length === 0,
    retry: false,
  });
  const hasNoIndex = found.isError && asProblem(found.error).code === 'NOT_FOUND';
  return { queryKey, found, loaded, hits, similar: loaded && hits.length === 0 ? (similar.data?.hits ?? []) : [], hasNoIndex };
}
