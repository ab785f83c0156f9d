// The focus when the element that has it disappears: a browser would begin at the top of the page again.

/** What takes the focus in place of its contents. */
const regions = '.panel, #content';
const overlays = '[role="dialog"], [role="menu"]';

/** How long a component may take to move the focus itself, in milliseconds. */
const delay = 30;

/**
 * Moves the focus when the element that has it is removed, unless something else has taken it: to what opened a dialog, or to the nearest
 * region around it. Returns a function that ends this.
 */
export function keepFocus(): () => void {
  let focused: HTMLElement | null = null;
  let around: HTMLElement[] = [];
  let opener: HTMLElement | null = null;
  let timer = 0;
  const remember = ({ target }: FocusEvent) => {
    const overlay = (target as HTMLElement).closest(overlays);
    if (overlay && focused && !overlay.contains(focused)) opener = focused;
    focused = target as HTMLElement;
    const nearest = focused.closest<HTMLElement>(regions);
    around = overlay && opener ? [opener] : nearest ? [nearest] : [];
  };
  const forget = () => (focused = null); // a click beside all controls takes the focus away
  const isLost = () => focused !== null && !focused.isConnected && (document.activeElement === null || document.activeElement === document.body);
  const restore = () => {
    if (!isLost()) return;
    focused = null;
    (around.find((each) => each.isConnected) ?? document.getElementById('content') ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(restore, delay);
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget, true);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    window.clearTimeout(timer);
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget, true);
    observer.disconnect();
  };
}
