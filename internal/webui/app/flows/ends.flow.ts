import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { base, logIn, openAs, openContext, requestsOf, sample } from './browser';
import { connect } from './api';

describe('the ends of edges', () => {
  test('are named in the table, on the canvas and in the panel, and open', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=PRODUCED_BY');
    const row = page.getByRole('row', { name: /The Glass Orchard/ });
    await row.getByRole('button', { name: /^Node (Blue Door|Meridian|Low Tide|Quiet Harbour|\w+)/ }).first().waitFor();
    await row.getByRole('button', { name: 'Node The Glass Orchard' }).click();
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    const cost = await requestsOf(page, async () => {
      await row.click();
      const ends = page.getByRole('complementary', { name: 'Edge' }).getByRole('region', { name: 'Ends' });
      await ends.getByRole('button', { name: 'Node The Glass Orchard' }).waitFor();
    });
    expect(cost).toHaveLength(1);
    const opened = await requestsOf(page, async () => {
      await page.getByRole('complementary', { name: 'Edge' }).getByRole('button', { name: 'Node The Glass Orchard' }).click();
      await page.getByRole('complementary', { name: 'Node' }).getByRole('button', { name: 'Node Lisbon' }).or(page.getByRole('button', { name: /^Node / })).first().waitFor();
    });
    expect(opened.length).toBeLessThanOrEqual(2);
    await page.getByText('Graph', { exact: true }).click();
    await page.getByRole('option', { name: /The Glass Orchard/ }).waitFor();
    await page.getByRole('option', { name: /Blue Door/ }).waitFor();
  });

  test('are exported with all properties', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=PRODUCED_BY&view=graph');
    await page.getByText(/^\d+ nodes, \d+ edges$/).waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Nodes (CSV)' }).click()]);
    const text = (await readFile(await file.path())).toString();
    expect(text.split('\r\n')[0]).toContain('employees');
    expect(text).toMatch(/The Glass Orchard, a story of/);
  });
});

describe('forms', () => {
  test('a Boolean that nobody touched is not stored, and another type has its own fields', async () => {
    const page = await openAs('keeper', '/explore?type=Person');
    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New node' });
    await dialog.getByRole('radiogroup', { name: 'Value of active' }).waitFor();
    await dialog.getByLabel('Value of name').fill('Nobody Touched');
    const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'POST'), dialog.getByRole('button', { name: 'Create node' }).click()]);
    expect(request.postData()).toBe('{"type":"Person","properties":{"name":"Nobody Touched"}}');
    await page.getByRole('heading', { name: 'Nobody Touched' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();

    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Type', exact: true }).fill('Studio');
    await dialog.getByLabel('Value of employees').waitFor();
    expect(await dialog.getByLabel('Value of born').count()).toBe(0);
  });

  test('unsaved edits survive another row, and leaving the page asks', async () => {
    const page = await openAs('keeper', `/explore?type=Person&open=node:${sample.people[6]}`);
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of height').fill('1.23');
    await page.getByRole('row').nth(2).click();
    await page.getByRole('button', { name: 'Edit properties' }).waitFor();
    await page.getByRole('button', { name: /^Unsaved changes: / }).click();
    await expect.poll(() => page.getByLabel('Value of height').inputValue()).toBe('1.23');
    const asked = await page.evaluate(() => {
      const leaving = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(leaving);
      return leaving.defaultPrevented;
    });
    expect(asked).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit properties' }).waitFor();
    expect(await page.getByRole('button', { name: /^Unsaved changes: / }).count()).toBe(0);
  });

  test('Escape does not discard a form that has been filled in', async () => {
    const page = await openAs('keeper', '/explore?type=Studio');
    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New node' });
    await dialog.getByLabel('Value of name').fill('Half written');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you entered?' }).getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Value of name').inputValue()).toBe('Half written');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  });
});

describe('addresses and sessions', () => {
  test('a reload while the service is busy keeps the session', async () => {
    const page = await openAs('viewer', '/schema');
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 503, headers: { 'Content-Type': 'application/json', 'Retry-After': '60' }, body: '{"error":{"code":"DATABASE_UNAVAILABLE","message":"The database cannot be reached at the moment"}}' }));
    await page.reload();
    await page.getByRole('heading', { name: 'The service is not ready' }).waitFor();
    await page.unroute('**/api/auth/me');
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
  });

  test('an unknown address is a page', async () => {
    const page = await (await openContext()).newPage();
    const answer = await page.goto(`${base}/no/such.page`);
    expect(answer?.status()).toBe(404);
    await logIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Explore the graph' }).click();
    await page.getByRole('grid').waitFor();
    const admin = await connect(base);
    await expect(admin('GET', '/no/such.page')).rejects.toThrow('NOT_FOUND');
  });
});
