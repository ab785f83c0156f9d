// The line below the table: how many rows are loaded, and what loads more.
import { Loader } from '@mantine/core';
import { ProblemText } from '../shell/ProblemText';
import { Waiting } from '../shell/Waiting';
import { formatCount } from '../values/text';
import type { useList } from './lists';
import type { usePages } from './usePages';

interface Props {
  list: ReturnType<typeof useList>;
  pages: ReturnType<typeof usePages>;
  subject: string;
  /** Another one restarts the time that is shown. */
  waitingKey: string;
}

export function TableFoot({ list, pages, subject, waitingKey }: Props) {
  const { count, total, paused } = pages;
  const loaded = pages.rows.length;
  return (
    <div className="grid-foot">
      <span role="status">
        {formatCount(loaded)}
        {list.isPlaceholderData
          ? ' previous rows'
          : !list.hasNextPage
            ? ' total'
            : total !== undefined && total > loaded
              ? ` of ${formatCount(total)} loaded`
              : ' loaded'}
      </span>
      {!list.isFetching && (
        <button type="button" className="linkbutton" onClick={pages.refresh}>
          Refresh
        </button>
      )}
      {list.isFetching && (
        <>
          <Loader size={14} />
          <Waiting key={waitingKey} subject={subject} onCancel={pages.cancel} />
        </>
      )}
      {total === undefined && list.hasNextPage && !list.isPlaceholderData && !pages.counting && (
        <button type="button" className="linkbutton" onClick={pages.countAll}>
          Count all
        </button>
      )}
      {count.isFetching && <Loader size={14} aria-label="Counting" />}
      {count.isError && (
        <div role="alert">
          Not counted: <ProblemText error={count.error} />
        </div>
      )}
      {paused && list.hasNextPage && !list.isFetching && (
        <button type="button" className="linkbutton" onClick={pages.loadMore}>
          Load more
        </button>
      )}
      {list.isFetchNextPageError && (
        <div role="alert">
          The next page could not be loaded: <ProblemText error={list.error} />{' '}
          <button type="button" className="linkbutton" onClick={() => void list.fetchNextPage()}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
