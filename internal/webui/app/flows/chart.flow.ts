// @long
import type { Core } from 'cytoscape';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { openAs, requestsOf } from './browser';

const parameters = (page: Page) => new URL(page.url()).searchParams;
const rowNames = (page: Page) => page.getByRole('grid').getByRole('row').count();
const chartOf = (page: Page) => page.getByRole('region', { name: 'Chart', exact: true });
const drawn = (page: Page) =>
  page.getByTestId('canvas').evaluate((container) => (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.nodes().length);

/** Records where an element begins, in every frame. Returns a function that returns each position once. */
async function recordPositions(page: Page, selector: string): Promise<() => Promise<number[]>> {
  const recorder = await page.evaluateHandle((watched) => {
    const seen = new Set<number>();
    const recordPosition = () => {
      const top = document.querySelector(watched)?.getBoundingClientRect().top;
      if (top !== undefined) seen.add(Math.round(top));
      requestAnimationFrame(recordPosition);
    };
    recordPosition();
    return seen;
  }, selector);
  return () => recorder.evaluate((seen) => [...seen]);
}

describe('the chart of a list', () => {
  test.each(['light', 'dark'] as const)(
    'is a histogram of dates whose brush filters table and canvas, by keyboard alone, in %s colours',
    async (scheme) => {
      const page = await openAs('viewer', '/explore?type=Person', { scheme });
      await expect.poll(() => rowNames(page)).toBe(27);
      const positions = await recordPositions(page, '.grid');
      const cost = await requestsOf(page, async () => {
        await page.getByRole('button', { name: 'Chart', exact: true }).focus();
        await page.keyboard.press('Enter');
        await chartOf(page).getByText('26 in all').waitFor();
      });
      expect(cost).toHaveLength(2);
      expect(await positions()).toHaveLength(2); // where the table was, and where it is below the chart: it moves once
      const chart = chartOf(page);
      await expect.poll(() => chart.getByLabel('By', { exact: true }).inputValue()).toBe('born');
      await expect.poll(() => chart.getByText('born not filtered').count()).toBe(1);
      // 1950 to 1993, in bins of a year.
      await expect.poll(() => chart.getByRole('table').getByRole('row').count()).toBe(45);
      expect(await findings(page)).toEqual([]);

      await chart.getByRole('slider', { name: 'born from' }).focus();
      for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
      await expect.poll(() => chart.getByRole('slider', { name: 'born from' }).getAttribute('aria-valuetext')).toBe('1970');
      await expect.poll(() => parameters(page).get('filter[born][gte:date]')).toBe('1970-01-01');
      expect(parameters(page).get('filter[born][lt:date]'), 'the other bound was not moved').toBeNull();
      const found = [...Array(26).keys()].filter((i) => (i * 7) % 45 >= 20).length; // see sample.ts
      await expect.poll(() => rowNames(page)).toBe(1 + found);
      await expect.poll(() => chart.getByRole('status').first().innerText()).toBe(`born from 1970 to below 1994: ${found}`);
      // The bars outside the range stay, so that it can be moved back.
      await expect.poll(() => chart.getByRole('table').getByRole('row').count()).toBe(45);

      await page.getByText('Graph', { exact: true }).click();
      await expect.poll(() => drawn(page).catch(() => 0)).toBe(found);
      await page.reload();
      await expect.poll(() => drawn(page).catch(() => 0)).toBe(found);
      await chartOf(page).getByRole('button', { name: 'Clear the range' }).click();
      await expect.poll(() => drawn(page)).toBe(26);
    },
  );

  test('groups by each value, measures another property, and filters by a group', async () => {
    const page = await openAs('viewer', '/explore?type=Person&chart=%7B%22by%22:%22active%22%7D');
    const chart = chartOf(page);
    await chart.getByLabel('Show', { exact: true }).selectOption('mean height');
    const row = (name: string) => chart.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    await row('true').waitFor();
    await expect.poll(() => row('true').innerText()).toMatch(/true\s+19\s+1\.\d+/);
    await expect.poll(() => row('false').innerText()).toMatch(/false\s+7\s+1\.\d+/);
    // The headings of numbers end where the numbers end.
    const right = async (cell: Locator) =>
      cell.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return Math.round(range.getBoundingClientRect().right);
      });
    expect(await right(chart.getByRole('columnheader', { name: 'Count' }))).toBe(await right(row('true').getByRole('cell').nth(0)));
    expect(await right(chart.getByRole('columnheader', { name: 'Mean' }))).toBe(await right(row('true').getByRole('cell').nth(1)));
    await page.getByRole('button', { name: 'false', exact: true }).press('Enter');
    await expect.poll(() => rowNames(page)).toBe(8);
    await expect.poll(() => page.getByRole('button', { name: 'false', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Clear the choice' }).click();
    await expect.poll(() => rowNames(page)).toBe(27);
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await page.evaluate(() => document.querySelector('.chart')!.scrollWidth <= document.querySelector('.chart')!.clientWidth)).toBe(
      true,
    );
  });

  test('counts edges in intervals of numbers', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=ACTED_IN&chart=%7B%22by%22:%22scenes%22%7D');
    const chart = chartOf(page);
    await chart.getByText('60 in all').waitFor();
    const counts = await chart.getByRole('table').getByRole('row').allInnerTexts();
    expect(
      counts
        .slice(1)
        .map((text) => Number(text.split(/\s+/).at(-1)))
        .reduce((a, b) => a + b),
    ).toBe(60);
  });
});
