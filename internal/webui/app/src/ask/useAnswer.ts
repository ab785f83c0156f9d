// The answer of a question, page by page. Changing the question asks again; the previous answer stays meanwhile.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { asProblem } from '../api/problem';
import type { ResultView } from '../console/link';
import { askQuestion, joinPages } from './match';
import { serializeQuestion, type Question } from './question';

/** How many rows a page has: a chart and a canvas of a part would be misleading. */
const pageSizes: Record<ResultView, number> = { table: 100, graph: 500, chart: 1000, plan: 100 };

/** The service's bound. */
const maxOffset = 10_000;

export function useAnswer(question: Question, shown: ResultView, enabled: boolean) {
  const queries = useQueryClient();
  const text = serializeQuestion(question);
  const queryKey = ['match', text, pageSizes[shown]];
  const asked = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => askQuestion(question, pageSizes[shown], pageParam, signal),
    enabled,
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next !== null && next <= maxOffset ? next : undefined),
    // The answer for another form has other entities: a canvas begun with it would keep them.
    placeholderData: (previous, query) => (query?.queryKey[2] === pageSizes[shown] ? previous : undefined),
    structuralSharing: false,
    retry: false,
  });
  const pages = asked.data?.pages;
  const answer = useMemo(() => (pages ? joinPages(pages) : null), [pages]);
  return {
    answer,
    problem: asked.isError ? asProblem(asked.error) : null,
    running: asked.isFetching,
    cancel: () => void queries.cancelQueries({ queryKey, exact: true }),
    more:
      asked.hasNextPage && !asked.isPlaceholderData ? { loading: asked.isFetchingNextPage, load: () => void asked.fetchNextPage() } : null,
  };
}
