// What the mouse and the keyboard do in the rows of a table.
import { useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Column } from './columns';
import type { Row } from './lists';
import { rowHeight, type RowActions } from './TableRow';
import type { View } from './url';

interface Props {
  rows: Row[];
  columns: Column[];
  view: View;
  /** The scrolling element. */
  box: HTMLElement | null;
  /** Scrolls a row into view. */
  reveal: (index: number) => void;
  change: (next: Partial<View>) => void;
}

const columnOf = (event: { target: EventTarget }): number | null => {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
  return cell ? Number(cell.dataset['column']) : null;
};

export function useTableActions({ rows, columns, view, box, reveal, change }: Props) {
  const [active, setActive] = useState(0);
  const open = (row: Row) => change({ open: { kind: view.kind, id: row.id } });

  const latest: RowActions = {
    onClick: (_event, index, row) => {
      setActive(index);
      open(row);
    },
    onDoubleClick: () => undefined,
    onToggle: () => undefined,
    onOpenNode: (id) => change({ open: { kind: 'node', id } }),
  };
  // Rows are memoized, so their callbacks must stay the same functions.
  const current = useRef(latest);
  current.current = latest;
  const actions = useMemo<RowActions>(
    () => ({
      onClick: (event: MouseEvent, index, row) => current.current.onClick(event, index, row),
      onDoubleClick: (event: MouseEvent, row) => current.current.onDoubleClick(event, row),
      onToggle: (event: MouseEvent, index, row) => current.current.onToggle(event, index, row),
      onOpenNode: (id) => current.current.onOpenNode(id),
    }),
    [],
  );

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
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || event.target.closest('button, [data-head], [role="separator"]')) return; // they handle their keys themselves
    const column = columnOf(event);
    const pageRows = Math.floor((box?.clientHeight ?? rowHeight) / rowHeight) - 2;
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + pageRows, PageUp: active - pageRows, Home: 0, End: rows.length - 1 };
    const to = steps[event.key];
    const row = rows[active];
    if (to !== undefined) focusRow(to, column);
    else if (event.key === 'ArrowRight') focusRow(active, Math.min(columns.length - 1, (column ?? -1) + 1));
    else if (event.key === 'ArrowLeft') focusRow(active, column === null || column === 0 ? null : column - 1);
    else if ((event.key === 'Enter' || event.key === ' ') && row) open(row);
    else return;
    event.preventDefault();
  }

  return { active, actions, focusRow, handleKeyDown };
}
