// The keyboard in the flows.
import type { Page } from 'playwright-core';

/** What has the focus: its role or element, and its name. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLLabelElement> };
    if (element === document.body) return 'nothing';
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
    return `${element.getAttribute('role') ?? element.localName} ${name.trim().slice(0, 60)}`;
  });

/** What focused returns while a menu is open and has the focus, which it gets a moment after it is shown. */
export const inMenu = /^(presentation|menuitem|menu) /;

/** Presses Tab until an element has the focus, at most so many times. */
export async function tabTo(page: Page, wanted: RegExp, maxPresses = 30, key = 'Tab') {
  const visited: string[] = [];
  for (let presses = 0; presses <= maxPresses; presses++) {
    const now = await focused(page);
    if (wanted.test(now)) return;
    visited.push(now);
    await page.keyboard.press(key);
  }
  throw new Error(`${String(wanted)} was not reached; passed: ${visited.join(', ')}`);
}
