// What keeps the draft in a cell from being lost.
import { useEffect, useRef } from 'react';
import type { Field } from '../entity/form';
import { unsaved, type UnsavedEdit } from '../entity/unsaved';

interface Draft {
  edit: UnsavedEdit;
  draft: Field;
}

/**
 * Keeps a draft as an unsaved change of its entity when the editor disappears, because its row or the table does. The returned function is
 * called when the draft is saved or discarded.
 */
export function useKeptDraft(read: () => Draft | null): () => void {
  const latest = useRef(read);
  latest.current = read;
  const isFinished = useRef(false);
  const kept = useRef<UnsavedEdit | null>(null);
  useEffect(
    () => () => {
      const draft = isFinished.current ? null : latest.current();
      if (draft) kept.current = unsaved.addFromCell(draft.edit, draft.draft);
    },
    [],
  );
  return () => {
    isFinished.current = true;
    // It was saved after the editor had disappeared.
    if (kept.current) unsaved.remove(kept.current);
  };
}

/** The returned ref is that of the controls. The first of them gets the focus as soon as isReady, and whenever requests changes. */
export function useControlFocus(isReady: boolean, requests: number) {
  const controls = useRef<HTMLDivElement>(null);
  const wasFocused = useRef(false);
  useEffect(() => {
    const editor = controls.current?.closest('[role="dialog"]');
    const control = controls.current?.querySelector<HTMLElement>('input:checked, input:not([type="radio"]), textarea, select, button');
    if (!isReady || !editor || !control) return;
    if (wasFocused.current) return editor.contains(document.activeElement) ? undefined : focusWhenShown(control);
    wasFocused.current = true;
    control.focus();
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.select();
  }, [isReady, requests]);
  return controls;
}

/** Puts the focus into an element, which may be shown only after the table has been scrolled. */
function focusWhenShown(element: HTMLElement) {
  element.focus();
  if (document.activeElement === element) return;
  const observer = new ResizeObserver(() => {
    element.focus();
    if (document.activeElement === element) observer.disconnect();
  });
  observer.observe(element);
  return () => observer.disconnect();
}
