import { readFile } from 'node:fs/promises';
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, openAs, openContext, requestsOf, logIn, sample } from './browser';
import { waitForCount, connect, cypher } from './api';
import { findings } from './axe';

describe('exploring', () => {
  test('opening needs few requests, a page of a table one', async () => {
    const page = await (await openContext()).newPage();
    await page.goto(base);
    await page.getByLabel('User name').waitFor(); // by then it has asked how users may log in
    const opening = await requestsOf(page, async () => {
      await logIn(page, 'viewer');
      await page.getByRole('heading', { name: 'What this database holds' }).waitFor();
      await page.getByText('No change set waits for you.').waitFor();
    });
    const paging = await requestsOf(page, async () => {
      await page.getByRole('link', { name: /^Film/ }).click();
      await page
        .getByRole('grid', { name: 'Film nodes' })
        .getByRole('row', { name: /Glass Orchard/ })
        .waitFor();
    });
    console.log(`requests: opening the application ${opening.length}, a page of a table ${paging.length}`);
    expect(opening.length).toBeLessThanOrEqual(6);
    expect(opening.filter((request) => !request.includes('/api/auth/'))).toEqual(
      expect.arrayContaining(['GET /api/schema', 'GET /api/changes', 'GET /api/changesets', 'GET /api/views']),
    );
    expect(paging).toEqual(['GET /api/nodes']);
  });

  test('a long table renders few rows and supports the keyboard', async () => {
    // Created with Cypher, bypassing the gateway: the nodes have no managed ids.
    await cypher('MATCH (n:Reading) DELETE n');
    await cypher("UNWIND range(1, 5000) AS i CREATE (:Reading {n: i, at: date('2026-01-01')})");
    await waitForCount(base, 'nodes', 'Reading', 5000);
    const page = await openAs('viewer', '/explore?type=Reading');
    await page
      .getByRole('row', { name: /2026-01-01/ })
      .first()
      .waitFor();
    const grid = page.getByRole('grid');
    await grid.getByRole('row').nth(1).focus();
    const foot = page.getByText(/loaded/);
    // Each press loads at most one more page, and the key may be pressed again before it is loaded.
    for (const more of [500, 1500, 2500]) {
      await expect
        .poll(
          async () => {
            await page.keyboard.press('End');
            return Number((await foot.textContent())!.replace(/,|\D.*$/g, ''));
          },
          { interval: 500 },
        )
        .toBeGreaterThan(more);
    }
    await expect.poll(() => grid.getByRole('row').count()).toBeLessThan(80);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Node' }).waitFor();
    await cypher('MATCH (n:Reading) DELETE n');
  });

  test('a node opens by its id from the palette, in a text field too, and starts a graph', async () => {
    const page = await openAs('viewer', '/explore');
    await page.getByRole('grid').waitFor();
    await page.getByRole('textbox', { name: 'Search the graph' }).press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill(sample.films[4]!);
    await page.getByText(`Open node ${sample.films[4]}`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    const cost = await requestsOf(page, async () => {
      await page.getByRole('link', { name: 'Show as a graph with its neighbors' }).click();
      await page.getByRole('heading', { name: 'Graph from The Glass Orchard' }).waitFor();
      await page.getByText(/^8 nodes, 8 edges$/).waitFor();
    });
    expect(cost).toEqual(['GET /api/nodes/' + sample.films[4], `GET /api/nodes/${sample.films[4]}/neighbors`, 'POST /api/edges/among']);
    await page.reload();
    await page.getByText(/^8 nodes, 8 edges$/).waitFor();
  });

  test('the keyboard skips to the list, Escape closes the panel, and a small window hides no tool', async () => {
    const page = await openAs('viewer', `/explore?type=Film&open=node:${sample.films[4]}`);
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await page.keyboard.press('Tab');
    const filter = page.getByRole('button', { name: 'Filter', exact: true });
    expect(await filter.evaluate((button) => button === document.activeElement)).toBe(true);
    // The types are one stop of the Tab key.
    const types = page.getByRole('navigation', { name: 'Types' });
    await expect.poll(() => types.locator('a:not([tabindex="-1"])').count()).toBe(1);
    const film = types.getByRole('link', { name: /^Film/ });
    const texts = await types.getByRole('link').allTextContents();
    const next = texts[texts.indexOf((await film.textContent())!) + 1];
    await film.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(next);

    await page.setViewportSize({ width: 1024, height: 768 });
    await expect.poll(async () => (await page.locator('.toolbar').boundingBox())!.height).toBeLessThan(60); // one line, beside the panel
    await filter.click();
    await page.getByRole('button', { name: 'Apply' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[role="dialog"]').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Node' }).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^The Glass Orchard/);

    await page.getByText('Graph', { exact: true }).click();
    await canvasLoaded(page);
    await page.getByRole('option', { name: /Glass Orchard/ }).click();
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByRole('menuitem', { name: /^All/ }).click();
    await page.getByRole('button', { name: 'Undo step' }).waitFor();
    expect((await page.getByRole('toolbar', { name: 'Canvas' }).boundingBox())!.height).toBeLessThan(48); // one line
    // 200 % of a window of 1,366 x 820 pixels
    await page.setViewportSize({ width: 683, height: 410 });
    await page.getByRole('button', { name: 'Close the panel' }).click();
    for (const name of ['Zoom in', 'Zoom out', 'Fit to view', 'Re-run layout', 'Expand', 'Export'])
      await page.getByRole('button', { name, exact: true }).last().click({ trial: true });
    expect(await findings(page)).toEqual([]);
  });
});

