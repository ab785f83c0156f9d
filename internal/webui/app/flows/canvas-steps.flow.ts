// @long
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { findings } from './axe';
import { base, openAs, sample } from './browser';

const drawn = (page: Page): Promise<number> =>
  page
    .getByTestId('canvas')
    .evaluate((container) => (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.nodes().length)
    .catch(() => 0);

/** How many nodes, with or without their captions, are below the legend or the tools. */
const covered = (page: Page, includeLabels = false): Promise<number> =>
  page.getByTestId('canvas').evaluate(
    (container, options) => {
      const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
      const stage = container.getBoundingClientRect();
      const covers = [...container.parentElement!.querySelectorAll('.legend, .canvas-tools')].map((cover) => cover.getBoundingClientRect());
      return cy.nodes().filter((node) => {
        const { x1, y1, x2, y2 } = node.renderedBoundingBox(options);
        return covers.some(
          (cover) =>
            stage.left + x1 < cover.right && cover.left < stage.left + x2 && stage.top + y1 < cover.bottom && cover.top < stage.top + y2,
        );
      }).length;
    },
    { includeLabels },
  );

const made: string[] = [];
beforeAll(async () => {
  const admin = await connect(base);
  const operations = [...Array(130).keys()].map((i) => ({ op: 'create_node', type: 'Buoy', properties: { name: `Buoy ${i}` } }));
  const { results } = await admin<{ results: { id: string }[] }>('POST', '/api/batch', { operations });
  made.push(...results.map((result) => result.id));
});
afterAll(async () => {
  const admin = await connect(base);
  await admin('POST', '/api/batch', { operations: made.map((id) => ({ op: 'delete_node', id })) });
});

describe('the canvas', () => {
  test('redoes an undone step until there is a new one', async () => {
    const page = await openAs('viewer', `/explore?type=Film&view=graph&start=${sample.films[0]}`);
    await expect.poll(() => drawn(page)).toBe(1);
    await page.getByRole('option', { name: /The Quiet Harbour/ }).click();
    await page.getByRole('button', { name: 'Expand', exact: true }).click();
    await page.getByRole('menuitem', { name: /All/ }).click();
    await expect.poll(() => drawn(page)).toBe(9);
    await page.getByRole('button', { name: 'Undo step' }).click();
    await expect.poll(() => drawn(page)).toBe(1);
    await page.getByRole('button', { name: 'Redo step' }).press('Enter');
    await expect.poll(() => drawn(page)).toBe(9);
    expect(await page.getByRole('button', { name: 'Redo step' }).count()).toBe(0);
  });

  test('opens a link with all rows that it showed', async () => {
    const page = await openAs('viewer', '/explore?type=Buoy&view=graph');
    await expect.poll(() => drawn(page)).toBe(100);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => drawn(page)).toBe(130);
    await expect.poll(() => new URL(page.url()).searchParams.get('rows')).toBe('130');
    await page.reload();
    await expect.poll(() => drawn(page)).toBe(130);
    // The legend and the tools have their own room, also for a graph of the shape of the canvas, and when the legend is folded and
    // unfolded.
    await page.getByTestId('canvas').evaluate((container) => {
      const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
      cy.nodes().forEach((node, i) => void node.position({ x: ((i % 13) * cy.width()) / 5, y: (Math.floor(i / 13) * cy.height()) / 4 }));
    });
    await page.getByRole('button', { name: 'Fit to view' }).click();
    await expect.poll(() => covered(page)).toBe(0);
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByRole('button', { name: 'Legend' }).press('Enter');
    await legend.getByText('Buoy', { exact: true }).waitFor({ state: 'detached' });
    await legend.getByRole('button', { name: 'Legend' }).press('Enter');
    await legend.getByText('Buoy', { exact: true }).waitFor();
    await expect.poll(() => covered(page)).toBe(0);
  });

  test('folds its legend in a narrow window, and shows itself on the whole screen', async () => {
    const page = await openAs('viewer', '/');
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(`${base}/explore?type=Film&view=graph`);
    await expect.poll(() => drawn(page)).toBe(12);
    const legend = page.getByRole('region', { name: 'Legend' });
    expect(await legend.getByText('Film', { exact: true }).count()).toBe(0);
    await legend.getByRole('button', { name: 'Legend' }).press('Enter');
    await expect.poll(() => legend.getByText('Film', { exact: true }).count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('canvas-stage');
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
    // Also where the graph is so small that its captions are larger.
    await page.goto(`${base}/explore?type=Person&view=graph`);
    await expect.poll(() => drawn(page)).toBe(26);
    expect(await covered(page, true)).toBe(0);
  });
});
