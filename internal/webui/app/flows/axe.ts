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

/** Checks that a page fits the screen of a tablet in both orientations, and passes axe in the narrower one. */
export async function onTablets(page: Page, what: string) {
  const size = page.viewportSize()!;
  for (const [width, height] of [
    [768, 1024],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('header *, .admin-tabs *, .toolbar *, .page')]
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
        .map((e) => e.outerHTML.slice(0, 120)),
    );
    expect([`${what}, ${width} wide`, ...beyond, ...(width === 768 ? await findings(page) : [])]).toEqual([`${what}, ${width} wide`]);
  }
  await page.setViewportSize(size);
}
