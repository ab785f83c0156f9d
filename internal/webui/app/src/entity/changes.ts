// The last change in this tab, and how to undo it.
import { useSyncExternalStore } from 'react';
import type { Permission } from '../session/session';

export interface UndoableChange {
  /** The change, for the tooltip: "Undo: changed Ann". */
  label: string;
  /** The permissions that undoing it needs. */
  needs: Permission[];
  undo: () => Promise<void>;
}

let lastChange: UndoableChange | null = null;
const listeners = new Set<() => void>();

export function setLastChange(change: UndoableChange | null) {
  lastChange = change;
  for (const listener of listeners) listener();
}

export function useLastChange(): UndoableChange | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lastChange,
  );
}
