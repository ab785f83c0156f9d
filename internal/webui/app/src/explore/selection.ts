// The selected rows of a table. The rows themselves are kept, since another order or filter may not have loaded them.
import type { EntityKind } from '../api/graph';
import type { KindRights } from '../session/session';

/** Whether rows can be selected: to edit or delete them, and nodes to add them to the canvas. */
export const maySelectRows = (kind: EntityKind, may: KindRights) => may.edit || may.delete || kind === 'node';

export interface RowSelection<R extends { id: string }> {
  rows: ReadonlyMap<string, R>;
  /** The index of the row from which a range starts. */
  anchor: number;
}

export const emptySelection: RowSelection<never> = { rows: new Map<string, never>(), anchor: 0 };

const byId = <R extends { id: string }>(rows: readonly R[]): [string, R][] => rows.map((row) => [row.id, row]);

/** Selects a row, or removes it from the selection. */
export function toggleRow<R extends { id: string }>(now: RowSelection<R>, index: number, row: R): RowSelection<R> {
  const rows = new Map(now.rows);
  if (!rows.delete(row.id)) rows.set(row.id, row);
  return { rows, anchor: index };
}

/** Selects the rows between the anchor and a row; with keep, in addition to those that are selected. */
export function selectRange<R extends { id: string }>(
  now: RowSelection<R>,
  index: number,
  rows: readonly R[],
  keep: boolean,
): RowSelection<R> {
  const anchor = Math.min(now.anchor, rows.length - 1);
  const range = byId(rows.slice(Math.min(anchor, index), Math.max(anchor, index) + 1));
  return { rows: new Map(keep ? [...now.rows, ...range] : range), anchor };
}

/** Selects all loaded rows, in addition to those that are selected and not loaded. */
export function selectAll<R extends { id: string }>(now: RowSelection<R>, rows: readonly R[]): RowSelection<R> {
  return { rows: new Map([...now.rows, ...byId(rows)]), anchor: 0 };
}

/** Removes rows from the selection. */
export function withoutRows<R extends { id: string }>(now: RowSelection<R>, isGone: (id: string) => boolean): RowSelection<R> {
  const left = [...now.rows].filter(([id]) => !isGone(id));
  return left.length === now.rows.size ? now : { ...now, rows: new Map(left) };
}

/** The selected rows as they are now, where they are loaded: first the loaded ones in their order, then the others. */
export function currentRows<R extends { id: string }>(now: RowSelection<R>, loaded: readonly R[]): { shown: R[]; others: R[] } {
  if (now.rows.size === 0) return { shown: [], others: [] };
  const shown = loaded.filter((row) => now.rows.has(row.id));
  const ids = new Set(shown.map((row) => row.id));
  return { shown, others: [...now.rows.values()].filter((row) => !ids.has(row.id)) };
}
