// The rows of an answer. Only the visible ones are in the page, so that 10,000 scroll as a few do.
import { useMemo, useRef, type KeyboardEvent, useState } from 'react';
import type { EntityRef } from '../explore/url';
import { useRowWindow } from '../explore/useRowWindow';
import { escapeInvisible } from '../values/text';
import { cellText, entityOf, isNumeric, namesOf, type Answer, type Cell, type Names } from './answer';

const rowHeight = 34;
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
    const entity = event.key === 'Enter' ? entityOf(rows[row]?.[column]) : null;
    if (entity) onOpen?.(entity);
    if (!to && !entity) return;
    event.preventDefault();
    if (to) moveTo(...to);
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
            className="cell"
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
      <div ref={grid} role="rowgroup" style={{ height: rows.length * rowHeight, position: 'relative' }} onKeyDown={handleKeyDown}>
        {rows.slice(first, end).map((row, offset) => (
          <div
            key={first + offset}
            className="grid-row"
            role="row"
            aria-rowindex={first + offset + 2}
            style={{ top: (first + offset) * rowHeight }}
          >
            {row.map((cell, i) => (
              <ResultCell
                key={i}
                cell={cell}
                names={names}
                width={widths[i]!}
                numeric={isNumeric(columns[i]!)}
                place={`${first + offset} ${i}`}
                isStop={active[0] === first + offset && active[1] === i}
                onFocus={() => setActive([first + offset, i])}
                onOpen={onOpen}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function sortOf(order: TableOrder | undefined, column: string) {
  if (order?.keys.includes(column)) return 'ascending';
  return order?.keys.includes(`-${column}`) ? 'descending' : undefined;
}

interface CellProps {
  cell: Cell;
  names: Names;
  width: number;
  numeric: boolean;
  place: string;
  isStop: boolean;
  onFocus: () => void;
  onOpen: Props['onOpen'];
}

function ResultCell({ cell, names, width, numeric, place, isStop, onFocus, onOpen }: CellProps) {
  const text = escapeInvisible(cellText(cell, names)).replace(/[\n\t]/g, ' ');
  const entity = entityOf(cell);
  const name = numeric ? 'cell number' : cell === null ? 'cell absent' : 'cell';
  return (
    <div
      className={entity && onOpen ? `${name} opens` : name}
      role="gridcell"
      style={{ width }}
      title={text}
      tabIndex={isStop ? 0 : -1}
      data-cell={place}
      onFocus={onFocus}
      onClick={() => entity && onOpen?.(entity)}
    >
      {cell === null ? 'null' : text}
    </div>
  );
}
