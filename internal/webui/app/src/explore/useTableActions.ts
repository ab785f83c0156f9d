// What the mouse and the keyboard do in the rows of a table: they open, select and edit.
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Column } from './columns';
import type { Row } from './lists';
import { currentRows, emptySelection, selectAll, selectRange, toggleRow, withoutRows } from './selection';
import { rowHeight, type RowActions } from './TableRow';
import type { View } from './url';
import type { Selected } from './useRowSelection';

interface Props {
  rows: Row[];
  columns: Column[];
  view: View;
  /** The scrolling element. */
  box: HTMLElement | null;
  /** Scrolls a row into view. */
  reveal: (index: number) => void;
  change: (next: Partial<View>) => void;
  maySelect: boolean;
  selected: Selected;
  /** Whether the rows are those of the view, and not those of the previous one. */
  isCurrent: boolean;
  mayEdit: boolean;
}

/** The cell that is edited. */
export interface EditedCell {
  id: string;
  /** The key of its column. */
  column: string;
}

type TableActions = RowActions & { closeEditor: (cell: EditedCell) => void };

/** Finds a cell; null if it is not shown. */
function locate(cell: EditedCell | null, rows: Row[], columns: Column[]) {
  if (!cell) return null;
  const index = rows.findIndex((row) => row.id === cell.id);
  const column = columns.findIndex((c) => c.key === cell.column);
  return index >= 0 && column >= 0 ? { cell, index, column } : null;
}

// Milliseconds in which a second click edits the cell, instead of opening the row, which costs requests.
const doubleClickTime = 220;

const columnOf = (event: { target: EventTarget }): number | null => {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
  return cell ? Number(cell.dataset['column']) : null;
};

/** The row to which a key moves the focus; undefined for other keys. */
function targetOfKey(key: string, at: number, pageRows: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}

/** The row that the keys move from. */
function useActiveRow(rows: Row[], box: Props['box'], reveal: Props['reveal']) {
  const [active, setActive] = useState(0);
  /** Moves the focus to a row, or to one of its cells. */
  function focusRow(to: number, column: number | null = null) {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    // The row must be rendered before it can have the focus.
    flushSync(() => {
      setActive(next);
      reveal(next);
    });
    const row = box?.querySelector<HTMLElement>(`[data-index="${next}"]`);
    const cell = column === null ? null : row?.querySelector<HTMLElement>(`[data-column="${column}"]`);
    (cell ?? row)?.focus();
    return next;
  }
  return { active, setActive, focusRow };
}

/** The cell that is edited. */
function useEditedCell(rows: Row[], columns: Column[], focusRow: (index: number, column: number) => void) {
  const [editedCell, setEditedCell] = useState<EditedCell | null>(null);
  const [hasDraft, setHasDraft] = useState(false);
  const [focusRequests, setFocusRequests] = useState(0);
  const edited = useMemo(() => locate(editedCell, rows, columns), [editedCell, rows, columns]);
  // A cell that is not shown any more is not edited when it returns.
  if (editedCell && !edited) setEditedCell(null);
  const returnToDraft = () => setFocusRequests(focusRequests + 1);
  function edit(row: Row, column: number) {
    if (edited && hasDraft) return returnToDraft(); // it stays until it is saved or cancelled
    setEditedCell({ id: row.id, column: columns[column]!.key });
    setHasDraft(false);
  }
  function closeEditor(cell: EditedCell) {
    if (edited?.cell !== cell) return; // saved late: another cell is edited now
    setEditedCell(null);
    focusRow(edited.index, edited.column);
  }
  return { edited, hasDraft, focusRequests, returnToDraft, edit, closeEditor, keepDraft: () => setHasDraft(true) };
}

/** Removes rows from the selection that are no longer in the list. */
function useCurrentSelection(rows: Row[], isCurrent: boolean, setSelection: Props['selected'][1]) {
  // A row that leaves the list while its order and filter stay was deleted, or changed so that it does not match any more.
  const seen = useRef(new Set<string>());
  useEffect(() => {
    if (!isCurrent) return;
    const now = new Set(rows.map((row) => row.id));
    setSelection((before) => withoutRows(before, (id) => seen.current.has(id) && !now.has(id)));
    seen.current = now;
  }, [rows, isCurrent, setSelection]);
}

