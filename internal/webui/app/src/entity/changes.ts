// The last change made in this tab, and how to take it back.
import { useSyncExternalStore } from 'react';
import type { Permission } from '../session/session';

export interface UndoableChange {
  /** What was done, for the button: "Undo: changed Ann". */
  label: string;
  /** What taking it back needs. */
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
