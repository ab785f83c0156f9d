// Edits that have not been saved. They survive closing the panel and opening another entity; the browser asks before it leaves the page.
import { useSyncExternalStore } from 'react';
import type { Entity } from '../api/graph';
import type { EntityRef } from '../explore/url';
import { withField, type Field } from './form';

export interface UnsavedEdit {
  from: Entity;
  fields: Field[];
  name: string;
  /** Whether a draft from a cell of the table was added, which an open panel of the entity does not have yet. */
  fromCell?: true;
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
  /** Adds the draft of one property, which a cell of the table had, to what is unsaved of the entity. Returns what is unsaved then. */
  addFromCell(edit: UnsavedEdit, draft: Field): UnsavedEdit {
    const ref = { kind: edit.from.kind, id: edit.from.entity.id };
    const before = unsaved.get(ref) ?? edit;
    const added: UnsavedEdit = { ...before, fields: withField(before.fields, draft), fromCell: true };
    unsaved.set(ref, added);
    return added;
  },
  /** Forgets an edit, unless it was changed or replaced. */
  remove(edit: UnsavedEdit) {
    const ref = { kind: edit.from.kind, id: edit.from.entity.id };
    if (unsaved.get(ref) === edit) unsaved.set(ref, null);
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
