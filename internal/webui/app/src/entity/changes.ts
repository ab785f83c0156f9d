// The last changes in this tab, and how to undo them, one after the other.
import { useSyncExternalStore } from 'react';
import { Problem } from '../api/problem';
import { isHistoryOff, isNotRecorded, undoChanges } from '../history/history';
import type { EntityKind } from '../api/graph';
import type { Action } from '../session/session';

export interface UndoableChange {
  /** The change, for the tooltip: "Undo: changed Ann". */
  label: string;
  /** The right that undoing it needs, for entities of this kind. */
  kind: EntityKind;
  needs: Action;
  /** The request that made the change. */
  requestId: string;
  /** Whether the request changed more than one node or edge. */
  several?: boolean;
  /** Undoes the change by ordinary requests, for a service that has not recorded it; null if that would not restore everything. */
  undoUnrecorded: (() => Promise<void>) | null;
}

/** Undoes a change. Throws a Problem if that fails. */
export async function undoChange(change: UndoableChange): Promise<void> {
  try {
    await undoChanges({ request_id: change.requestId });
  } catch (error) {
    if (!isNotRecorded(error)) throw error;
    if (!change.undoUnrecorded)
      throw isHistoryOff(error)
        ? new Problem('CONFLICT', 'The service does not record changes, so this one cannot be undone completely', 409)
        : error;
    await change.undoUnrecorded();
  }
}

/** Whether a failed undo fails each time, so that the change before it is next. */
export const isFinal = (error: unknown) => error instanceof Problem && [404, 409, 410].includes(error.status);

/** How many changes are remembered. */
const maxUndoable = 50;
let undoable: UndoableChange[] = [];
const listeners = new Set<() => void>();

function remember(changes: UndoableChange[]) {
  undoable = changes.slice(-maxUndoable);
  for (const listener of listeners) listener();
}

/** Makes a change the next one to undo; those before it follow. */
export const recordChange = (change: UndoableChange) => remember([...undoable, change]);
/** Forgets what a request changed: it was undone, or cannot be. */
export const forgetChange = (requestId: string) => remember(undoable.filter((each) => each.requestId !== requestId));
/** Forgets a request of which one change was undone, unless it made others, which can still be undone. */
export const forgetSingleChange = (requestId: string) =>
  remember(undoable.filter((each) => each.requestId !== requestId || each.several === true));
export const forgetChanges = () => remember([]);

/** The last change that the user may undo. */
export function useLastChange(may: (change: UndoableChange) => boolean): UndoableChange | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => undoable.findLast(may) ?? null,
  );
}
