// A table of any length: only the rows in sight exist, and the next page is asked for when its place comes near.
import { Loader } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { nextSort, readSort } from './filters';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { asProblem } from '../api/problem';
import { Empty, Failed, Loading } from '../shell/States';
import { count, visible } from '../values/text';
import type { View } from './address';
import type { Column } from './columns';
import { look, useLooks } from './appearance';
import type { Row, useList } from './lists';

interface Props {
  list: ReturnType<typeof useList>;
  columns: Column[];
  view: View;
  what: string;
  /** How many there are as the schema knows it, for lists that do not say. */
  expected?: number;
  onOpen: (row: Row) => void;
  onSort: (sort: string) => void;
}

const rowHeight = 36;
const ahead = 40; // rows before the end of what is loaded at which the next page is asked for

export function EntityTable({ list, columns, view, what, expected, onOpen, onSort }: Props) {
  useLooks();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const rows = list.data?.pages.flatMap((p) => p.items) ?? [];
  const total = list.data?.pages.at(-1)?.page.total ?? (list.hasNextPage ? expected : rows.length);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12 });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = list;

  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last >= rows.length - ahead) void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  if (list.isPending) return <Loading what={what} />;
  if (list.isError && rows.length === 0) return <Failed error={list.error} what={what} retry={() => void list.refetch()} />;
  if (rows.length === 0) return view.conditions.length > 0 ? <Empty title={`No ${what} like this`}>Nothing meets all the conditions. Take one away.</Empty> : <Empty title={`No ${what}`}>There is nothing of this type in the database.</Empty>;

  function move(to: number) {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(next);
    virtual.scrollToIndex(next);
    // The row may have to be made first.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  }
  function keys(event: KeyboardEvent) {
    if (event.target instanceof HTMLButtonElement) return; // the keys of a column's heading are its own
    const pageRows = Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2;
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + pageRows, PageUp: active - pageRows, Home: 0, End: rows.length - 1 };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const row = rows[active];
      if (row) onOpen(row);
    }
  }

  const sorted = readSort(view.sort);
  const sortOf = (c: Column) => (sorted === null || c.property !== sorted.property ? 'none' : sorted.descending ? 'descending' : 'ascending');
  const inView = items.some((i) => i.index === active);
  return (
    <>
      <div className="grid" ref={scroller} role="grid" aria-label={what} aria-rowcount={total === undefined ? -1 : total + 1} onKeyDown={keys} tabIndex={inView ? -1 : 0} onFocus={(e) => e.target === scroller.current && move(active)}>
        <div className="grid-head" role="row" aria-rowindex={1}>
          {columns.map((c) => (
            <div key={c.key} className={c.number ? 'cell number' : 'cell'} role="columnheader" aria-sort={c.property === undefined ? undefined : sortOf(c)} style={{ width: c.width }} title={c.title}>
              {c.property === undefined ? visible(c.title) : <SortButton title={c.title} order={sortOf(c)} onClick={() => onSort(nextSort(view.sort, c.property!))} />}
            </div>
          ))}
        </div>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="rowgroup">
          {items.map((item) => {
            const row = rows[item.index]!;
            return (
              <div
                key={row.id} className="grid-row" role="row" data-index={item.index} aria-rowindex={item.index + 2} aria-selected={view.open?.id === row.id} tabIndex={item.index === active ? 0 : -1}
                style={{ height: rowHeight, transform: `translateY(${item.start}px)` }}
                onClick={() => {
                  setActive(item.index);
                  onOpen(row);
                }}
              >
                {columns.map((c) => (
                  <Cell key={c.key} column={c} row={row} />
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <div className="grid-foot" role="status">
        <span>
          {count(rows.length)}
          {!hasNextPage ? ' in all' : total !== undefined && total > rows.length ? ` of ${count(total)} loaded` : ' loaded so far'}
        </span>
        {isFetchingNextPage && <Loader size={14} />}
        {isFetchNextPageError && (
          <span>
            The next page could not be loaded: {asProblem(list.error).text}{' '}
            <button type="button" className="linkbutton" onClick={() => void fetchNextPage()}>
              Try again
            </button>
          </span>
        )}
      </div>
    </>
  );
}

function SortButton({ title, order, onClick }: { title: string; order: 'none' | 'ascending' | 'descending'; onClick: () => void }) {
  const Arrow = order === 'descending' ? ArrowDown : ArrowUp;
  return (
    <button type="button" className="sort" onClick={onClick} title={`Sort by ${title}`}>
      <span className="type-name">{visible(title)}</span>
      {order !== 'none' && <Arrow size={13} aria-hidden style={{ flex: 'none' }} />}
    </button>
  );
}

function Cell({ column, row }: { column: Column; row: Row }) {
  const text = column.text(row);
  const mono = ['id', 'source', 'target'].includes(column.key) ? ' mono' : '';
  if (text === undefined) {
    return (
      <div className="cell absent" role="gridcell" style={{ width: column.width }}>
        <span aria-label="not set">–</span>
      </div>
    );
  }
  return (
    <div className={`cell${column.number ? ' number' : ''}${mono}`} role="gridcell" style={{ width: column.width }} title={text.length > 20 ? text : undefined}>
      {column.key === 'type' && !('source_id' in row) && <span className="dot" style={{ background: look(row.type).colour, display: 'inline-block', marginRight: 8 }} />}
      {text}
    </div>
  );
}
