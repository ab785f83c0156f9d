// Lists that are read page by page with a cursor, newest first: the parts that their pages share.
import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../api/graph';
import { asProblem } from '../api/problem';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { formatCount } from '../values/text';

/** Reads the list of a key; every visit reads it again. */
export function useCursorList<T>(queryKey: readonly unknown[], read: (cursor: string, signal: AbortSignal) => Promise<Page<T>>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.page.next_cursor ?? undefined,
    staleTime: 0,
    structuralSharing: false,
  });
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

export type CursorList = ReturnType<typeof useCursorList<unknown>>;

interface HeaderProps {
  title: string;
  /** The request of the list, to copy. */
  path: string;
  query: Record<string, string | number | undefined>;
  list: CursorList;
  /** Shown beside the title. */
  children?: ReactNode;
}

export function ListHeader({ title, path, query, list, children }: HeaderProps) {
  return (
    <Group mb="sm">
      <h1 style={{ margin: 0, fontSize: '1.2rem' }}>{title}</h1>
      {children}
      <span className="spacer" />
      <CopyMenu label="Copy this list as…" items={[{ label: 'curl', text: () => curl({ path, query }) }]} />
      <Button size="xs" variant="default" loading={list.isRefetching && !list.isFetchingNextPage} onClick={() => void list.refetch()}>
        Refresh
      </Button>
    </Group>
  );
}

/** How many entries are loaded, and a button that loads more. */
export function ListFooter({ list }: { list: CursorList }) {
  return (
    <Group mt="sm" role="status">
      <Text size="sm" c="dimmed">
        {formatCount(list.items.length)} {list.hasNextPage ? 'loaded' : 'total'}
      </Text>
      <LoadMore list={list} />
    </Group>
  );
}

export function LoadMore({ list, compact = false }: { list: CursorList; compact?: boolean }) {
  const buttonProps = compact
    ? ({ size: 'compact-xs', variant: 'subtle', mt: 'xs' } as const)
    : ({ size: 'xs', variant: 'default' } as const);
  return (
    <>
      {list.hasNextPage && (
        <Button {...buttonProps} loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Load more
        </Button>
      )}
      {list.isFetchNextPageError && (
        <Text size="sm" c="red" role="alert">
          {asProblem(list.error).text}
        </Text>
      )}
    </>
  );
}
