import { useEffect, useRef } from 'react';

// What Escape closes itself: dialogs, menus, and lists of options. A menu without the focus is on its way out, or on its way in: then its
// button reports that it is open.
const openOverlays = [
  '[role="dialog"]',
  '[role="menu"]:focus-within',
  '[aria-haspopup="menu"][aria-expanded="true"]',
  '[role="combobox"][aria-expanded="true"]',
  'input[aria-expanded="true"]',
].join(', ');

/** Calls onEscape when Escape is pressed while nothing above the page is open, and moves the focus to the list. */
export function useEscape(enabled: boolean, onEscape: () => void) {
  const callback = useRef(onEscape);
  callback.current = onEscape;
  useEffect(() => {
    if (!enabled) return;
    // In the capture phase: afterwards, the overlay is already closed.
    function handleKey(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || document.querySelector(openOverlays)) return;
      callback.current();
      const content = document.getElementById('content');
      (
        content?.querySelector<HTMLElement>('[role="row"][aria-current="true"], [role="listbox"], [aria-current="true"].hit') ?? content
      )?.focus();
    }
    window.addEventListener('keydown', handleKey, true);
    return () => window.removeEventListener('keydown', handleKey, true);
  }, [enabled]);
}
