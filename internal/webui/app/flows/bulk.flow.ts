// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, cypher, userPassword, waitForCount } from './api';
import { findings } from './axe';
import { base, openAs, openContext, logIn, reportBodies, requestsOf } from './browser';
import { startGateway } from './gateway';

const clear = () => cypher('MATCH (n) WHERE n:Barge OR n:Quay DETACH DELETE n');
beforeEach(clear);
afterAll(clear);

interface Entity {
  id: string;
  properties: Record<string, unknown>;
}

const admin = () => connect(base);

/** Creates barges A, B, C and so on, of which the first two are moored at a quay. */
async function createBarges(count: number): Promise<string[]> {
  const call = await admin();
  const quay = (await call<Entity>('POST', '/api/nodes', { type: 'Quay', properties: { name: 'North' } })).id;
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push((await call<Entity>('POST', '/api/nodes', { type: 'Barge', properties: { name: String.fromCharCode(65 + i), load: i } })).id);
  for (const id of ids.slice(0, 2)) await call('POST', '/api/edges', { type: 'MOORED_AT', source_id: id, target_id: quay });
  await waitForCount(base, 'nodes', 'Barge', count);
  return ids;
}

const barges = async () => (await (await admin())<Entity[]>('GET', '/api/nodes?type=Barge&sort=name')).map(({ properties }) => properties);
const row = (page: Page, name: string) => page.locator('.grid-row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
const cell = (page: Page, name: string, column: number) => row(page, name).locator(`[data-column="${column}"]`);
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
const selectedRows = (page: Page) =>
  page
    .locator('.grid-row[aria-selected="true"]')
    .evaluateAll((rows) => rows.map((each) => each.querySelector('[data-column="0"]')?.textContent).join(''));

describe('selected rows', () => {
  test('stay selected when the list is sorted and filtered; those not shown are counted, and are deleted with the others', async () => {
    await createBarges(5);
    const page = await openAs('keeper', '/explore?type=Barge&sort=name');
    await row(page, 'A').click({ modifiers: ['Control'] });
    await row(page, 'E').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: 'load', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('load');
    await expect.poll(() => selectedRows(page)).toBe('AE');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Property').selectOption('load');
    await page.getByLabel('Condition').selectOption('gte');
    await page.getByRole('textbox', { name: 'Value' }).fill('3');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => selectedRows(page)).toBe('E');
    await bar(page).getByText('2 selected, 1 of them not among the loaded rows').waitFor();
    await bar(page).getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: /^Delete/ }).click();
    await bar(page).waitFor({ state: 'hidden' });
    expect((await barges()).map(({ name }) => name)).toEqual(['B', 'C', 'D']);
    await page.getByRole('link', { name: /^Quay/ }).click();
    await row(page, 'North').waitFor();
    expect(await selectedRows(page)).toBe('');
  });

  test('are chosen by mouse and keyboard, and not offered to those who may only read', async () => {
    await createBarges(5);
    const page = await openAs('keeper', '/explore?type=Barge');
    await row(page, 'B').click({ modifiers: ['Control'] });
    await row(page, 'D').click({ modifiers: ['Shift'] });
    await expect.poll(() => selectedRows(page)).toBe('BCD');
    await row(page, 'C').click({ modifiers: ['Control'] });
    await expect.poll(() => selectedRows(page)).toBe('BD');
    await bar(page).getByText('2 selected').waitFor();
    expect(await findings(page)).toEqual([]);
    await row(page, 'E').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => selectedRows(page)).toBe('BDE');
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(() => selectedRows(page)).toBe('DE');
    await bar(page).getByRole('button', { name: 'Select all 5 loaded rows' }).click();
    await expect.poll(() => selectedRows(page)).toBe('ABCDE');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).waitFor({ state: 'hidden' });
    await row(page, 'A').getByRole('checkbox').click();
    await expect.poll(() => selectedRows(page)).toBe('A');
    await page.getByRole('complementary', { name: 'Node' }).waitFor({ state: 'hidden' }); // selecting opens nothing

    const reader = await openAs('viewer', '/explore?type=Barge');
    await row(reader, 'A').click({ modifiers: ['Control'] });
    await bar(reader).getByRole('button', { name: 'Add to canvas' }).waitFor();
    expect(await bar(reader).getByRole('button', { name: 'Edit…' }).count()).toBe(0);
    const editor = await openAs('editor', '/explore?type=Barge');
    await row(editor, 'A').click({ modifiers: ['Control'] });
    await bar(editor).getByRole('button', { name: 'Edit…' }).waitFor();
    expect(await bar(editor).getByRole('button', { name: 'Delete…' }).count()).toBe(0);
  });

  test('are changed together after a dry run, with errors by row, and one undo', async () => {
    await createBarges(3);
    await cypher("MATCH (b:Barge {name: 'C'}) SET b.load = 9");
    const before = await barges();
    const page = await openAs('keeper', '/explore?type=Barge');
    await row(page, 'A').click({ modifiers: ['Control'] });
    await row(page, 'C').click({ modifiers: ['Shift'] });
    await bar(page).getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 3 nodes' });
    await dialog.getByRole('combobox', { name: 'Property', exact: true }).fill('load');
    await dialog.getByLabel('Value of load').fill('9');
    await dialog.getByRole('button', { name: 'Another property' }).click();
    await dialog.getByRole('combobox', { name: 'Property', exact: true }).nth(1).fill('port');
    await dialog.getByLabel('Value of port').fill('Kiel');
    expect(await findings(page)).toEqual([]);
    const cost = await requestsOf(page, async () => {
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('3 nodes will be changed.').waitFor();
    });
    expect(cost).toEqual(['POST /api/batch']);
    expect(await barges()).toEqual(before);
    await dialog.getByRole('button', { name: 'Change 3 nodes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await barges()).map((b) => [b['load'], b['port']])).toEqual([
      [9, 'Kiel'],
      [9, 'Kiel'],
      [9, 'Kiel'],
    ]);
    await expect.poll(() => page.locator('.grid-row').filter({ hasText: 'Kiel' }).count()).toBe(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await barges()).toEqual(before);

    // One row that has been deleted meanwhile is named, left out, and the others are changed.
    await cypher("MATCH (b:Barge {name: 'B'}) DETACH DELETE b");
    await row(page, 'A').click({ modifiers: ['Control'] });
    await bar(page)
      .getByRole('button', { name: /Select all/ })
      .click();
    await bar(page).getByRole('button', { name: 'Edit…' }).click();
    await dialog.getByRole('combobox', { name: 'Property', exact: true }).fill('load');
    await dialog.getByText('Remove', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('region', { name: 'Errors by row' }).getByRole('cell', { name: 'B', exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Leave out 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Check' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change 2 nodes' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await barges()).map((b) => b['load'])).toEqual([undefined, undefined]);
  });

  test('are deleted together with a count of their edges, and one undo brings them back', async () => {
    await createBarges(3);
    const page = await openAs('keeper', '/explore?type=Barge');
    await row(page, 'A').click({ modifiers: ['Control'] });
    await row(page, 'B').click({ modifiers: ['Control'] });
    await bar(page).getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 nodes' });
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('2 nodes will be deleted, and 2 edges with them.').waitFor();
    expect(await barges()).toHaveLength(3);
    await dialog.getByRole('button', { name: 'Delete 2 nodes' }).click();
    await row(page, 'A').waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByRole('link', { name: /^Barge/ }).textContent()).toBe('Barge1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'A').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Barge/ }).textContent()).toBe('Barge3');
    const edges = await (await admin())<unknown[]>('GET', '/api/edges?type=MOORED_AT');
    expect(edges).toHaveLength(2);
  });

  test('are added to the proposal while proposing', async () => {
    await createBarges(2);
    const page = await openAs('editor', '/explore?type=Barge');
    await page.getByRole('switch', { name: 'Propose' }).click();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByRole('button', { name: 'Propose to edit…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Property', exact: true }).fill('port');
    await dialog.getByLabel('Value of port').fill('Kiel');
    const cost = await requestsOf(page, async () => {
      await dialog.getByRole('button', { name: 'Propose to change 2 nodes' }).click();
      await page.getByRole('region', { name: 'Proposal' }).getByText('2 operations').waitFor();
    });
    expect(cost).toEqual([]);
    expect((await barges()).map((b) => b['port'])).toEqual([undefined, undefined]);
  });

  test('without history, the dialog warns that nothing can be undone', async () => {
    await createBarges(1);
    const gateway = await startGateway(3600, { GRAPHREST_HISTORY: 'off' });
    try {
      const page = await (await openContext({ origins: [gateway.base] })).newPage();
      await page.goto(`${gateway.base}/explore?type=Barge`);
      await logIn(page, 'keeper', userPassword);
      await row(page, 'A').click({ modifiers: ['Control'] });
      await bar(page).getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('note').filter({ hasText: 'this cannot be undone' }).waitFor();
    } finally {
      await gateway.stop();
    }
  });
});

