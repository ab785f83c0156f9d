// Edits that have not been saved. They survive closing the panel and opening another entity; the browser asks before it leaves the page.
import { useSyncExternalStore } from 'react';
import type { Entity } from '../api/graph';
import type { EntityRef } from '../explore/url';
import type { Field } from './form';

export interface UnsavedEdit {
  from: Entity;
  fields: Field[];
  name: string;
}

let edits: ReadonlyMap<string, UnsavedEdit> = new Map();
const listeners = new Set<() => void>();
const keyOf = ({ kind, id }: EntityRef) => `${kind}:${id}`;

function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
}

function replace(next: Map<string, UnsavedEdit>) {
  edits = next;
  if (next.size > 0) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  for (const listener of listeners) listener();
}

export const unsaved = {
  get: (ref: EntityRef) => edits.get(keyOf(ref)),
  /** Keeps an edit, or forgets it if it is null. */
  set(ref: EntityRef, edit: UnsavedEdit | null) {
    if (edit === null && !edits.has(keyOf(ref))) return;
    const next = new Map(edits);
    if (edit) next.set(keyOf(ref), edit);
    else next.delete(keyOf(ref));
    replace(next);
  },
  clear: () => edits.size > 0 && replace(new Map()),
};

export function useUnsaved(): ReadonlyMap<string, UnsavedEdit> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => edits,
  );
}
