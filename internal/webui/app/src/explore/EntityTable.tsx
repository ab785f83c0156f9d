// A table of any length: only the visible rows are rendered, and the next page is loaded when the user scrolls near the end.
import { Loader } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { nextSort, parseSort } from './filters';
import { memo, useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { ProblemText } from '../shell/ProblemText';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { formatCount, escapeInvisible } from '../values/text';
import type { View } from './url';
import type { Column } from './columns';
import { EndLink } from './EndLink';
import { appearanceOf, useAppearanceVersion } from './appearance';
import type { Row, useList } from './lists';
import { useRowWindow } from './useRowWindow';

interface Props {
  list: ReturnType<typeof useList>;
  columns: Column[];
  view: View;
  subject: string;
  /** The count of the schema, for lists without a total. */
  expected?: number;
  onOpen: (row: Row) => void;
  /** Opens a node at the end of an edge. */
  onOpenNode: (id: string) => void;
  onSort: (sort: string) => void;
  /** Aborts the running request. */
  onCancel: () => void;
}

const rowHeight = 36;
const headHeight = 38;

/** How many rows before the end of the loaded rows the next page is requested; it grows with the list, because users scroll faster. */
const prefetchDistance = (loaded: number) => Math.max(40, Math.min(500, loaded / 4));

export function EntityTable({ list, columns, view, subject, expected, onOpen, onOpenNode, onSort, onCancel }: Props) {
  const appearance = useAppearanceVersion();
  const [active, setActive] = useState(0);
  // After a cancelled page, the next one is loaded only on request.
  const [paused, setPaused] = useState(false);
  const pages = list.data?.pages;
  const rows = useMemo(() => pages?.flatMap((p) => p.items) ?? [], [pages]);
  const total = pages?.at(-1)?.page.total ?? (list.hasNextPage ? expected : rows.length);
  const { first, end, setBox, box, reveal } = useRowWindow(rows.length, rowHeight, headHeight);
  const nearEnd = end >= rows.length - prefetchDistance(rows.length);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = list;

  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !paused && nearEnd) void fetchNextPage();
  }, [nearEnd, paused, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  // Rows are memoized, so their callback must stay the same function.
  const latestOnOpen = useRef(onOpen);
  latestOnOpen.current = onOpen;
  const latestOnOpenNode = useRef(onOpenNode);
  latestOnOpenNode.current = onOpenNode;
  const openNode = useCallback((id: string) => latestOnOpenNode.current(id), []);
  const open = useCallback((index: number, row: Row) => {
    setActive(index);
    latestOnOpen.current(row);
  }, []);

  const waitingKey = `${view.sort} ${JSON.stringify(view.conditions)}`;
  if (list.isPending && list.fetchStatus === 'idle') return <Cancelled subject={subject} retry={() => void list.refetch()} />;
  if (list.isPending || (list.isPlaceholderData && rows.length === 0)) return <CancellableLoading key={waitingKey} subject={subject} onCancel={onCancel} />;
  if (list.isError && rows.length === 0) return <LoadError error={list.error} subject={subject} retry={() => void list.refetch()} />;
  if (rows.length === 0) return view.conditions.length > 0 ? <EmptyState title={`No matching ${subject}`}>Remove a filter to see more.</EmptyState> : <EmptyState title={`No ${subject}`}>The database contains none.</EmptyState>;

  function cancel() {
    setPaused(isFetchingNextPage);
    onCancel();
  }
  function loadMore() {
    setPaused(false);
    if (!nearEnd) void fetchNextPage(); // otherwise the effect does
  }
  function moveTo(to: number) {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    // The row must be rendered before it can have the focus.
    flushSync(() => {
      setActive(next);
      reveal(next);
    });
    box?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus();
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLButtonElement) return; // the column heading handles its keys itself
    const pageRows = Math.floor((box?.clientHeight ?? rowHeight) / rowHeight) - 2;
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + pageRows, PageUp: active - pageRows, Home: 0, End: rows.length - 1 };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      moveTo(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const row = rows[active];
      if (row) onOpen(row);
    }
  }

  const sorted = parseSort(view.sort);
  const sortOf = (c: Column) => (sorted === null || c.property !== sorted.property ? 'none' : sorted.descending ? 'descending' : 'ascending');
  const activeVisible = active >= first && active < end;
  return (
    <>
      <div className="grid" ref={setBox} role="grid" aria-label={subject} aria-busy={list.isPlaceholderData} aria-rowcount={total === undefined ? -1 : total + 1} onKeyDown={handleKeyDown} tabIndex={activeVisible ? -1 : 0} onFocus={(e) => e.target === box && moveTo(active)}>
        <div className="grid-head" role="row" aria-rowindex={1}>
          {columns.map((c) => (
            <div key={c.key} className={c.number ? 'cell number' : 'cell'} role="columnheader" aria-sort={c.property === undefined ? undefined : sortOf(c)} style={{ width: c.width }} title={c.title}>
              {c.property === undefined ? escapeInvisible(c.title) : <SortButton title={c.title} order={sortOf(c)} onClick={() => onSort(nextSort(view.sort, c.property!))} />}
            </div>
          ))}
        </div>
        <div style={{ height: rows.length * rowHeight, position: 'relative' }} role="rowgroup">
          {rows.slice(first, end).map((row, offset) => (
            <TableRow key={row.id} row={row} index={first + offset} columns={columns} chosen={view.open?.id === row.id} active={first + offset === active} looks={appearance} onOpen={open} onOpenNode={openNode} />
          ))}
        </div>
      </div>
      <div className="grid-foot">
        <span role="status">
          {formatCount(rows.length)}
          {list.isPlaceholderData ? ' previous rows' : !hasNextPage ? ' total' : total !== undefined && total > rows.length ? ` of ${formatCount(total)} loaded` : ' loaded'}
        </span>
        {list.isFetching && (
          <>
            <Loader size={14} />
            <Waiting key={waitingKey} subject={subject} onCancel={cancel} />
          </>
        )}
        {paused && hasNextPage && !list.isFetching && (
          <button type="button" className="linkbutton" onClick={loadMore}>
            Load more
          </button>
        )}
        {isFetchNextPageError && (
          <div role="alert">
            The next page could not be loaded: <ProblemText error={list.error} />{' '}
            <button type="button" className="linkbutton" onClick={() => void fetchNextPage()}>
              Try again
            </button>
          </div>
        )}
      </div>
    </>
  );
}

