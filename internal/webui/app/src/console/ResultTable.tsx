// The rows of an answer. Only the visible ones are in the page, so that 10,000 scroll as a few do.
import { memo, useMemo, useRef, type KeyboardEvent, useState } from 'react';
import type { EntityRef } from '../explore/url';
import { rowHeight } from '../explore/TableRow';
import { useRowWindow } from '../explore/useRowWindow';
import { escapeInvisible } from '../values/text';
import { cellText, entityOf, isNumeric, namesOf, type Answer, type Cell, type Names } from './answer';

const headHeight = 36;
const minWidth = 90;
const maxWidth = 420;
const characterWidth = 8.8; // of wide fonts
const sampled = 200; // rows that decide about widths
const arrowWidth = 3; // characters, in a heading that sorts

function widthsOf({ columns, rows }: Answer, names: Names, headingExtra: number): number[] {
  return columns.map(({ name }, i) => {
    const lengths = rows.slice(0, sampled).map((row) => cellText(row[i], names).length);
    return Math.round(Math.min(maxWidth, Math.max(minWidth, 28 + characterWidth * Math.max(name.length + headingExtra, ...lengths))));
  });
}

/** How the rows are sorted: names of columns, with "-" before one that descends. */
export interface TableOrder {
  keys: string[];
  onSort: (column: string) => void;
}

interface Props {
  answer: Answer;
  order?: TableOrder;
  /** Opens an entity; null if the user may not. */
  onOpen: ((entity: EntityRef) => void) | null;
}

export function ResultTable({ answer, order, onOpen }: Props) {
  const { columns, rows } = answer;
  const names = useMemo(() => namesOf(answer), [answer]);
  const sortable = order !== undefined;
  const widths = useMemo(() => widthsOf(answer, names, sortable ? arrowWidth : 0), [answer, names, sortable]);
  const { first, end, setBox, reveal } = useRowWindow(rows.length, rowHeight, headHeight);
  const [active, setActive] = useState<[number, number]>([0, 0]);
  const grid = useRef<HTMLDivElement>(null);

  function moveTo(row: number, column: number) {
    const next: [number, number] = [Math.max(0, Math.min(rows.length - 1, row)), Math.max(0, Math.min(columns.length - 1, column))];
    setActive(next);
    reveal(next[0]);
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-cell="${next.join(' ')}"]`)?.focus());
  }
  function handleKeyDown(event: KeyboardEvent) {
    const [row, column] = active;
    const to = (
      {
        ArrowDown: [row + 1, column],
        ArrowUp: [row - 1, column],
        ArrowRight: [row, column + 1],
        ArrowLeft: [row, column - 1],
        PageDown: [row + 10, column],
        PageUp: [row - 10, column],
        Home: [event.ctrlKey ? 0 : row, 0],
        End: [event.ctrlKey ? rows.length - 1 : row, columns.length - 1],
      } as Record<string, [number, number]>
    )[event.key];
    if (!to && !(event.key === 'Enter' && openAt(active))) return;
    event.preventDefault();
    if (to) moveTo(...to);
  }
  /** Opens the entity of a cell, if it has one. */
  function openAt([row, column]: [number, number]): boolean {
    const entity = entityOf(rows[row]?.[column]);
    if (entity) onOpen?.(entity);
    return entity !== null;
  }
  return (
    <div
      className="grid result-grid"
      ref={setBox}
      role="grid"
      aria-label="Rows"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        {columns.map(({ name }, i) => (
          <div
            key={i}
            className={isNumeric(columns[i]!) ? 'cell number' : 'cell'}
            role="columnheader"
            style={{ width: widths[i] }}
            title={columns[i]!.types.join(', ')}
            aria-sort={sortOf(order, name)}
          >
            {order ? (
              <button type="button" className="heading" onClick={() => order.onSort(name)}>
                {escapeInvisible(name)}
                {sortOf(order, name) && <span aria-hidden>{sortOf(order, name) === 'ascending' ? ' ↑' : ' ↓'}</span>}
              </button>
            ) : (
              escapeInvisible(name)
            )}
          </div>
        ))}
      </div>
      <div
        ref={grid}
        role="rowgroup"
        style={{ height: rows.length * rowHeight, position: 'relative' }}
        onKeyDown={handleKeyDown}
        onFocus={({ target }) => setActive(placeOf(target))}
        onClick={({ target }) => openAt(placeOf(target))}
      >
        {rows.slice(first, end).map((row, offset) => (
          <ResultRow
            key={first + offset}
            row={row}
            index={first + offset}
            columns={columns}
            names={names}
            widths={widths}
            stop={active[0] === first + offset ? active[1] : -1}
            opens={onOpen !== null}
          />
        ))}
      </div>
    </div>
  );
}

function sortOf(order: TableOrder | undefined, column: string) {
  if (order?.keys.includes(column)) return 'ascending';
  return order?.keys.includes(`-${column}`) ? 'descending' : undefined;
}

/** Returns the row and the column of a cell, or of what is in it. */
function placeOf(target: EventTarget): [number, number] {
  const [row = -1, column = -1] = (target as Element).closest<HTMLElement>('[data-cell]')?.dataset['cell']?.split(' ').map(Number) ?? [];
  return [row, column];
}

interface RowProps {
  row: Cell[];
  index: number;
  columns: Answer['columns'];
  names: Names;
  widths: number[];
  stop: number; // the column of the cell that Tab reaches, -1 for none
  opens: boolean;
}

/** Rendered again only if it changes: while the table scrolls, most rows stay. */
const ResultRow = memo(function ResultRow({ row, index, columns, names, widths, stop, opens }: RowProps) {
  return (
    <div
      className="grid-row"
      role="row"
      aria-rowindex={index + 2}
      style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
    >
      {row.map((cell, i) => {
        const text = escapeInvisible(cellText(cell, names)).replace(/[\n\t]/g, ' ');
        const name = isNumeric(columns[i]!) ? 'cell number' : cell === null ? 'cell absent' : 'cell';
        return (
          <div
            key={i}
            className={opens && entityOf(cell) ? `${name} opens` : name}
            role="gridcell"
            style={{ width: widths[i] }}
            title={text}
            tabIndex={stop === i ? 0 : -1}
            data-cell={`${index} ${i}`}
          >
            {cell === null ? 'null' : text}
          </div>
        );
      })}
    </div>
  );
});
