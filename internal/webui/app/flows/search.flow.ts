import { findings } from './axe';
import { describe, expect, test } from 'vitest';
import { base, openAs, sample } from './browser';
import { connect, userPassword } from './api';

describe('search', () => {
  test('without an index names are searched; with one that an administrator makes, accents and a typing error do not matter', async () => {
    const reader = await openAs('viewer');
    const field = () => reader.getByRole('textbox', { name: 'Search the graph' });
    await field().fill('orchard');
    await field().press('Enter');
    await reader
      .getByRole('note')
      .getByText(/There is no search index yet. Only the names of Person, Film/)
      .waitFor();
    await reader.getByRole('button', { name: /The Glass Orchard/ }).waitFor();
    // A hit can be drawn.
    await reader.getByLabel(/^Select .*The Glass Orchard/).check();
    await reader.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
    expect(await findings(reader)).toEqual([]);
    await reader.getByRole('button', { name: 'Add to canvas' }).click();
    await reader.getByRole('listbox', { name: 'Nodes on the canvas' }).getByText('The Glass Orchard').waitFor();
    await reader.goBack();
    expect(await reader.getByRole('button', { name: 'Make a search index' }).count()).toBe(0);

    const page = await openAs('admin', '/search-indexes');
    await page.getByRole('button', { name: 'New search index' }).click();
    const dialog = page.getByRole('dialog', { name: 'New search index' });
    await dialog.getByLabel('Name').fill('titles');
    for (const [label, value] of [
      ['Types', 'Film'],
      ['Properties', 'title'],
      ['Properties', 'tagline'],
    ] as const) {
      await dialog.getByRole('combobox', { name: label }).fill(value);
      await dialog.getByRole('combobox', { name: label }).press('Enter');
    }
    await dialog.getByLabel('Analyzer').fill('no such');
    await dialog.getByRole('button', { name: 'Create index' }).click();
    await expect.poll(() => dialog.getByLabel('Analyzer').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Analyzer').fill('');
    await dialog.getByRole('button', { name: 'Create index' }).click();
    await page.getByRole('row', { name: /titles Film.*title.*online/ }).waitFor();

    await reader.bringToFront();
    await reader.reload();
    await reader.getByRole('button', { name: /Glass Orchard/ }).click();
    await reader.getByRole('complementary', { name: 'Node' }).getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    await reader.keyboard.press('Control+k');
    await reader.getByRole('textbox', { name: 'Find' }).fill('lant');
    await reader.getByRole('button', { name: /Paper Lanterns/ }).waitFor();
    await reader.keyboard.press('Enter');
    await reader.getByRole('heading', { name: 'Paper Lanterns' }).waitFor();
    expect(reader.url()).toContain(sample.films[1]);

    await page.bringToFront();
    await page.getByRole('button', { name: 'Delete titles' }).click();
    await page.getByRole('button', { name: 'Delete index' }).click();
    await page.getByRole('heading', { name: 'No search indexes' }).waitFor();

    // One click makes an index on all texts.
    const admin = await connect(base);
    const { id } = await admin<{ id: string }>('POST', '/api/nodes', { type: 'Person', properties: { name: 'Søren Eriksson' } });
    await page.goto(`${base}/explore?q=eriks`);
    await page.getByRole('button', { name: 'Make a search index' }).click();
    await page.getByRole('button', { name: /Søren Eriksson/ }).waitFor();
    await page.getByRole('note').waitFor({ state: 'detached' });
    await page.goto(`${base}/explore?q=soren`);
    await page.getByRole('button', { name: /Søren Eriksson/ }).waitFor();
    await page.getByLabel('Type of the results').selectOption('Film');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    await page.getByLabel('Type of the results').selectOption('All types');
    // An edge is found by its own texts, and drawn by its ends.
    await admin('POST', '/api/admin/search-indexes', { name: 'parts', kind: 'edge', types: ['ACTED_IN'], properties: ['role'] });
    await expect.poll(async () => (await admin<object[]>('GET', '/api/search?q=rival&kind=edge')).length).toBeGreaterThan(0);
    await page.goto(`${base}/explore?q=rival`);
    const edge = page.getByRole('region', { name: 'Search results' }).getByRole('button', { name: /ACTED_IN.*Rival/ });
    await edge.first().click();
    await page.getByRole('complementary', { name: 'Edge' }).getByText('Rival').waitFor();
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check();
    await page.getByRole('button', { name: 'Add to canvas' }).click();
    await expect.poll(() => page.getByRole('listbox', { name: 'Nodes on the canvas' }).getByRole('option').count()).toBe(2);
    await admin('DELETE', '/api/admin/search-indexes/parts');
    await page.goto(`${base}/explore?q=Erikson`);
    await page.getByText('Did you mean one of these?').waitFor();
    await page.getByRole('button', { name: /Søren Eriksson/ }).waitFor();
    await admin('DELETE', `/api/nodes/${id}`);
    await admin('DELETE', '/api/admin/search-indexes/texts');
  });
});

describe('audit', () => {
  test('shows entries filtered by the URL, with links to entities', async () => {
    const keeper = await connect(base, 'keeper', userPassword);
    await keeper('PUT', `/api/nodes/${sample.films[3]}`, { properties: { minutes: 101 } });
    const page = await openAs('admin', '/audit');
    await page.getByLabel('User').fill('keeper');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByLabel('Action').selectOption('update');
    const row = page.getByRole('row', { name: /keeper update minutes node Film/ }).first();
    await row.waitFor();
    expect(page.url()).toContain('user=keeper');
    expect(page.url()).toContain('action=update');
    await row.getByRole('link', { name: 'A Field in Winter' }).click();
    await page.getByRole('heading', { name: 'A Field in Winter' }).waitFor();
    const editor = await openAs('editor', '/audit');
    await editor.getByRole('heading', { name: 'For administrators' }).waitFor();
  });
});
