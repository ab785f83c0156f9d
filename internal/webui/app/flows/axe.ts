// Accessibility checks of a page.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

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
  return found.filter((f) => ['serious', 'critical'].includes(f.impact)).map((f) => `${f.id}: ${f.nodes.map((n) => `${n.html.slice(0, 160)} ${n.failureSummary ?? ''}`).join('\n')}`);
}
