import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { base, openAs, openHelp, sample } from './browser';
import { connect, userPassword } from './api';

describe('the first page', () => {
  test('shows the types by size, keeps favorites, and lists what was changed and opened', async () => {
    const keeper = await connect(base, 'keeper', userPassword);
    const note = await keeper<{ id: string }>('POST', '/api/nodes', { type: 'City', properties: { name: 'Bruges' } });
    await keeper('DELETE', `/api/nodes/${note.id}`);
    const page = await openAs('viewer');
    const nodes = page.getByRole('region', { name: 'Types of nodes' });
    await nodes.getByRole('link', { name: /^Person/ }).waitFor();
    const names = async () =>
      (await nodes.getByRole('listitem').locator('.type-name').allTextContents()).filter((name) =>
        ['Person', 'Film', 'City', 'Studio'].includes(name),
      );
    expect((await names()).slice(0, 2)).toEqual(['Person', 'Film']);
    await nodes.getByRole('button', { name: 'Add Studio to the favorites' }).click();
    await expect.poll(async () => (await names())[0]).toBe('Studio');
    await page.reload();
    await nodes.getByRole('button', { name: 'Remove Studio from the favorites' }).waitFor();
    expect((await names())[0]).toBe('Studio');
    await page.getByRole('region', { name: 'Recently opened' }).getByText('Nodes and edges that you open are listed here.').waitFor();

    await nodes.getByRole('link', { name: /^Film/ }).click();
    await page.getByRole('row', { name: /Glass Orchard/ }).click();
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('region', { name: 'Recently opened' }).getByRole('link', { name: 'The Glass Orchard' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Orchard');
    await page.reload(); // names are not stored
    await page.getByRole('region', { name: 'Recently opened' }).getByRole('link', { name: 'The Glass Orchard' }).click();
    await page.waitForURL(new RegExp(sample.films[4]!));
  });

  test('an administrator loads the sample into an empty graph, and one undo removes it', async () => {
    const page = await openAs('admin', '/schema');
    // The database of the flows is not empty; the first page is shown as if it were, until the sample is there.
    await page.route(
      '**/api/schema',
      async (route) => {
        const response = await route.fetch();
        const { data, ...rest } = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...rest, data: { ...data, node_types: [], edge_types: [] } } });
      },
      { times: 1 },
    );
    await page.goto(base);
    await page.getByRole('button', { name: 'Load a sample graph…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Load the sample graph' });
    await dialog.getByText('nodes: 105 Airport, 101 City, 55 Country').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Load the sample' }).click();
    await dialog.getByRole('row', { name: 'Total 1,064 0 0 0' }).waitFor();
    const airports = page.getByRole('link', { name: /^Airport/, includeHidden: true });
    await airports.waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByRole('button', { name: 'Undo 1,064 changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    const call = await connect(base);
    const countAirports = async () =>
      (await call<{ type: string; count: number }[]>('GET', '/api/schema/nodes')).find(({ type }) => type === 'Airport')?.count ?? 0;
    await expect.poll(countAirports).toBe(0);
  });

  test('lists an approved change set for those who may apply it', async () => {
    const editor = await connect(base, 'editor', userPassword);
    const set = await editor<{ id: string }>('POST', '/api/changesets', {
      title: 'A city for Flanders',
      operations: [{ op: 'create_node', type: 'City', properties: { name: 'Ghent' } }],
    });
    const keeper = await connect(base, 'keeper', userPassword);
    await keeper('POST', `/api/changesets/${set.id}/approve`);
    const noteFor = async (user: string) => {
      const page = await openAs(user);
      const section = page.getByRole('region', { name: 'Waiting change sets' });
      await section.getByText(/waits/).first().waitFor();
      const tab = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Change sets' });
      expect(await tab.getByRole('img', { name: /^\d+ waits? for you$/ }).count()).toBe(user === 'viewer' ? 0 : 1);
      const notes = await section.getByRole('listitem').filter({ hasText: 'A city for Flanders' }).locator('.home-note').allInnerTexts();
      return notes.map((note) => note.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'TIME'));
    };
    expect(await noteFor('keeper')).toEqual(['by editor, approved, waits to be applied, TIME']);
    expect(await noteFor('editor')).toEqual(['yours, approved, waits to be applied, TIME']);
    expect(await noteFor('viewer')).toEqual([]);
    await editor('POST', `/api/changesets/${set.id}/withdraw`);
  });

  test('a question mark shows the shortcuts, and Help leads to the guides', async () => {
    const page = await openAs('viewer', '/explore?type=Film');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Edit the cell').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const opened = await openHelp(page, 'Guide of this interface');
    await opened.getByRole('heading', { name: 'Ask', exact: true }).waitFor();
  });

  test.each(['light', 'dark'] as const)('passes axe and fits small windows in %s colours', async (scheme) => {
    const page = await openAs('admin', '/', { scheme });
    await page
      .getByRole('region', { name: 'Recent changes' })
      .getByRole('listitem')
      .or(page.getByText('Changes made through the gateway appear here.'))
      .first()
      .waitFor();
    expect(await findings(page)).toEqual([]);
    for (const width of [1366, 1024, 768]) {
      await page.setViewportSize({ width, height: 768 });
      expect(await page.evaluate(() => document.querySelector('.page')!.scrollWidth - document.querySelector('.page')!.clientWidth)).toBe(
        0,
      );
    }
  });
});