describe('cells', () => {
  test('are edited in the table by double click and F2, with the ETag, and a conflict is shown', async () => {
    const [first] = await createBarges(2);
    const page = await openAs('editor', '/explore?type=Barge');
    await reportBodies(page);
    const editor = page.getByRole('dialog', { name: 'Edit load' });
    const cost = await requestsOf(page, async () => {
      await cell(page, 'A', 1).dblclick();
      await editor.getByLabel('Value of load').fill('many');
      await editor.getByText('Write a whole number').waitFor();
      expect(await findings(page)).toEqual([]);
      await editor.getByLabel('Value of load').fill('9007199254740993');
      const [request] = await Promise.all([page.waitForRequest((r) => r.method() === 'PUT'), page.keyboard.press('Enter')]);
      expect(request.postData()).toBe('{"properties":{"load":9007199254740993}}');
      expect(request.headers()['if-match']).toMatch(/^"/);
      await editor.waitFor({ state: 'hidden' });
    });
    expect(cost).toEqual([`GET /api/nodes/${first}`, `PUT /api/nodes/${first}`]); // and the panel stays closed
    await expect.poll(() => cell(page, 'A', 1).textContent()).toBe('9007199254740993');

    await row(page, 'B').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    await editor.getByLabel('Value of load').fill('5');
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'hidden' });
    await expect.poll(() => cell(page, 'B', 1).textContent()).toBe('1');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-column'))).toBe('1');

    await page.keyboard.press('F2');
    await editor.getByLabel('Value of load').fill('7');
    await page.getByRole('button', { name: 'Undo', exact: true }).click(); // of the change of A: everything is read again, the draft stays
    await expect.poll(() => cell(page, 'A', 1).textContent()).toBe('0');
    expect(await editor.getByLabel('Value of load').inputValue()).toBe('7');
    await cell(page, 'A', 1).dblclick(); // another cell is not edited before the draft is saved or cancelled
    expect(await editor.getByLabel('Value of load').inputValue()).toBe('7');
    await editor.getByLabel('Value of load').focus();
    await cypher("MATCH (b:Barge {name: 'B'}) SET b.load = 6");
    await page.keyboard.press('Enter');
    const both = page.getByRole('dialog', { name: /Changed by another user/ });
    await both.getByText('6', { exact: true }).waitFor();
    await both.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => cell(page, 'B', 1).textContent()).toBe('7');

    await cell(page, 'B', 1).dblclick();
    await editor.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => cell(page, 'B', 1).textContent()).toBe('–');
    await cell(page, 'A', 0).click();
    await page.getByRole('complementary', { name: 'Node' }).waitFor();

    const reader = await openAs('viewer', '/explore?type=Barge');
    await row(reader, 'A').focus();
    await reader.keyboard.press('F2');
    await cell(reader, 'A', 1).dblclick();
    await reader.getByRole('complementary', { name: 'Node' }).waitFor();
    expect(await reader.getByRole('dialog').count()).toBe(0);
  });
});