function SortButton({ title, order, onClick }: { title: string; order: 'none' | 'ascending' | 'descending'; onClick: () => void }) {
  const Arrow = order === 'descending' ? ArrowDown : ArrowUp;
  return (
    <button type="button" className="sort" onClick={onClick} title={`Sort by ${title}`}>
      <span className="type-name">{escapeInvisible(title)}</span>
      {order !== 'none' && <Arrow size={13} aria-hidden style={{ flex: 'none' }} />}
    </button>
  );
}

interface TableRowProps {
  row: Row;
  index: number;
  columns: Column[];
  chosen: boolean;
  active: boolean;
  /** Changes when the colours of types change. */
  looks: number;
  onOpen: (index: number, row: Row) => void;
  onOpenNode: (id: string) => void;
}

const TableRow = memo(function Line({ row, index, columns, chosen, active, onOpen, onOpenNode }: TableRowProps) {
  return (
    <div
      className="grid-row" role="row" data-index={index} aria-rowindex={index + 2} aria-selected={chosen} tabIndex={active ? 0 : -1} style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
      onClick={() => onOpen(index, row)}
    >
      {columns.map((c) => (
        <Cell key={c.key} column={c} row={row} onOpenNode={onOpenNode} />
      ))}
    </div>
  );
});

function Cell({ column, row, onOpenNode }: { column: Column; row: Row; onOpenNode: (id: string) => void }) {
  const text = column.text(row);
  const mono = column.key === 'id' ? ' mono' : '';
  if ('source_id' in row && (column.key === 'source' || column.key === 'target')) {
    return (
      <div className="cell" role="gridcell" style={{ width: column.width }} title={text}>
        <EndLink end={row[column.key]} id={row[`${column.key}_id`]} inTable onOpen={onOpenNode} />
      </div>
    );
  }
  if (text === undefined) {
    return (
      <div className="cell absent" role="gridcell" style={{ width: column.width }}>
        <span aria-label="not set">–</span>
      </div>
    );
  }
  return (
    <div className={`cell${column.number ? ' number' : ''}${mono}`} role="gridcell" style={{ width: column.width }} title={text.length > 20 ? text : undefined}>
      {column.key === 'type' && !('source_id' in row) && <span className="dot" style={{ background: appearanceOf(row.type).colour, display: 'inline-block', marginRight: 8 }} />}
      {text}
    </div>
  );
}
