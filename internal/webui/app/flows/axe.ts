// Accessibility checks of a page.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** The serious and critical findings of axe. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return found
    .filter((f) => ['serious', 'critical'].includes(f.impact))
    .map((f) => `${f.id}: ${f.nodes.map((n) => `${n.html.slice(0, 160)} ${n.failureSummary ?? ''}`).join('\n')}`);
}

const bars = 'header *, .admin-tabs *, .toolbar *, .console-bar *, .budget-bar *, .grid-foot *, .legend, .canvas-tools, .page';

/** The parts of a page that are beyond the right edge of a window. */
async function beyond(page: Page, width: number, height: number): Promise<string[]> {
  await page.setViewportSize({ width, height });
  return page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
        .map((e) => e.outerHTML.slice(0, 120)),
    bars,
  );
}

/** Checks that a page fits a phone and the usual screens. A folder in UPDATE_IMAGES gets screenshots of the latter, to look at. */
export async function onScreens(page: Page, name: string) {
  const size = page.viewportSize()!;
  const folder = process.env['UPDATE_IMAGES'] ?? '1';
  for (const [width, height] of [
    [390, 844],
    [1366, 820],
    [1920, 1080],
  ] as const) {
    const found = await beyond(page, width, height);
    if (folder !== '1' && width > 390) {
      await page.waitForTimeout(700); // the canvas is fitted into the other size
      await page.screenshot({ path: `${folder}/${name}-${width}.png` });
    }
    expect([`${name}, ${width} wide`, ...found, ...(width === 1920 ? await findings(page) : [])]).toEqual([`${name}, ${width} wide`]);
  }
  await page.setViewportSize(size);
}

/** Checks that a page fits the screen of a tablet in both orientations, and passes axe in the narrower one. */
export async function onTablets(page: Page, what: string) {
  const size = page.viewportSize()!;
  for (const [width, height] of [
    [768, 1024],
    [1024, 768],
  ] as const) {
    expect([`${what}, ${width} wide`, ...(await beyond(page, width, height)), ...(width === 768 ? await findings(page) : [])]).toEqual([
      `${what}, ${width} wide`,
    ]);
  }
  await page.setViewportSize(size);
}
