// What is printed about the pages of a flow that fails: a locator's timeout alone does not explain a key press without effect.
import type { BrowserContext, Page } from 'playwright-core';

/** Lets the pages of a context remember their last key presses and changes of the focus. */
export async function recordInput(context: BrowserContext) {
  await context.addInitScript(() => {
    const events: string[] = [];
    (window as unknown as { flowEvents: string[] }).flowEvents = events;
    const nameOf = (target: EventTarget | null) => {
      if (!(target instanceof Element)) return 'the document';
      const label = target.getAttribute('aria-label') ?? target.textContent ?? '';
      return `${target.getAttribute('role') ?? target.localName} "${label.trim().slice(0, 40)}"`;
    };
    const record = (text: string) => {
      events.push(`${Math.round(performance.now())} ms ${text}`);
      if (events.length > 25) events.shift();
    };
    addEventListener('keydown', (event) => record(`key ${event.key} at ${nameOf(event.target)}`), true);
    addEventListener('focusin', (event) => record(`focus at ${nameOf(event.target)}`), true);
    addEventListener('focusout', (event) => record(`focus leaves ${nameOf(event.target)}`), true);
  });
}

/** The address, the element with the focus, what is open above the page, and the last events. */
export async function describePage(page: Page): Promise<string> {
  const seen = await page.evaluate(() => {
    const short = (element: Element | null) => element?.outerHTML.slice(0, 160) ?? 'none';
    return [
      `now ${Math.round(performance.now())} ms, has the focus: ${document.hasFocus()}`,
      `focus: ${short(document.activeElement)}`,
      ...[...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"], [role="alert"], [aria-expanded="true"]')].map(
        (element) => `open: ${short(element)}`,
      ),
      ...((window as unknown as { flowEvents?: string[] }).flowEvents ?? []),
    ];
  });
  return [page.url(), ...seen].join('\n  ');
}
