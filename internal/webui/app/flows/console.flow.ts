// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, logIn, openContext, overlapping } from './browser';

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
  if (cypher === '') await page.keyboard.press('Delete');
  else await page.keyboard.insertText(cypher);
}

/** The labels of a chart that are small, outside of it, or over another. */
function unreadable(plot: SVGElement | HTMLElement): string[] {
  const area = plot.getBoundingClientRect();
  const labels = [...plot.querySelectorAll('text')].map((text) => ({ text: text.textContent, at: text.getBoundingClientRect() }));
  if (labels.length < 6) return [`${labels.length} labels`];
  return labels
    .filter(
      ({ at }) =>
        at.height < 11 ||
        at.left < area.left ||
        at.right > area.right ||
        labels.some(({ at: b }) => b !== at && b.left < at.right && at.left < b.right && b.top < at.bottom && at.top < b.bottom),
    )
    .map(({ text }) => text);
}

describe('the console', () => {
  test('runs a query with a parameter; its link reopens text and parameters', async () => {
    const page = await open('/console');
    await write(page, 'MATCH (p:Person) WHERE p.height > $least RETURN p, p.name AS name, p.height AS height ORDER BY height DESC');
    await page.getByLabel('Type of least').selectOption('Float');
    await page.getByLabel('Value of least').fill('1.0');
    await page.keyboard.press('ControlOrMeta+Enter');
    const rows = page.getByRole('grid', { name: 'Rows' });
    await rows.getByRole('columnheader', { name: 'height' }).waitFor();
    expect(await overlapping(rows.getByRole('row'))).toEqual([]);
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
    await page.getByRole('alert').waitFor({ state: 'detached' }); // it was about another text
    await page.keyboard.insertText('MATCH (p:');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete').getByText('Person', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    // What typing asks for must not open once the focus has left; the service's remark comes later.
    await page.keyboard.type('Per');
    await page.getByRole('button', { name: 'Copy link' }).focus();
    await remarks.getByText(/Invalid input/).waitFor();
    expect(await page.locator('.cm-tooltip-autocomplete').count()).toBe(0);
  });

  test('a plan without estimates says why; running closes the completions', async () => {
    const page = await open('/console');
    await write(page, 'MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN p.name AS n');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' });
    await page.getByRole('grid', { name: 'Rows' }).waitFor();
    await page.getByText('Plan', { exact: true }).click();
    await page.getByText(/Estimated rows are left out/).waitFor();
  });

  test('whoever may only run queries begins with them', async () => {
    const admin = await connect(base);
    const username = 'only-queries';
    await admin('POST', '/api/admin/users', { username, password: userPassword, permissions: ['query'] });
    const page = await (await openContext()).newPage();
    await page.goto(base);
    await logIn(page, username);
    await page.getByRole('heading', { name: 'Queries', exact: true }).waitFor();
    await admin('DELETE', `/api/admin/users/${username}`);
  });

  test('the administration is reached at the usual width, and the console used on a phone', async () => {
    const page = await open('/console');
    await page.setViewportSize({ width: 1366, height: 768 });
    for (const width of [1366, 390]) {
      await page.setViewportSize({ width, height: 768 });
      for (const target of [page.getByRole('link', { name: 'Administration' }), page.getByRole('button', { name: 'Copy link' })]) {
        const { left, right } = await target.evaluate((element) => element.getBoundingClientRect());
        expect([left >= 0, right <= width]).toEqual([true, true]);
      }
    }
    await write(page, 'UNWIND range(1, 30) AS n RETURN n, "Actor number " + n AS name');
    await run(page);
    await page.getByRole('grid', { name: 'Rows' }).getByRole('gridcell', { name: '1', exact: true }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByText('Chart', { exact: true }).click();
    for (const [kind, across] of [
      ['bar', 'name'],
      ['scatter', 'n'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Chart' }).selectOption(kind);
      await page.getByRole('combobox', { name: 'Across' }).selectOption(across);
      await expect.poll(() => page.locator('.plot').evaluate(unreadable)).toEqual([]);
    }
    await page.goto(base); // one column
    const box = await page.getByRole('heading', { name: 'Recent changes' }).boundingBox();
    expect(box!.x).toBeLessThan(60);
    await page.setViewportSize({ width: 683, height: 384 }); // 1,366 x 768 at 200 %
    await page.goto(`${base}/explore?type=Film`);
    await page.getByRole('button', { name: 'Filter' }).click();
    const apply = page.getByRole('button', { name: 'Apply' });
    await expect
      .poll(() => apply.boundingBox().then((at) => at !== null && at.y >= 0 && at.y + at.height <= 384)) // once it is placed
      .toBe(true);
  });

  test('saves a query as an endpoint, which becomes a form', async () => {
    const page = await open('/console');
    await write(page, 'MATCH (p:Person) WHERE p.name CONTAINS $part RETURN p.name AS name ORDER BY name');
    await page.getByRole('button', { name: 'Save as endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as endpoint' });
    await dialog.getByLabel('Name', { exact: true }).fill('tall_people');
    await dialog.getByLabel('Description', { exact: true }).fill('People by a part of their names');
    await dialog.getByLabel('Timeout').fill('3s');
    await dialog.getByLabel('part has a default').check();
    await dialog.getByLabel('Value of the default of part').fill('Ada');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    // A new version begins with the settings of the last one.
    await page.getByRole('button', { name: 'Save as endpoint' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('tall_people');
    await dialog.getByLabel('Value of part').selectOption('an attribute of the caller');
    await dialog.getByLabel('Attribute for part').fill('team');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText(/There is a query of this name/).waitFor();
    expect(await dialog.getByLabel('Timeout').inputValue()).toBe('3s');
    await dialog.getByLabel('Value of part').selectOption('entered by whoever runs it');
    await dialog.getByLabel('part has a default').check();
    await dialog.getByRole('button', { name: 'Save a new version' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const admin = await connect(base);
    expect(await admin('GET', '/api/admin/queries/tall_people')).toMatchObject({ timeout: 3, version: 2 });
    await page.getByRole('link', { name: 'Queries' }).click();
    await page.getByRole('link', { name: /tall_people/ }).click();
    expect(await page.getByLabel('Value of part').inputValue()).toBe('');
    await page.getByLabel('Value of part').fill('a');
    await run(page);
    await page.getByRole('grid', { name: 'Rows' }).getByRole('columnheader', { name: 'name' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
