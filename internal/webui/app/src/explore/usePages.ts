// The pages of a list as rows of a table.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { refetchLists, useExactCount, type useList } from './lists';
import { rowHeight } from './TableRow';
import type { View } from './url';
import { useScrollPlace } from './useScrollPlace';
import { useRowWindow } from './useRowWindow';

interface Props {
  list: ReturnType<typeof useList>;
  view: View;
  /** The count of the schema, for lists without a total. */
  expected?: number;
  /** Aborts the running request. */
  onCancel: () => void;
}

const headHeight = 38;

/** How many rows before the end of the loaded rows the next page is requested; it grows with the list, because users scroll faster. */
const prefetchDistance = (loaded: number) => Math.max(40, Math.min(500, loaded / 4));

/** The loaded rows, which of them are rendered, and the next page, which is requested near the end of the loaded ones. */
export function usePages({ list, view, expected, onCancel }: Props) {
  const queries = useQueryClient();
  // After a cancelled page, the next one is loaded only on request.
  const [paused, setPaused] = useState(false);
  const [counting, setCounting] = useState(false);
  const count = useExactCount(view, counting);
  const loaded = list.data?.pages;
  const rows = useMemo(() => loaded?.flatMap((p) => p.items) ?? [], [loaded]);
  const total = loaded?.at(-1)?.page.total ?? count.data ?? (list.hasNextPage ? expected : rows.length);
  const { first, end, setBox, box, reveal } = useRowWindow(rows.length, rowHeight, headHeight);
  useScrollPlace(box, JSON.stringify([view.kind, view.type, view.conditions, view.sort, view.end]));
  const nearEnd = end >= rows.length - prefetchDistance(rows.length);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = list;

  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !paused && nearEnd) void fetchNextPage();
  }, [nearEnd, paused, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  function cancel() {
    setPaused(isFetchingNextPage);
    onCancel();
  }
  function loadMore() {
    setPaused(false);
    if (!nearEnd) void fetchNextPage(); // otherwise the effect does
  }
  function refresh() {
    void queries.invalidateQueries({ queryKey: ['schema'] }); // its counts
    void refetchLists(queries, view.kind);
  }
  return {
    refresh,
    rows,
    total,
    count,
    counting,
    paused,
    first,
    end,
    setBox,
    box,
    reveal,
    cancel,
    loadMore,
    countAll: () => setCounting(true),
  };
}
