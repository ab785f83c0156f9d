// The widths of columns that the user has changed, by type, in localStorage.
import { useCallback, useState } from 'react';
import type { EntityKind } from '../api/graph';
import { readLocalRecord, writeLocal } from '../shell/localStorage';
import type { Column } from './columns';

export const minWidth = 48;
export const maxWidth = 1200;

const storageKey = 'graphrest.widths';
type Widths = Record<string, number>;

const loadWidths = (type: string): Widths => readLocalRecord<Widths>(storageKey)[type] ?? {};

export function widthOf(column: Column, widths: Widths): number {
  const width = Object.hasOwn(widths, column.key) ? Number(widths[column.key]) : column.width;
  return Number.isFinite(width) ? Math.max(minWidth, Math.min(maxWidth, width)) : column.width;
}

/** The widths of the columns of a type, and a function to change one; null restores the default. */
export function useColumnWidths(
  kind: EntityKind,
  type: string | null,
  columns: Column[],
): [number[], (key: string, width: number | null) => void] {
  const name = `${kind}:${type ?? ''}`;
  const [changed, setChanged] = useState<{ name: string; widths: Widths }>(() => ({ name, widths: loadWidths(name) }));
  const widths = changed.name === name ? changed.widths : loadWidths(name);
  const change = useCallback(
    (key: string, width: number | null) => {
      const { [key]: _, ...others } = loadWidths(name);
      const next = width === null ? others : { ...others, [key]: Math.max(minWidth, Math.min(maxWidth, Math.round(width))) };
      setChanged({ name, widths: next });
      writeLocal(storageKey, { ...readLocalRecord<Widths>(storageKey), [name]: next });
    },
    [name],
  );
  return [columns.map((column) => widthOf(column, widths)), change];
}
