// The selected rows of a table.

export interface RowSelection {
  ids: ReadonlySet<string>;
  /** The index of the row from which a range starts. */
  anchor: number;
}

export const emptySelection: RowSelection = { ids: new Set(), anchor: 0 };

/** Selects a row, or removes it from the selection. */
export function toggleRow(now: RowSelection, index: number, id: string): RowSelection {
  const ids = new Set(now.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: index };
}

/** Selects the rows between the anchor and a row; with keep, in addition to those that are selected. */
export function selectRange(now: RowSelection, index: number, rows: readonly { id: string }[], keep: boolean): RowSelection {
  const anchor = Math.min(now.anchor, rows.length - 1);
  const range = rows.slice(Math.min(anchor, index), Math.max(anchor, index) + 1).map((row) => row.id);
  return { ids: new Set(keep ? [...now.ids, ...range] : range), anchor };
}

export function selectAll(rows: readonly { id: string }[]): RowSelection {
  return { ids: new Set(rows.map((row) => row.id)), anchor: 0 };
}