describe('a draft in a cell', () => {
  const editor = (page: Page, property = 'load') => page.getByRole('dialog', { name: `Edit ${property}` });
  const value = (page: Page) => editor(page).getByLabel('Value of load');
  const conflict = (page: Page) => page.getByRole('dialog', { name: /Changed by another user/ });
  const hasFocus = (page: Page) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Value of load');

  test('stays while Escape closes what is above the editor; a conflict is resolved, also about a removed property', async () => {
    await createBarges(2);
    await cypher("MATCH (b:Barge) SET b.due = datetime('2026-05-01T09:30:00[Europe/Berlin]')");
    const page = await openAs('editor', '/explore?type=Barge&columns=p:name,p:load,p:due');
    await cell(page, 'A', 2).dblclick();
    await editor(page, 'due').getByRole('button', { name: 'Choose date, time or zone of due' }).click();
    await editor(page, 'due').getByRole('combobox', { name: 'Zone of due' }).click();
    await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor({ state: 'hidden' });
    expect(await editor(page, 'due').count()).toBe(1);
    await page.keyboard.press('Escape');
    await editor(page, 'due').waitFor({ state: 'hidden' });

    await cell(page, 'A', 1).dblclick();
    await value(page).fill('7');
    await cypher("MATCH (b:Barge {name: 'A'}) SET b.load = 6");
    await page.keyboard.press('Enter');
    await conflict(page).getByText('6', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await conflict(page).waitFor({ state: 'hidden' });
    await hasFocus(page);
    expect(await value(page).inputValue()).toBe('7');
    await page.keyboard.press('Enter');
    await conflict(page).getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => cell(page, 'A', 1).textContent()).toBe('7');

    await cell(page, 'B', 1).dblclick();
    await value(page).waitFor();
    await cypher("MATCH (b:Barge {name: 'B'}) SET b.load = 5");
    await editor(page).getByRole('button', { name: 'Remove' }).click();
    await conflict(page).getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => cell(page, 'B', 1).textContent()).toBe('–');
  });

  test('becomes an unsaved change of the panel when its row leaves the table', async () => {
    await createBarges(3);
    const page = await openAs('editor', '/explore?type=Barge&columns=p:name,p:load&filter[load][lt:integer]=5');
    const panel = page.getByRole('complementary', { name: 'Node' });
    await cell(page, 'B', 1).dblclick();
    await value(page).fill('7');
    // The browser asks.
    expect(await page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false);
    await page.getByRole('button', { name: 'Remove filter load < 5' }).click();
    await page.getByRole('button', { name: 'Unsaved changes: B' }).click();
    await expect.poll(() => panel.getByLabel('Value of load').inputValue()).toBe('7');
    await panel.getByRole('button', { name: 'Save 1 change' }).click();
    await expect.poll(() => cell(page, 'B', 1).textContent()).toBe('7');

    // A panel that shows the entity takes the draft over, beside its own.
    await panel.getByRole('button', { name: 'Edit properties' }).click();
    await panel.getByLabel('Value of name').fill('Bee');
    await cell(page, 'B', 1).dblclick();
    await editor(page).getByRole('button', { name: 'Remove' }).waitFor();
    await value(page).fill('8');
    await page.getByRole('columnheader').getByRole('button', { name: 'load', exact: true }).click();
    await expect.poll(() => panel.getByLabel('Value of load').inputValue()).toBe('8');
    await panel.getByRole('button', { name: 'Save 2 changes' }).click();
    await expect.poll(() => cell(page, 'Bee', 1).textContent()).toBe('8');

    await cell(page, 'C', 1).dblclick();
    await value(page).fill('9');
    await cypher("MATCH (b:Barge {name: 'C'}) DETACH DELETE b");
    await page.getByRole('button', { name: 'Undo', exact: true }).click(); // of the changes of B: the rows are read again
    await page.getByRole('button', { name: 'Unsaved changes: C' }).click();
    await page.getByRole('heading', { name: 'Deleted or not found' }).waitFor();
    await page.getByRole('button', { name: 'Unsaved changes: C' }).waitFor({ state: 'hidden' });
  });

  test('takes the focus when another cell is to be edited; saved, it leaves the focus at its row, wherever that is now', async () => {
    const [, second] = await createBarges(40);
    const page = await openAs('editor', '/explore?type=Barge&columns=p:name,p:load');
    await cell(page, 'A', 1).dblclick();
    await value(page).fill('7');
    await cell(page, 'B', 1).dblclick();
    await hasFocus(page);
    await row(page, 'B').focus();
    await page.keyboard.press('End'); // the row of the draft is not rendered any more
    await value(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('F2');
    await hasFocus(page);
    expect(await value(page).inputValue()).toBe('7');
    await page.keyboard.press('Escape');
    await editor(page).waitFor({ state: 'hidden' });
    await expect.poll(() => cell(page, 'A', 1).textContent()).toBe('0');

    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/api/nodes/${second}`, async (route) => {
      if (route.request().method() === 'PUT') await released;
      await route.continue();
    });
    await cell(page, 'C', 1).dblclick();
    await value(page).fill('9');
    await page.keyboard.press('Enter');
    await expect.poll(() => cell(page, 'C', 1).textContent()).toBe('9');
    await cell(page, 'B', 1).dblclick();
    await value(page).fill('7');
    await page.keyboard.press('Enter');
    await cypher("MATCH (b:Barge {name: 'A'}) DETACH DELETE b");
    await page.getByRole('button', { name: 'Undo', exact: true }).click(); // of the change of C: the rows are read again
    await row(page, 'A').waitFor({ state: 'hidden' });
    release();
    await editor(page).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.grid-row')?.textContent)).toBe('B7');
  });
});