/** The latest actions, as functions that stay the same. */
function useStableActions(latest: TableActions): TableActions {
  // Rows are memoized, so their callbacks must stay the same functions. The editor closes when its save is answered: the rows may be others
  // than when it was sent.
  const current = useRef(latest);
  current.current = latest;
  return useMemo<TableActions>(
    () => ({
      onClick: (...args) => current.current.onClick(...args),
      onDoubleClick: (...args) => current.current.onDoubleClick(...args),
      onToggle: (...args) => current.current.onToggle(...args),
      onOpenNode: (id) => current.current.onOpenNode(id),
      closeEditor: (cell) => current.current.closeEditor(cell),
    }),
    [],
  );
}

export function useTableActions({
  rows,
  columns,
  view,
  box,
  reveal,
  change,
  maySelect,
  selected: [selection, setSelection],
  isCurrent,
  mayEdit,
}: Props) {
  const { active, setActive, focusRow } = useActiveRow(rows, box, reveal);
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(opening.current), []);
  const { shown, others } = useMemo(() => currentRows(selection, rows), [rows, selection]);
  const selected = useMemo(() => [...shown, ...others], [shown, others]);
  useCurrentSelection(rows, isCurrent, setSelection);
  const open = (row: Row) => change({ open: { kind: view.kind, id: row.id } });
  const isEditable = (column: number | null) => mayEdit && column !== null && columns[column]?.property !== undefined;

  const cells = useEditedCell(rows, columns, focusRow);
  const { edited, hasDraft, closeEditor } = cells;
  function edit(row: Row, column: number) {
    clearTimeout(opening.current);
    cells.edit(row, column);
  }
  function select(event: MouseEvent, index: number, row: Row) {
    if (event.shiftKey) setSelection(selectRange(selection, index, rows, event.ctrlKey || event.metaKey));
    else setSelection(toggleRow(selection, index, row));
  }

  const latest: TableActions = {
    onClick: (event, index, row) => {
      setActive(index);
      if (maySelect && (event.shiftKey || event.ctrlKey || event.metaKey)) return select(event, index, row);
      clearTimeout(opening.current);
      if (!isEditable(columnOf(event))) return open(row);
      if (event.detail < 2) opening.current = setTimeout(() => open(row), doubleClickTime);
    },
    onDoubleClick: (event, row) => {
      const column = columnOf(event);
      if (isEditable(column)) edit(row, column!);
    },
    onToggle: (event, index, row) => {
      event.stopPropagation();
      setActive(index);
      select(event, index, row);
    },
    onOpenNode: (id) => change({ open: { kind: 'node', id } }),
    closeEditor,
  };
  const actions = useStableActions(latest);

  function moveByKey(event: KeyboardEvent, from: number, to: number) {
    const next = focusRow(to, columnOf(event));
    if (event.shiftKey && maySelect)
      setSelection(selectRange(selection.rows.size === 0 ? { ...selection, anchor: from } : selection, next, rows, false));
  }
  function handleKeyDown(event: KeyboardEvent) {
    // They handle their keys themselves.
    if (!(event.target instanceof HTMLElement) || event.target.closest('button, input, [data-head], [role="separator"]')) return;
    const at = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? active);
    const column = columnOf(event);
    const pageRows = Math.floor((box?.clientHeight ?? rowHeight) / rowHeight) - 2;
    const to = targetOfKey(event.key, at, pageRows, rows.length);
    const row = rows[at];
    const firstEditable = columns.findIndex((c) => c.property !== undefined);
    if (to !== undefined) moveByKey(event, at, to);
    else if (event.key === 'ArrowRight') focusRow(at, Math.min(columns.length - 1, (column ?? -1) + 1));
    else if (event.key === 'ArrowLeft') focusRow(at, column === null || column === 0 ? null : column - 1);
    else if (event.key === ' ' && maySelect && row) setSelection(toggleRow(selection, at, row));
    else if ((event.key === 'Enter' || event.key === ' ') && row) open(row);
    else if (event.key === 'F2' && row && isEditable(column ?? firstEditable)) edit(row, column ?? firstEditable);
    else if (event.key === 'Escape' && edited && hasDraft) cells.returnToDraft();
    else if (event.key === 'Escape' && edited) closeEditor(edited.cell);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && maySelect) setSelection(selectAll(selection, rows));
    else return;
    event.preventDefault();
  }

  return {
    active,
    actions,
    selected,
    shown,
    edited,
    hasDraft,
    focusRequests: cells.focusRequests,
    keepDraft: cells.keepDraft,
    focusRow,
    handleKeyDown,
    isSelected: (id: string) => selection.rows.has(id),
    selectAll: () => setSelection(selectAll(selection, rows)),
    clearSelection: () => setSelection(emptySelection),
  };
}
