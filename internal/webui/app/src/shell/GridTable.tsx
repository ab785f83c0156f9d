// A table whose rows have controls, as a grid (WAI-ARIA Authoring Practices): it is one stop of the Tab key, and the arrow keys move
// between its cells. A cell with controls is represented by them.
import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';

interface Props {
  label: string;
  /** The cells of the heading. */
  head: ReactNode;
  /** The rows. */
  children: ReactNode;
}

const controlsOf = (cell: HTMLElement) => [...cell.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled')];

const stopsOf = (row: HTMLTableRowElement): HTMLElement[] =>
  [...row.cells].flatMap((cell) => {
    const controls = controlsOf(cell);
    return controls.length > 0 ? controls : [cell];
  });

/** The stop that a key leads to from one of them; undefined if the key is none of the grid's. */
function stopAfter(event: KeyboardEvent, rows: HTMLElement[][], from: HTMLElement): HTMLElement | undefined {
  const y = rows.findIndex((stops) => stops.includes(from));
  const row = rows[y];
  if (!row) return undefined;
  const x = row.indexOf(from);
  const inRow = (index: number) => rows[Math.max(0, Math.min(rows.length - 1, index))]!;
  const at = (stops: HTMLElement[], index: number) => stops[Math.max(0, Math.min(stops.length - 1, index))];
  const ends: Record<string, HTMLElement[]> = event.ctrlKey ? { Home: rows[0]!, End: rows.at(-1)! } : { Home: row, End: row };
  switch (event.key) {
    case 'ArrowRight':
      return at(row, x + 1);
    case 'ArrowLeft':
      return at(row, x - 1);
    case 'ArrowDown':
      return at(inRow(y + 1), x);
    case 'ArrowUp':
      return at(inRow(y - 1), x);
    case 'Home':
      return ends['Home']![0];
    case 'End':
      return ends['End']!.at(-1);
    default:
      return undefined;
  }
}

/** The text of a cell beside its controls; empty if there is none. */
function textBeside(node: Node, controls: Element[]): string {
  if (node instanceof Element && controls.includes(node)) return '';
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  return [...node.childNodes]
    .map((child) => textBeside(child, controls))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function describe(control: HTMLElement, cell: HTMLElement) {
  const text = textBeside(cell, controlsOf(cell));
  if (text !== '') control.setAttribute('aria-description', text);
  else control.removeAttribute('aria-description');
}

export function GridTable({ label, head, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const last = useRef<HTMLElement>(null); // what had the focus last
  const rowsOf = () => [...(body.current?.rows ?? [])].map(stopsOf);

  /** Names the rows by their first cells, and describes controls by the text of their cells: a screen reader reads nothing else there. */
  function describeCells() {
    for (const row of body.current?.rows ?? []) {
      row.cells[0]?.setAttribute('role', 'rowheader');
      for (const cell of row.cells) for (const control of controlsOf(cell)) describe(control, cell);
    }
  }
  useEffect(describeCells);

  /** Makes the stop that had the focus last the one that Tab reaches; the first if it is gone. */
  function updateTabStop() {
    const stops = rowsOf().flat();
    for (const cell of body.current?.querySelectorAll<HTMLElement>('td[tabindex]') ?? []) {
      if (stops.includes(cell)) continue; // it has a control, which represents it
      if (cell === document.activeElement) controlsOf(cell)[0]?.focus();
      cell.removeAttribute('tabindex');
    }
    const reached = last.current && stops.includes(last.current) ? last.current : stops[0];
    for (const stop of stops) stop.tabIndex = stop === reached ? 0 : -1;
  }
  useEffect(updateTabStop); // rows come and go

  function handleFocus({ target }: FocusEvent<HTMLElement>) {
    if (!body.current?.contains(target)) return; // in a menu that belongs to a row
    last.current = target;
    updateTabStop();
  }
  function handleKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!(event.target instanceof HTMLElement) || event.altKey || event.shiftKey || event.metaKey) return;
    // The key is meant for the menu that the button has just opened, which gets the focus a moment later.
    if (event.target.getAttribute('aria-expanded') === 'true') return;
    const next = stopAfter(event, rowsOf(), event.target);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
  return (
    <div className="card scroll-x">
      <table className="plain-table" role="grid" aria-label={label} onFocus={handleFocus} onKeyDown={handleKeyDown}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </div>
  );
}
