import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { findings } from './axe';
import { base, openAs, sample } from './browser';

const drawn = (page: Page): Promise<number> =>
  page.getByTestId('canvas').evaluate((container) => (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.nodes().length).catch(() => 0);

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
    await expect.poll(() => page.getByRole('button', { name: 'Redo step' }).count()).toBe(0);
  });

  test('opens a link with all rows that it showed', async () => {
    const page = await openAs('viewer', '/explore?type=Buoy&view=graph');
    await expect.poll(() => drawn(page)).toBe(100);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => drawn(page)).toBe(130);
    await expect.poll(() => new URL(page.url()).searchParams.get('rows')).toBe('130');
    await page.reload();
    await expect.poll(() => drawn(page)).toBe(130);
  });

  test('folds its legend in a narrow window, and shows itself on the whole screen', async () => {
    const page = await openAs('viewer', '/');
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(`${base}/explore?type=Film&view=graph`);
    await expect.poll(() => drawn(page)).toBe(12);
    const legend = page.getByRole('region', { name: 'Legend' });
    await expect.poll(() => legend.getByText('Film', { exact: true }).count()).toBe(0);
    await legend.getByRole('button', { name: 'Legend' }).press('Enter');
    await expect.poll(() => legend.getByText('Film', { exact: true }).count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement?.className)).toBe('canvas-stage');
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  });
});
