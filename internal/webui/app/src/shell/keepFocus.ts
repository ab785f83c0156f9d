// The focus when the element that has it disappears: a browser would begin at the top of the page again.

/** What takes the focus in place of its contents. */
const regions = '.panel, #content';
export const overlays = '[role="dialog"], [role="menu"]';

/** Where a key is a character or belongs to what is above the page. */
export const typingOrOverlay = `input, textarea, select, [contenteditable], ${overlays}`;

/** How long a component may take to move the focus itself, in milliseconds. */
const delay = 30;

const isDisabled = (element: HTMLElement) => element.matches(':disabled');

/**
 * Moves the focus when the element that has it is removed, unless something else has taken it: to the dialog around it, to what opened that
 * dialog, or to the nearest region. A button that is disabled while it works gets it back. Returns a function that ends this.
 */
export function keepFocus(): () => void {
  let focused: HTMLElement | null = null;
  let around: HTMLElement[] = [];
  let wasDisabled = false;
  let timer = 0;
  const openers = new WeakMap<Element, HTMLElement[]>(); // of a dialog or a menu: what had the focus, and what was around it
  const remember = ({ target }: FocusEvent) => {
    const next = target as HTMLElement;
    const overlay = next.closest<HTMLElement>(overlays);
    if (overlay && focused && !openers.has(overlay) && !overlay.contains(focused)) openers.set(overlay, [focused, ...around]);
    const nearest = next.closest<HTMLElement>(regions);
    focused = next;
    wasDisabled = false;
    around = overlay ? [overlay, ...(openers.get(overlay) ?? [])] : nearest ? [nearest] : [];
  };
  const forget = () => (focused = null); // a click beside all controls takes the focus away
  const isLost = () => focused !== null && (document.activeElement === null || document.activeElement === document.body);
  const restore = () => {
    if (!focused || !isLost() || (focused.isConnected && isDisabled(focused))) return;
    const targets = focused.isConnected ? [focused] : around;
    focused = null;
    (targets.find((each) => each.isConnected) ?? document.getElementById('content') ?? document.getElementById('main'))?.focus({
      preventScroll: true,
    });
  };
  const observer = new MutationObserver(() => {
    if (!focused) return;
    if (focused.isConnected && isDisabled(focused)) wasDisabled = true;
    else if (isLost() && (!focused.isConnected || wasDisabled)) {
      window.clearTimeout(timer);
      timer = window.setTimeout(restore, delay);
    }
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget, true);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
  return () => {
    window.clearTimeout(timer);
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget, true);
    observer.disconnect();
  };
}