async function download(page: Page, item: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'Export', exact: true }).last().click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
  return readFile(await file.path());
}

/** Waits until the canvas has loaded everything: while it loads, a note follows the counts. */
const canvasLoaded = (page: Page) => page.getByText(/^\d+ nodes?, \d+ edges?$/).waitFor();

describe('filters and orders', () => {
  test('offer the properties of the rows while the schema has not been read', async () => {
    const page = await (await openContext()).newPage();
    // As after the start of a service on a large graph.
    await page.route('**/api/schema', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { node_types: { properties: unknown[] }[] } };
      for (const type of body.data.node_types) type.properties = [];
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto(`${base}/explore?type=Film`);
    await logIn(page, 'viewer');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Property').selectOption('rating');
    await page.getByLabel('Condition').selectOption('gte');
    await page.getByRole('textbox', { name: 'Value' }).fill('8.4');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 total').waitFor();
  });

  test('come from the schema, are kept in the URL and apply to the graph too', async () => {
    const page = await openAs('viewer', '/explore?type=Film');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    // An empty part would match every text.
    await page.getByRole('textbox', { name: 'Value' }).press('Enter');
    await page.getByText('Write a text').waitFor();
    expect(page.url()).not.toContain('filter');
    await page.getByLabel('Property').selectOption('rating');
    await page.getByLabel('Condition').selectOption('gte');
    await page.getByRole('textbox', { name: 'Value' }).fill('many');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Write a number').waitFor();
    await page.getByRole('textbox', { name: 'Value' }).fill('8');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('rating ≥ 8').waitFor();
    const titles = () => page.locator('.grid-row [data-column="0"]').allTextContents();
    await page.getByRole('button', { name: 'rating', exact: true }).click();
    await expect.poll(titles).toEqual(['The Cartographer', 'Paper Lanterns', 'The Glass Orchard']);
    await page.getByRole('button', { name: 'rating', exact: true }).click();
    await expect.poll(titles).toEqual(['The Glass Orchard', 'Paper Lanterns', 'The Cartographer']);
    await page.reload();
    await expect.poll(titles).toEqual(['The Glass Orchard', 'Paper Lanterns', 'The Cartographer']);
    await page.getByRole('button', { name: 'Copy this list as…' }).click();
    await page.getByRole('menuitem', { name: 'Cypher' }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const found = await cypher(text.replaceAll(/^:param .*\n/gm, ''), { p0: 8, limit: 100 });
    expect(JSON.stringify(found).match(/"title":"[^"]+"/g)).toEqual([
      '"title":"The Glass Orchard"',
      '"title":"Paper Lanterns"',
      '"title":"The Cartographer"',
    ]);
    await page.getByText('Graph', { exact: true }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(3);
    await page.getByRole('button', { name: /Remove filter rating/ }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(12);
  });
});

describe('the canvas', () => {
  test('shows the edges among the nodes of a type', async () => {
    const page = await openAs('viewer', '/explore?type=Person&view=graph');
    await page.getByText(/^\d+ nodes?, [1-9]\d* edges?$/).waitFor();
  });

  test('shows counts before expanding, undoes steps, hides nodes, and its URL reopens it', async () => {
    const page = await openAs('viewer', '/explore?type=Studio&view=graph');
    await canvasLoaded(page);
    const before = await page.getByRole('option').count();
    await page.getByRole('option', { name: /Blue Door/ }).click();
    await page.getByText('4 edges', { exact: true }).waitFor();
    const cost = await requestsOf(page, async () => {
      await page.getByRole('button', { name: 'Expand' }).click();
      await page.getByRole('menuitem', { name: /PRODUCED_BY.*4/ }).click();
      await expect.poll(() => page.getByRole('option').count()).toBe(before + 4);
    });
    expect(cost).toHaveLength(3); // the last one reads the edges among all nodes
    expect(await page.getByText('Part of the graph could not be loaded').count()).toBe(0);
    await page
      .getByRole('option', { name: /Low Tide|Quiet Harbour/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Hide' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(before + 3);
    await page.getByRole('complementary', { name: 'Node' }).waitFor({ state: 'hidden' });

    const again = await page.context().newPage();
    await again.goto(page.url());
    await expect.poll(() => again.getByRole('option').count()).toBe(before + 3);

    await page.getByRole('button', { name: 'Undo step' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(before + 4);
    await page.getByRole('option', { name: /Blue Door/ }).click();
    await page.getByRole('button', { name: 'Collapse' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(before);
  });

  test('adds a shortest path between two nodes', async () => {
    const page = await openAs('viewer', '/explore?type=Studio&view=graph');
    await canvasLoaded(page);
    const before = await page.getByRole('option').count();
    await page.getByRole('option', { name: /Blue Door/ }).click();
    await page.getByText('4 edges', { exact: true }).waitFor(); // the panel is complete
    await page.getByRole('option', { name: /Meridian/ }).click({ modifiers: ['Shift'] });
    const cost = await requestsOf(page, async () => {
      await page.getByRole('button', { name: 'Shortest path' }).click();
      await expect.poll(() => page.getByRole('option').count()).toBe(before + 3);
    });
    expect(cost).toEqual(['GET /api/paths', 'POST /api/edges/among']);
    expect(await page.getByText('Part of the graph could not be loaded').count()).toBe(0);
  });

  test('has a list with keyboard support', async () => {
    const page = await openAs('viewer', '/explore?type=Person&view=graph');
    await canvasLoaded(page);
    await page.getByRole('option').first().click();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'Zoe Martin' }).waitFor();
    await page.keyboard.press('p');
    await page.reload();
    await canvasLoaded(page);
    await page.getByRole('button', { name: 'Unpin' }).waitFor();
    // The graph with its stored positions is in view.
    const outside = await page.getByTestId('canvas').evaluate((container) => {
      const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
      const box = cy.nodes().renderedBoundingBox({ includeLabels: false });
      return [-box.x1, -box.y1, box.x2 - cy.width(), box.y2 - cy.height()].filter((pixels) => pixels > 0);
    });
    expect(outside).toEqual([]);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('h');
    await expect.poll(() => page.getByRole('option', { name: /Zoe Martin/ }).count()).toBe(0);
    await page.keyboard.press('ArrowUp'); // goes on where the hidden one was
    await expect.poll(() => page.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
    await page.getByLabel('Find on the canvas').fill('ada');
    await expect.poll(() => page.getByRole('option').count()).toBeLessThan(4);
  });

  test('exports images and data', async () => {
    const page = await openAs('viewer', '/explore?type=Person&view=graph');
    await canvasLoaded(page); // the list is rendered before the edges are loaded, and the canvas only after them
    expect((await download(page, 'Image (PNG)')).subarray(1, 4).toString()).toBe('PNG');
    expect((await download(page, 'Image (SVG)')).toString()).toContain('>Ada Lindqvist</text>');
    expect((await download(page, 'Nodes (CSV)')).toString()).toContain('Ada Lindqvist');
    const json = (await download(page, 'Nodes and edges (JSON)')).toString();
    expect(json).toContain('9007199254740993');
  });
});

describe('permissions', () => {
  test('operations without permission are not offered', async () => {
    const offered = async (user: string) => {
      const page = await openAs(user, `/explore?type=Person&open=node:${sample.people[5]}`);
      await page.getByRole('heading', { name: 'Farid Nasser' }).waitFor();
      const has = async (name: string) => (await page.getByRole('button', { name, exact: true }).count()) > 0;
      return [
        await has('Create a node'),
        await has('Edit properties'),
        await has('Delete the node'),
        (await page.getByRole('link', { name: 'Administration' }).count()) > 0,
      ];
    };
    expect(await offered('viewer')).toEqual([false, false, false, false]);
    expect(await offered('editor')).toEqual([true, true, false, false]);
    expect(await offered('keeper')).toEqual([true, true, true, false]);
    expect(await offered('admin')).toEqual([true, true, true, true]);
  });

  test('a user with only the create permission does not see the graph, but can create', async () => {
    const page = await openAs('writer');
    await page.getByRole('heading', { name: 'You may not read the graph' }).waitFor();
    await page.getByRole('button', { name: 'Create a node' }).click();
    await page.getByRole('combobox', { name: 'Type', exact: true }).fill('Note');
    await page.getByRole('button', { name: 'Add a property' }).click();
    await page.getByRole('combobox', { name: 'Name of the new property' }).fill('text');
    await page.getByLabel('Value of text').fill('unseen');
    await page.getByRole('button', { name: 'Create node' }).click();
    await page.getByText('Note created').waitFor();
  });

  test('errors of the service are shown', async () => {
    const page = await openAs('viewer', '/explore');
    await page.getByRole('grid').waitFor();
    const admin = await connect(base);
    // Taken away between the request and its answer: before, the page might notice it first and show no types.
    let taken: Promise<unknown> | undefined;
    await page.route(/\/api\/nodes\?.*type=City/, async (route) => {
      taken ??= admin('PUT', '/api/admin/users/viewer', { permissions: [] });
      await taken;
      await route.continue();
    });
    try {
      await page.getByRole('link', { name: /^City/ }).click();
      await page.getByRole('heading', { name: /You may not see/ }).waitFor();
      await page.getByText(/Permission denied/).waitFor();
    } finally {
      await admin('PUT', '/api/admin/users/viewer', { permissions: ['read'] });
    }
  });
});
