// One canvas for everything: what other pages add to it, what is done with many nodes, and undo of all of it.
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { connect } from './api';
import { base, openAs, overlapping, sample } from './browser';

interface Seen {
  nodes: number;
  edges: number;
  /** Of the first film: where it is, and its size. */
  x: number;
  size: number;
}

const see = (page: Page): Promise<Seen> =>
  page
    .getByTestId('canvas')
    .evaluate((container, id) => {
      const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
      const film = cy.getElementById(id);
      return {
        nodes: cy.nodes().length,
        edges: cy.edges().length,
        x: film.nonempty() ? film.position().x : 0,
        size: Number(film.data('size')),
      };
    }, sample.films[0]!)
    .catch(() => ({ nodes: 0, edges: 0, x: 0, size: 0 }));

const nodes = (page: Page, n: number) => expect.poll(async () => (await see(page)).nodes).toBe(n);

/** Where the first film is in the window. */
const pointOf = (page: Page) =>
  page.getByTestId('canvas').evaluate((container, id) => {
    const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
    const { x, y } = cy.getElementById(id).renderedPosition() as { x: number; y: number };
    const { left, top } = container.getBoundingClientRect();
    return { x: left + x, y: top + y };
  }, sample.films[0]!);

/** Opens what can be done with a type of the legend, and does it. */
async function inLegend(page: Page, type: string, action: string) {
  await page.getByRole('region', { name: 'Legend' }).getByRole('button', { name: type }).click();
  await page.getByRole('dialog', { name: type }).getByRole('button', { name: action, exact: true }).click();
}

const undo = (page: Page) => page.keyboard.press('Control+z');

