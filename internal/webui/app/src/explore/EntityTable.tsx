// A table of any length: only the visible rows are rendered, and the next page is loaded when the user scrolls near the end.
import { Loader } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo, useState, type CSSProperties } from 'react';
import type { Schema } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { ProblemText } from '../shell/ProblemText';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { formatCount } from '../values/text';
import type { ChangeView, View } from './url';
import { moveKey, propertiesOf, type Column } from './columns';
import { useAppearanceVersion } from './appearance';
import { useColumnWidths } from './columnWidths';
import { useExactCount, type useList } from './lists';
import { TableHead } from './TableHead';
import { rowHeight, TableRow } from './TableRow';
import { useRowWindow } from './useRowWindow';
import type { Selected } from './useRowSelection';
import { useTableActions } from './useTableActions';

const SelectionBar = lazy(() => import('./SelectionBar'));
const CellEditor = lazy(() => import('./CellEditor'));

interface Props {
  list: ReturnType<typeof useList>;
  schema: Schema;
  columns: Column[];
  view: View;
  subject: string;
  /** The count of the schema, for lists without a total. */
  expected?: number;
  change: ChangeView;
  selected: Selected;
  /** Aborts the running request. */
  onCancel: () => void;
}

const headHeight = 38;
const checkWidth = 36; // of the column with the marks of selected rows

/** How many rows before the end of the loaded rows the next page is requested; it grows with the list, because users scroll faster. */
const prefetchDistance = (loaded: number) => Math.max(40, Math.min(500, loaded / 4));

export function EntityTable({ list, schema, columns, view, subject, expected, change, selected, onCancel }: Props) {
  const appearance = useAppearanceVersion();
  // After a cancelled page, the next one is loaded only on request.
  const [paused, setPaused] = useState(false);
  const [counting, setCounting] = useState(false);
  const count = useExactCount(view, counting);
  const pages = list.data?.pages;
  const rows = useMemo(() => pages?.flatMap((p) => p.items) ?? [], [pages]);
  const total = pages?.at(-1)?.page.total ?? count.data ?? (list.hasNextPage ? expected : rows.length);
  const { first, end, setBox, box, reveal } = useRowWindow(rows.length, rowHeight, headHeight);
  const nearEnd = end >= rows.length - prefetchDistance(rows.length);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = list;
  const [widths, setWidth] = useColumnWidths(view.kind, view.type, columns);

  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !paused && nearEnd) void fetchNextPage();
  }, [nearEnd, paused, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const may = useEditPermissions()[view.kind];
  const maySelect = may.edit || may.delete;
  const table = useTableActions({
    rows,
    columns,
    view,
    box,
    reveal,
    change,
    maySelect,
    selected,
    isCurrent: list.isSuccess && !list.isPlaceholderData,
    mayEdit: may.edit,
  });
  const { edited } = table;

  const waitingKey = `${view.sort} ${view.end} ${JSON.stringify(view.conditions)}`;
  if (list.isPending && list.fetchStatus === 'idle') return <Cancelled subject={subject} retry={() => void list.refetch()} />;
  if (list.isPending || (list.isPlaceholderData && rows.length === 0))
    return <CancellableLoading key={waitingKey} subject={subject} onCancel={onCancel} />;
  if (list.isError && rows.length === 0) return <LoadError error={list.error} subject={subject} retry={() => void list.refetch()} />;
  if (rows.length === 0)
    return view.conditions.length > 0 || view.end ? (
      <EmptyState title={`No matching ${subject}`}>Remove a filter to see more.</EmptyState>
    ) : (
      <EmptyState title={`No ${subject}`}>The database contains none.</EmptyState>
    );

  function cancel() {
    setPaused(isFetchingNextPage);
    onCancel();
  }
  function loadMore() {
    setPaused(false);
    if (!nearEnd) void fetchNextPage(); // otherwise the effect does
  }
  function moveColumn(key: string, to: string) {
    change((now) => ({ columns: moveKey(now.columns ?? columns.map((c) => c.key), key, to) }));
  }

  const activeVisible = table.active >= first && table.active < end;
  const gridStyle = Object.fromEntries(widths.map((width, index) => [`--w${index}`, `${width}px`])) as CSSProperties;
  return (
    <>
      <div
        className="grid"
        ref={setBox}
        role="grid"
        aria-label={subject}
        aria-busy={list.isPlaceholderData}
        aria-multiselectable={maySelect || undefined}
        aria-rowcount={total === undefined ? -1 : total + 1}
        onKeyDown={table.handleKeyDown}
        tabIndex={activeVisible ? -1 : 0}
        style={gridStyle}
        onFocus={(e) => e.target === box && table.focusRow(table.active)}
      >
        <TableHead
          selectAll={
            maySelect
              ? {
                  all: table.shown.length === rows.length,
                  some: table.shown.length > 0,
                  onChange: (on) => (on ? table.selectAll() : table.clearSelection()),
                }
              : null
          }
          columns={columns}
          widths={widths}
          sort={view.sort}
          onSort={(next) => change((now) => ({ sort: next(now.sort) }))}
          onWidth={setWidth}
          onMove={moveColumn}
        />
        <div style={{ height: rows.length * rowHeight, position: 'relative' }} role="rowgroup">
          {edited && (
            <Suspense>
              <CellEditor
                key={`${edited.cell.id} ${edited.cell.column}`}
                row={rows[edited.index]!}
                property={columns[edited.column]!.property!}
                view={view}
                schema={schema}
                hasDraft={table.hasDraft}
                focusRequests={table.focusRequests}
                onChanged={table.keepDraft}
                onClose={() => table.actions.closeEditor(edited.cell)}
                use={propertiesOf(schema, view.kind, view.type).find((use) => use.name === columns[edited.column]!.property)}
                place={{
                  top: edited.index * rowHeight,
                  left: (maySelect ? checkWidth : 0) + widths.slice(0, edited.column).reduce((sum, width) => sum + width, 0),
                  width: widths[edited.column]!,
                  height: rowHeight,
                }}
              />
            </Suspense>
          )}
          {rows.slice(first, end).map((row, offset) => (
            <TableRow
              key={row.id}
              row={row}
              index={first + offset}
              columns={columns}
              open={view.open?.id === row.id}
              selected={maySelect ? table.isSelected(row.id) : null}
              active={first + offset === table.active}
              appearanceVersion={appearance}
              actions={table.actions}
            />
          ))}
        </div>
      </div>
      {table.selected.length > 0 && (
        <Suspense>
          <SelectionBar
            selected={table.selected}
            shown={table.shown.length}
            loaded={rows.length}
            view={view}
            schema={schema}
            onSelectAll={table.selectAll}
            onClear={table.clearSelection}
          />
        </Suspense>
      )}
      <div className="grid-foot">
        <span role="status">
          {formatCount(rows.length)}
          {list.isPlaceholderData
            ? ' previous rows'
            : !hasNextPage
              ? ' total'
              : total !== undefined && total > rows.length
                ? ` of ${formatCount(total)} loaded`
                : ' loaded'}
        </span>
        {list.isFetching && (
          <>
            <Loader size={14} />
            <Waiting key={waitingKey} subject={subject} onCancel={cancel} />
          </>
        )}
        {total === undefined && hasNextPage && !list.isPlaceholderData && !counting && (
          <button type="button" className="linkbutton" onClick={() => setCounting(true)}>
            Count all
          </button>
        )}
        {count.isFetching && <Loader size={14} aria-label="Counting" />}
        {count.isError && (
          <div role="alert">
            Not counted: <ProblemText error={count.error} />
          </div>
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
