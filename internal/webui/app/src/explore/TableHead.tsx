// The heading of the table: sorts by columns, moves them and changes their widths.
import { ArrowDown, ArrowUp, TriangleAlert } from 'lucide-react';
import { useState, type DragEvent, type KeyboardEvent, type PointerEvent } from 'react';
import { escapeInvisible } from '../values/text';
import type { Column } from './columns';
import { addSort, nextSort, parseSort, type Order } from './filters';
import { maxWidth, minWidth } from './columnWidths';

interface Props {
  /** Whether all or some of the loaded rows are selected; null if rows cannot be selected. */
  selectAll: { all: boolean; some: boolean; onChange: (on: boolean) => void } | null;
  columns: Column[];
  widths: number[];
  sort: string;
  /** Receives what is done with the order of the address. */
  onSort: (next: (now: string) => string) => void;
  /** Changes a width; null restores the default. */
  onWidth: (key: string, width: number | null) => void;
  /** Moves a column to the place of another one. */
  onMove: (key: string, to: string) => void;
}

const widthStep = 16; // pixels, for the arrow keys

/** The heading is one stop of the Tab key for sorting and one for widths; the arrows move between its columns. */
export function TableHead({ selectAll, columns, widths, sort, onSort, onWidth, onMove }: Props) {
  const [stop, setStop] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const orders = parseSort(sort);
  const stopKey = columns.some((c) => c.key === stop) ? stop : columns[0]?.key;

  function moveFocus(event: KeyboardEvent<HTMLElement>) {
    const headings = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-head]')];
    const at = headings.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: headings.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    headings[Math.max(0, Math.min(headings.length - 1, to))]?.focus();
  }
  function dropOn(event: DragEvent, key: string) {
    event.preventDefault();
    if (dragged !== null && dragged !== key) onMove(dragged, key);
    setDragged(null);
    setTarget(null);
  }

  return (
    <div className="grid-head" role="row" aria-rowindex={1} onKeyDown={moveFocus}>
      {selectAll && (
        <div className="cell check" role="columnheader">
          <input
            type="checkbox"
            aria-label="Select all loaded rows"
            checked={selectAll.all}
            onChange={(event) => selectAll.onChange(event.currentTarget.checked)}
            ref={(box) => {
              if (box) box.indeterminate = selectAll.some && !selectAll.all;
            }}
          />
        </div>
      )}
      {columns.map((c, index) => {
        const rank = orders.findIndex((order) => order.property === c.sortName);
        return (
          <div
            key={c.key}
            className={`cell${c.number ? ' number' : ''}${target === c.key && dragged !== null ? ' drop' : ''}`}
            role="columnheader"
            aria-sort={c.sortName === undefined ? undefined : ariaSort(orders[rank])}
            style={{ width: `var(--w${index})` }}
            title={c.problem === undefined ? (c.hint ?? c.title) : `Could not be read: ${c.problem}`}
            onFocus={() => setStop(c.key)}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setTarget(c.key);
            }}
            onDrop={(event) => dropOn(event, c.key)}
          >
            <span
              className="head-label"
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                event.dataTransfer.setData('text/plain', c.title);
                setDragged(c.key);
              }}
              onDragEnd={() => setDragged(null)}
            >
              {c.problem !== undefined && (
                <TriangleAlert size={13} className="head-problem" role="img" aria-label={`Could not be read: ${c.problem}`} />
              )}
              {c.sortName === undefined ? (
                <span data-head tabIndex={c.key === stopKey ? 0 : -1} className="sort">
                  {escapeInvisible(c.title)}
                </span>
              ) : (
                <SortButton
                  title={c.title}
                  by={c.property ?? c.sortName}
                  order={orders[rank]}
                  rank={orders.length > 1 ? rank + 1 : 0}
                  isStop={c.key === stopKey}
                  onClick={(add) => onSort((now) => (add ? addSort : nextSort)(now, c.sortName!))}
                />
              )}
            </span>
            <WidthSeparator title={c.title} width={widths[index]!} isStop={c.key === stopKey} onWidth={(width) => onWidth(c.key, width)} />
          </div>
        );
      })}
    </div>
  );
}

const ariaSort = (order: Order | undefined) => (order === undefined ? 'none' : order.descending ? 'descending' : 'ascending');

interface SortButtonProps {
  title: string;
  /** What the rows are sorted by. */
  by: string;
  order: Order | undefined;
  /** The place among several keys, from 1; else 0. */
  rank: number;
  isStop: boolean;
  onClick: (add: boolean) => void;
}

function SortButton({ title, by, order, rank, isStop, onClick }: SortButtonProps) {
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className="sort"
      data-head
      tabIndex={isStop ? 0 : -1}
      title={`Sort by ${by}; with Shift as a further key`}
      aria-label={rank > 0 ? `${escapeInvisible(title)}, sort key ${rank}` : undefined}
      onClick={(event) => onClick(event.shiftKey)}
    >
      <span className="type-name">{escapeInvisible(title)}</span>
      {order && <Arrow size={13} aria-hidden style={{ flex: 'none' }} />}
      {rank > 0 && <span className="sort-rank" data-rank={rank} aria-hidden />}
    </button>
  );
}

interface WidthSeparatorProps {
  title: string;
  width: number;
  isStop: boolean;
  onWidth: (width: number | null) => void;
}

function WidthSeparator({ title, width, isStop, onWidth }: WidthSeparatorProps) {
  function follow(event: PointerEvent<HTMLElement>) {
    event.preventDefault();
    const separator = event.currentTarget;
    const start = event.clientX;
    separator.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onWidth(width + moved.clientX - start);
    const end = () => {
      separator.removeEventListener('pointermove', move);
      separator.removeEventListener('pointerup', end);
      separator.removeEventListener('pointercancel', end);
    };
    separator.addEventListener('pointermove', move);
    separator.addEventListener('pointerup', end);
    separator.addEventListener('pointercancel', end);
  }
  function handleKeyDown(event: KeyboardEvent) {
    const next = { ArrowLeft: width - widthStep, ArrowRight: width + widthStep, Home: minWidth, End: maxWidth }[event.key];
    if (next === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(next ?? null);
  }
  return (
    <span
      className="width-separator"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${escapeInvisible(title)}`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      tabIndex={isStop ? 0 : -1}
      title="Drag to change the width; double click restores it"
      onPointerDown={follow}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={handleKeyDown}
    />
  );
}
