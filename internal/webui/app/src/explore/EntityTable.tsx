// A table of any length: only the visible rows are rendered, and the next page is loaded when the user scrolls near the end.
import { Suspense, type CSSProperties } from 'react';
import { onDemand } from '../api/onDemand';
import type { Schema } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import type { ChangeView, View } from './url';
import { moveKey, propertiesOf, type Column } from './columns';
import { useAppearanceVersion } from './appearance';
import { useColumnWidths } from './columnWidths';
import type { Row, useList } from './lists';
import { maySelectRows } from './selection';
import { TableFoot } from './TableFoot';
import { TableHead } from './TableHead';
import { rowHeight, TableRow } from './TableRow';
import { usePages } from './usePages';
import type { Selected } from './useRowSelection';
import { useTableActions } from './useTableActions';

const SelectionBar = onDemand(() => import('./SelectionBar'));
const CellEditor = onDemand(() => import('./CellEditor'));

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

const checkWidth = 36; // of the column with the marks of selected rows

export function EntityTable({ list, schema, columns, view, subject, expected, change, selected, onCancel }: Props) {
  const pages = usePages({ list, view, expected, onCancel });
  const { rows, first, end, box } = pages;
  const [widths, setWidth] = useColumnWidths(view.kind, view.type, columns);
  const may = useEditPermissions()[view.kind];
  const maySelect = maySelectRows(view.kind, may);
  const table = useTableActions({
    rows,
    columns,
    view,
    box,
    reveal: pages.reveal,
    change,
    maySelect,
    selected,
    isCurrent: list.isSuccess && !list.isPlaceholderData,
    mayEdit: may.edit,
  });

  const waitingKey = `${view.sort} ${view.end} ${JSON.stringify(view.conditions)}`;
  if (list.isPending || rows.length === 0) return <NoRows key={waitingKey} list={list} view={view} subject={subject} onCancel={onCancel} />;

  function moveColumn(key: string, to: string) {
    change((now) => ({ columns: moveKey(now.columns ?? columns.map((c) => c.key), key, to) }));
  }

  const activeVisible = table.active >= first && table.active < end;
  const gridStyle = Object.fromEntries(widths.map((width, index) => [`--w${index}`, `${width}px`])) as CSSProperties;
  return (
    <>
      <div
        className="grid"
        ref={pages.setBox}
        role="grid"
        aria-label={subject}
        aria-busy={list.isPlaceholderData}
        aria-multiselectable={maySelect || undefined}
        aria-rowcount={pages.total === undefined ? -1 : pages.total + 1}
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
        <TableBody
          table={table}
          rows={rows}
          first={first}
          end={end}
          columns={columns}
          widths={widths}
          view={view}
          schema={schema}
          maySelect={maySelect}
        />
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
      <TableFoot list={list} pages={pages} subject={subject} waitingKey={waitingKey} />
    </>
  );
}

/** What stands in the place of the rows while there are none. */
function NoRows({ list, view, subject, onCancel }: Pick<Props, 'list' | 'view' | 'subject' | 'onCancel'>) {
  const retry = () => void list.refetch();
  if (list.isPending && list.fetchStatus === 'idle') return <Cancelled subject={subject} retry={retry} />;
  if (list.isPending || list.isPlaceholderData) return <CancellableLoading subject={subject} onCancel={onCancel} />;
  if (list.isError) return <LoadError error={list.error} subject={subject} retry={retry} />;
  return view.conditions.length > 0 || view.end ? (
    <EmptyState title={`No matching ${subject}`}>Remove a filter to see more.</EmptyState>
  ) : (
    <EmptyState title={`No ${subject}`}>The database contains none.</EmptyState>
  );
}

type Table = ReturnType<typeof useTableActions>;

interface BodyProps extends Pick<Props, 'columns' | 'view' | 'schema'> {
  table: Table;
  rows: Row[];
  /** The rows that are rendered: from first, without end. */
  first: number;
  end: number;
  widths: number[];
  maySelect: boolean;
}

function TableBody({ table, rows, first, end, columns, widths, view, schema, maySelect }: BodyProps) {
  const appearance = useAppearanceVersion();
  const { edited } = table;
  return (
    <div style={{ height: rows.length * rowHeight, position: 'relative' }} role="rowgroup">
      {edited && (
        <OpenCellEditor
          table={table}
          edited={edited}
          row={rows[edited.index]!}
          columns={columns}
          view={view}
          schema={schema}
          place={{
            top: edited.index * rowHeight,
            left: (maySelect ? checkWidth : 0) + widths.slice(0, edited.column).reduce((sum, width) => sum + width, 0),
            width: widths[edited.column]!,
            height: rowHeight,
          }}
        />
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
  );
}

interface OpenCellEditorProps extends Pick<Props, 'columns' | 'view' | 'schema'> {
  table: Table;
  edited: NonNullable<Table['edited']>;
  row: Row;
  place: { top: number; left: number; width: number; height: number };
}

/** The editor of the cell that is edited. */
function OpenCellEditor({ table, edited, row, columns, view, schema, place }: OpenCellEditorProps) {
  const property = columns[edited.column]!.property!;
  return (
    <Suspense>
      <CellEditor
        key={`${edited.cell.id} ${edited.cell.column}`}
        row={row}
        property={property}
        view={view}
        schema={schema}
        hasDraft={table.hasDraft}
        focusRequests={table.focusRequests}
        onChanged={table.keepDraft}
        onClose={() => table.actions.closeEditor(edited.cell)}
        use={propertiesOf(schema, view.kind, view.type).find((use) => use.name === property)}
        place={place}
      />
    </Suspense>
  );
}
