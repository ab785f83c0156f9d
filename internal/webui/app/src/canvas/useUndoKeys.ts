import { useEffect, useRef } from 'react';
import { typingOrOverlay } from '../shell/keepFocus';

export interface UndoHistory {
  canUndo: boolean;
  canRedo: boolean;
  undo: () => void;
  redo: () => void;
}

/** Ctrl Z undoes and Ctrl Y, or Ctrl Shift Z, does again; not in fields, where they are for the text, and not in dialogs. */
export function useUndoKeys(history: UndoHistory) {
  const current = useRef(history);
  current.current = history;
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      const key = event.key.toLowerCase();
      if ((!event.ctrlKey && !event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
      const target = event.target as HTMLElement;
      if (target.closest(`${typingOrOverlay}, .panel`)) return;
      const { canUndo, canRedo, undo, redo } = current.current;
      const again = key === 'y' || event.shiftKey;
      if (again ? !canRedo : !canUndo) return;
      event.preventDefault();
      event.stopPropagation();
      (again ? redo : undo)();
    }
    window.addEventListener('keydown', handleKey, true);
    return () => window.removeEventListener('keydown', handleKey, true);
  }, []);
}
