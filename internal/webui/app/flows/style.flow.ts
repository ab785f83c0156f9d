// @long
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { findings } from './axe';
import { base, openAs, requestsOf } from './browser';

afterAll(async () => {
  const admin = await connect(base);
  for (const view of await admin<{ id: string; name: string }[]>('GET', '/api/views'))
    if (view.name === 'Ratings') await admin('DELETE', `/api/views/${view.id}`);
});

interface Drawn {
  label: string;
  colour: string;
  size: number;
}

const drawnNodes = (page: Page): Promise<Drawn[]> =>
  page.getByTestId('canvas').evaluate((container) => {
    const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
    return cy
      .nodes()
      .map((node) => ({ label: String(node.data('label')), colour: String(node.style('background-color')), size: node.width() }));
  });
const drawnEdges = (page: Page) =>
  page.getByTestId('canvas').evaluate((container) => {
    const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
    return cy.edges().map((edge) => ({ colour: String(edge.style('line-color')), width: parseFloat(String(edge.style('width'))) }));
  });
const byLabel = async (page: Page, label: string) => (await drawnNodes(page)).find((node) => node.label === label);
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

async function choose(page: Page, label: string, value: string) {
  await page.getByRole('button', { name: 'Style', exact: true }).click();
  await page.getByLabel(label).selectOption(value);
  await page.keyboard.press('Escape');
}

describe('style by value', () => {
  test.each(['light', 'dark'] as const)(
    'gives nodes colours and sizes with a legend, and a saved view keeps it, in %s colours',
    async (scheme) => {
      const page = await openAs('admin', '/explore?type=Film&view=graph', { scheme });
      await expect.poll(async () => (await drawnNodes(page)).length).toBe(12);
      const before = await drawnNodes(page);
      const cost = await requestsOf(page, async () => {
        await choose(page, 'Color of nodes', 'rating');
        await choose(page, 'Size of nodes', 'minutes');
      });
      expect(cost).toEqual([]);
      const legend = page.getByRole('region', { name: 'Legend' });
      await expect.poll(() => legend.getByRole('group', { name: 'Color: rating' }).innerText()).toMatch(/6\.5\s+8\.4/);
      await expect.poll(() => legend.getByRole('group', { name: 'Size: minutes' }).innerText()).toMatch(/88\s+133/);
      // The best film has the one end of the scale, the worst the other.
      const ends = scheme === 'light' ? ['rgb(77,147,166)', 'rgb(6,48,59)'] : ['rgb(63,127,146)', 'rgb(216,244,250)'];
      await expect.poll(async () => (await byLabel(page, 'Signal Loss'))?.colour).toBe(ends[0]);
      expect((await byLabel(page, 'The Glass Orchard'))?.colour).toBe(ends[1]);
      expect((await byLabel(page, 'The Quiet Harbour'))!.size).toBeGreaterThan((await byLabel(page, 'The Cartographer'))!.size);
      expect(await findings(page)).toEqual([]);

      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Save as new…' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Ratings');
      await page.getByRole('dialog').getByLabel('Everyone').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Saved view Ratings', exact: true }).waitFor();
      const viewer = await openAs('viewer', `/views/${parameter(page, 'saved')!.split('@')[0]}`, { scheme });
      await expect.poll(async () => (await byLabel(viewer, 'The Glass Orchard'))?.colour).toBe(ends[1]);
      await expect.poll(() => drawnNodes(viewer)).toEqual(await drawnNodes(page));
      await choose(page, 'Size of nodes', '');
      await page.getByRole('button', { name: 'Saved view Ratings changed', exact: true }).waitFor();

      // The table keeps the colours of types, and without a style the canvas is as before.
      await choose(page, 'Color of nodes', '');
      await expect.poll(() => drawnNodes(page)).toEqual(before);
      expect(parameter(page, 'style')).toBeNull();
    },
  );

  test('shows texts as categories, edges with widths, and values of every type', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=ACTED_IN&view=graph');
    await expect.poll(async () => (await drawnEdges(page)).length).toBe(60);
    await choose(page, 'Color of edges', 'role');
    await choose(page, 'Width of edges', 'scenes');
    const legend = page.getByRole('region', { name: 'Legend' });
    const roles = legend.getByRole('group', { name: 'Edge color: role' });
    await expect
      .poll(async () => (await roles.locator('.type-name').allInnerTexts()).sort())
      .toEqual(['Friend', 'Judge', 'Lead', 'Rival', 'Stranger']);
    await legend.getByRole('group', { name: 'Edge width: scenes' }).waitFor();
    await expect.poll(async () => new Set((await drawnEdges(page)).map((edge) => edge.colour)).size).toBe(5);
    const widths = (await drawnEdges(page)).map((edge) => edge.width);
    expect([Math.min(...widths), Math.max(...widths)]).toEqual([1.5, 9]);
    await page.reload();
    await expect.poll(async () => new Set((await drawnEdges(page)).map((edge) => edge.colour)).size).toBe(5);
    expect(await findings(page)).toEqual([]);

    // A property of many kinds of values, and one that nothing has.
    await page.goto(
      `${base}/explore?type=Person&view=graph&style=${encodeURIComponent('{"nodeColour":"languages","nodeSize":"no such"}')}`,
    );
    await legend.getByRole('group', { name: 'Color: languages' }).getByText('not set').waitFor();
    await legend.getByRole('group', { name: 'Size: no such' }).getByText('no number').waitFor();
    await page.goto(`${base}/explore?type=Person&view=graph&style=${encodeURIComponent('{"nodeColour":{}}<script>')}`);
    await expect.poll(async () => (await drawnNodes(page)).length).toBe(26);
  });
});
