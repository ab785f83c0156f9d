import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, logIn, openContext } from './browser';

const owner = 'analyst-of-queries';

beforeAll(async () => {
  const admin = await connect(base);
  const permissions = ['read', 'query', 'console'];
  await admin('POST', '/api/admin/users', { username: owner, password: userPassword, permissions, admin: true, rate_limit: 100_000 });
});
afterAll(async () => {
  const admin = await connect(base);
  await admin('DELETE', '/api/admin/queries/tall_people').catch(() => undefined);
  await admin('DELETE', `/api/admin/users/${owner}`);
});

async function open(path: string): Promise<Page> {
  const page = await (await openContext()).newPage();
  await page.goto(base + path);
  await logIn(page, owner);
  return page;
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Cypher query' });
const run = (page: Page) => page.getByRole('button', { name: 'Run' }).click();

async function write(page: Page, cypher: string) {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(cypher);
}

describe('the console', () => {
  test('runs a query with a parameter; its link reopens text and parameters', async () => {
    const page = await open('/console');
    await write(page, 'MATCH (p:Person) WHERE p.height > $least RETURN p, p.name AS name, p.height AS height ORDER BY height DESC');
    await page.getByLabel('Type of least').selectOption('Float');
    await page.getByLabel('Value of least').fill('1.0');
    await run(page);
    const rows = page.getByRole('grid', { name: 'Rows' });
    await rows.getByRole('columnheader', { name: 'height' }).waitFor();
    expect(await rows.getByRole('row').count()).toBeGreaterThan(2);
    await page.getByText('Chart', { exact: true }).click();
    await page.getByRole('img', { name: 'height by' }).waitFor();
    await page.getByText('Graph', { exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /\d+ nodes?/ })
      .first()
      .waitFor();
    await page.getByText('Plan', { exact: true }).click();
    await page.getByRole('region', { name: 'Plan' }).getByText('ProduceResults').waitFor();
    await page.getByText('Table', { exact: true }).click();
    await expect.poll(() => page.url()).toContain('#cypher=');
    await page.reload();
    await editor(page).getByText('p.height').first().waitFor();
    expect(await page.getByLabel('Value of least').inputValue()).toBe('1.0');
    expect(await findings(page)).toEqual([]);
  });

  test('marks what the service says of the text, and refuses a write', async () => {
    const page = await open('/console');
    await write(page, 'MATCH (p:Person)\nRETRUN p');
    const remarks = page.getByRole('list', { name: 'Remarks on the query' });
    await remarks.getByText(/Error in line 2, column/).waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await write(page, 'CREATE (p:Person) RETURN p');
    await run(page);
    await page.getByRole('alert').waitFor();
    await write(page, '');
    await page.keyboard.insertText('MATCH (p:');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete').getByText('Person', { exact: true }).waitFor();
  });

  test('saves a query as an endpoint, which becomes a form', async () => {
    const page = await open('/console');
    await write(page, 'MATCH (p:Person) WHERE p.name CONTAINS $part RETURN p.name AS name ORDER BY name');
    await page.getByRole('button', { name: 'Save as endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as endpoint' });
    await dialog.getByLabel('Name', { exact: true }).fill('tall_people');
    await dialog.getByLabel('Description', { exact: true }).fill('People by a part of their names');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Queries' }).click();
    await page.getByRole('link', { name: /tall_people/ }).click();
    await page.getByLabel('Value of part').fill('a');
    await run(page);
    await page.getByRole('grid', { name: 'Rows' }).getByRole('columnheader', { name: 'name' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