describe('one canvas', () => {
  test('takes a node, a list and a question, and undoes each of them', async () => {
    const page = await openAs('viewer', `/explore?type=Film&view=graph&start=${sample.films[0]}`);
    await nodes(page, 1);
    await page.goto(`${base}/explore?type=Studio`);
    await page.getByRole('button', { name: 'Go on with this list' }).click();
    await page.getByRole('menuitem', { name: 'Add to canvas' }).click();
    // Other flows make some, too.
    const studios = (await (await connect(base))<unknown[]>('GET', '/api/nodes?type=Studio&limit=100')).length;
    await nodes(page, 1 + studios); // and the edge of the film to its studio
    await expect.poll(async () => (await see(page)).edges).toBe(1);
    await page.goto(`${base}/explore?type=City&open=node:${sample.films[1]}`);
    await page.getByRole('button', { name: 'Add to the canvas that was shown last' }).click();
    await nodes(page, 2 + studios);
    const question =
      '{"match":[[{"as":"a","type":"Person","filter":{"name":{"eq":"Ada Lindqvist"}}},{"edge":"ACTED_IN"},{"as":"f","type":"Film"}]]}';
    await page.goto(`${base}/ask?${new URLSearchParams({ ask: question })}`);
    await page.getByRole('button', { name: 'Add to canvas' }).click();
    await expect.poll(async () => (await see(page)).nodes).toBeGreaterThan(2 + studios);
    await page.reload(); // the address has it all
    await expect.poll(async () => (await see(page)).nodes).toBeGreaterThan(2 + studios);
    for (const left of [2 + studios, 1 + studios, 1]) {
      await undo(page);
      await nodes(page, left);
    }
    await page.keyboard.press('Control+y');
    await nodes(page, 1 + studios);
  });

  test('expands, keeps, hides and groups many nodes, and sizes them by their edges', async () => {
    const page = await openAs('viewer', '/explore?type=Film&view=graph');
    await nodes(page, 12);
    const list = page.getByRole('listbox', { name: 'Nodes on the canvas' });
    expect(await overlapping(list.getByRole('option'))).toEqual([]);
    await list.press('Control+a');
    await page.getByRole('button', { name: 'Expand', exact: true }).click();
    await page.getByRole('menuitem', { name: /PRODUCED_BY/ }).click();
    await nodes(page, 15);
    await page.getByRole('button', { name: 'Style' }).click();
    await page.getByLabel('Size of nodes').selectOption('Number of edges on the canvas');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Legend' }).getByText('edges on the canvas').waitFor();
    expect((await see(page)).size).toBeLessThan(30);
    await inLegend(page, 'PRODUCED_BY', 'Group at the target');
    await nodes(page, 6); // three studios, each with a mark
    await inLegend(page, 'PRODUCED_BY', 'Group at the target');
    await page.getByText('Nothing to group').waitFor();
    await list.press('Control+a');
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await nodes(page, 0); // what marks stand for, too
    await undo(page);
    await nodes(page, 6);
    await page
      .getByRole('option', { name: /^\d+ Film/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Ungroup' }).click();
    await nodes(page, 9); // a mark less, and its four films
    await undo(page);
    await nodes(page, 6);
    await undo(page);
    await nodes(page, 15);
    await inLegend(page, 'Film', 'Keep only');
    await nodes(page, 12);
    await undo(page);
    await inLegend(page, 'Studio', 'Select');
    await page.getByRole('button', { name: 'Invert' }).click();
    await page.getByText('12 nodes selected').waitFor();
    await page.getByRole('button', { name: 'Keep only', exact: true }).click();
    await nodes(page, 12);
    await undo(page);
    await nodes(page, 15);
    expect(await findings(page)).toEqual([]);
  });

  test('has a menu and tooltips, finds paths to other nodes, and undoes moves and layouts', async () => {
    const page = await openAs('viewer', `/explore?type=Film&view=graph&start=${sample.films[0]}`);
    await nodes(page, 1);
    const at = await pointOf(page);
    await page.mouse.move(at.x, at.y);
    await page.getByRole('tooltip').getByText('title: The Quiet Harbour').waitFor();
    await page.mouse.click(at.x, at.y, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Path to…' }).click();
    await page.getByLabel('Shortest path to').first().fill(sample.films[1]!);
    await page.getByRole('option', { name: sample.films[1]! }).click();
    await expect.poll(async () => (await see(page)).nodes).toBeGreaterThan(2);
    const begin = await see(page);
    for (const layout of ['Hierarchical', 'Radial']) {
      await page.getByRole('button', { name: 'Choose a layout' }).click();
      await page.getByRole('menuitem', { name: layout }).click();
    }
    await expect.poll(async () => (await see(page)).x).not.toBe(begin.x);
    const laidOut = await see(page);
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    const from = await pointOf(page);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y + 30, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await see(page)).x).not.toBe(laidOut.x);
    const moved = Math.round((await see(page)).x);
    await page.reload();
    await expect.poll(async () => Math.round((await see(page)).x)).toBe(moved);
    await undo(page); // also after a reload
    await expect.poll(async () => Math.round((await see(page)).x)).toBe(Math.round(laidOut.x));
    await undo(page);
    await undo(page);
    await expect.poll(async () => Math.round((await see(page)).x)).toBe(Math.round(begin.x));
    await undo(page);
    await nodes(page, 1);
  });

  test('undoes and redoes a collapse, and a path brings hidden nodes back', async () => {
    const steps = encodeURIComponent(JSON.stringify([['x', sample.films[0], 'both']]));
    const page = await openAs('viewer', `/explore?type=Film&view=graph&start=${sample.films[0]}&steps=${steps}`);
    await nodes(page, 9);
    await page.getByRole('option', { name: /The Quiet Harbour/ }).click();
    await page.getByRole('button', { name: 'Collapse' }).click();
    await nodes(page, 1);
    await undo(page);
    await nodes(page, 9);
    await page.keyboard.press('Control+y');
    await nodes(page, 1);
    await undo(page);
    await page.getByRole('option', { name: /Blue Door Pictures/ }).click();
    await page.getByRole('listbox', { name: 'Nodes on the canvas' }).press('h');
    await nodes(page, 8);
    await page.getByRole('option', { name: /The Quiet Harbour/ }).click();
    await page.getByRole('button', { name: 'Path to…' }).click();
    await page.getByLabel('Shortest path to').first().fill(sample.studios[0]!);
    await page.getByRole('option', { name: sample.studios[0]! }).click();
    await nodes(page, 9);
    await undo(page);
    await nodes(page, 8);
  });

  test('keeps what was added when the node that it began with is gone', async () => {
    const steps = encodeURIComponent(JSON.stringify([['a', sample.films.slice(1, 3)]]));
    const page = await openAs('viewer', `/explore?type=Film&view=graph&start=gone&steps=${steps}`);
    await nodes(page, 2);
    await page.getByRole('alert').getByText('There is no such node').waitFor();
    await page.goto(`${base}/explore?type=Film&filter[title][eq]=None&view=graph&steps=${steps}`);
    await nodes(page, 2);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('gives the caption of a selected node, which is bold, the room that it takes', async () => {
    const page = await openAs('viewer', '/explore?type=Film&view=graph');
    await nodes(page, 12);
    // Two captions that have just room beside each other, and all others far away.
    const captioned = (select: boolean) =>
      page.getByTestId('canvas').evaluate(async (container, selects) => {
        const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
        const [left, right] = ['Paper Lanterns', 'Harvest Moon'].map((label) => cy.nodes(`[label = "${label}"]`).first());
        const board = document.createElement('canvas').getContext('2d')!;
        board.font = '12px system-ui, sans-serif';
        const [a, b] = [left!, right!].map((node) => board.measureText(String(node.data('label'))).width);
        cy.nodes().forEach((node, i) => void node.position({ x: 1000 * i, y: 5000 }));
        left!.position({ x: 0, y: 0 });
        right!.position({ x: (a! + b!) / 2 + 2, y: 0 });
        cy.viewport({ zoom: 1, pan: { x: 200, y: 200 } });
        if (selects) left!.select();
        await new Promise((done) => setTimeout(done, 300));
        return [left!, right!].map((node) => node.hasClass('captioned'));
      }, select);
    expect(await captioned(false)).toEqual([true, true]);
    expect(await captioned(true)).toEqual([true, false]);
  });
});
