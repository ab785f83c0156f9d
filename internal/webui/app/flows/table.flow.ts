import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, cypher, waitForCount } from './api';
import { findings } from './axe';
import { base, openAs, overlapping, requestsOf } from './browser';

const clear = () => cypher('MATCH (n) WHERE n:Ferry OR n:Abacus OR n:Harbor DETACH DELETE n');
beforeEach(clear);
afterAll(clear);

interface Ferry {
  id: string;
  properties: Record<string, unknown>;
}

/** Creates ferries with these properties; the first of them are on top of the list. */
async function createFerries(...ferries: object[]): Promise<string[]> {
  const call = await connect(base);
  const ids: string[] = [];
  for (const properties of ferries) ids.push((await call<Ferry>('POST', '/api/nodes', { type: 'Ferry', properties })).id);
  await waitForCount(base, 'nodes', 'Ferry', ferries.length);
  return ids;
}

/** Without the column of the selection, whose header shows no text. */
const headers = async (page: Page) => (await page.getByRole('columnheader').allInnerTexts()).filter((text) => text !== '');
const cells = (page: Page, column: number) =>
  page
    .getByRole('row')
    .evaluateAll((rows, at) => rows.slice(1).map((row) => row.querySelector(`[data-column="${at}"]`)?.textContent), column);
const header = (page: Page, name: string) => page.getByRole('columnheader').filter({ hasText: name });
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

describe('the table', () => {
  test('a second action that comes before the first is rendered does not undo it', async () => {
    const page = await openAs(
      'viewer',
      '/explore?type=Film&filter[released][gte:integer]=2010&filter[rating][gte]=7&columns=p:title,p:rating,p:released',
    );
    await page.getByRole('row', { name: /Glass/ }).waitFor();
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>('[aria-label^="Remove filter"]')) button.click();
    });
    await page.getByRole('row', { name: /North of Nothing/ }).waitFor(); // neither recent nor good
    expect(decodeURIComponent(page.url())).not.toContain('filter[');
    // Two further sort keys at once.
    await page.evaluate(() => {
      for (const title of ['rating', 'released']) {
        const [head] = [...document.querySelectorAll<HTMLElement>('[role=columnheader] button.sort')].filter(
          (each) => each.textContent === title,
        );
        head!.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
      }
    });
    await expect.poll(() => parameter(page, 'sort')).toBe('rating,released');
  });

  test('columns and colours stay when values and types appear and disappear', async () => {
    await createFerries({ name: 'Astra', berths: '10', age: 3 }, { name: 'Borea', berths: '20' });
    const page = await openAs('viewer', '/explore?type=Ferry');
    await page.getByRole('row', { name: /Astra/ }).waitFor();
    expect(await headers(page)).toEqual(['name', 'age', 'berths', 'ID']);
    const colour = () =>
      page
        .getByRole('link', { name: /^Ferry/ })
        .locator('.dot')
        .evaluate((dot) => getComputedStyle(dot).backgroundColor);
    const before = await colour();

    await cypher('MATCH (f:Ferry) REMOVE f.berths SET f.age = 4');
    await cypher('CREATE (:Abacus {n: 1})');
    await waitForCount(base, 'nodes', 'Abacus', 1);
    await page.reload();
    await page.getByRole('link', { name: /^Abacus/ }).waitFor();
    expect(await colour()).toBe(before);

    // A row of the next page has a property that the first page has not.
    await cypher("UNWIND range(1, 150) AS i CREATE (:Ferry {name: 'Boat ' + i, age: i})");
    await cypher("MATCH (f:Ferry) WITH f LIMIT 1 SET f.berths = '5'");
    await waitForCount(base, 'nodes', 'Ferry', 152);
    await page.reload();
    await page.locator('.grid-row').first().focus();
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return page.getByText('152 total').count();
      })
      .toBe(1);
    expect(await headers(page)).toEqual(['name', 'age', 'berths', 'ID']);
  });

  test('sorts by up to four columns, by mouse and keyboard, and the address keeps them', async () => {
    await createFerries(
      { name: 'A', decks: 2, line: 'x', a: 1, b: 1 },
      { name: 'B', decks: 1, line: 'x', a: 1, b: 1 },
      { name: 'C', decks: 2, line: 'y', a: 1, b: 1 },
    );
    const page = await openAs('viewer', '/explore?type=Ferry');
    await header(page, 'decks').getByRole('button').click();
    await expect.poll(() => cells(page, 0)).toEqual(['B', 'A', 'C']);
    const requests = await requestsOf(page, async () => {
      await header(page, 'name')
        .getByRole('button')
        .click({ modifiers: ['Shift'] });
      await page.getByRole('button', { name: 'name, sort key 2' }).waitFor();
    });
    expect(requests).toEqual(['GET /api/nodes']);
    await page.getByRole('button', { name: 'name, sort key 2' }).press('Shift+Enter');
    await expect.poll(() => cells(page, 0)).toEqual(['B', 'C', 'A']);
    expect(parameter(page, 'sort')).toBe('decks,-name');
    await expect.poll(() => header(page, 'decks').getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => header(page, 'name').getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await expect.poll(() => cells(page, 0)).toEqual(['B', 'C', 'A']);

    // The heading is one stop of the Tab key; the arrows move between its columns.
    await page.getByRole('button', { name: 'name, sort key 2' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('button', { name: 'line, sort key 3' }).waitFor();
    await page.getByRole('button', { name: 'a', exact: true }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'b', exact: true }).click({ modifiers: ['Shift'] });
    expect(parameter(page, 'sort')).toBe('decks,-name,line,a');
    expect(await findings(page)).toEqual([]);
    await header(page, 'line').getByRole('button').click();
    await expect.poll(() => parameter(page, 'sort')).toBe('line');
  });

  test('columns are chosen, ordered and resized; hidden ones are not requested', async () => {
    await createFerries({ name: 'A', decks: 2, line: 'x', home: 'Kiel' });
    const page = await openAs('viewer', '/explore?type=Ferry');
    await page.getByRole('row', { name: /Kiel/ }).waitFor();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('checkbox', { name: 'home' }).uncheck();
    await page.getByRole('checkbox', { name: 'ID' }).uncheck();
    await page.getByRole('button', { name: 'Move line up' }).press('Enter');
    await page.getByRole('button', { name: 'Move line up' }).press('Enter');
    expect(await findings(page)).toEqual([]);
    const [request] = await Promise.all([page.waitForRequest(/fields=/), page.getByRole('button', { name: 'Apply' }).click()]);
    expect(new URL(request.url()).searchParams.get('fields')).not.toContain('home');
    await expect.poll(() => headers(page)).toEqual(['name', 'line', 'decks']);
    await page.reload();
    await page.getByRole('row', { name: /x/ }).waitFor();
    expect(await headers(page)).toEqual(['name', 'line', 'decks']);

    const moved = await requestsOf(page, async () => {
      await header(page, 'decks').getByRole('button').dragTo(header(page, 'name'));
      await expect.poll(() => headers(page)).toEqual(['decks', 'name', 'line']);
    });
    expect(moved).toEqual([]);
    expect(parameter(page, 'columns')).toBe('p:decks,p:name,p:line');

    const separator = page.getByRole('separator', { name: 'Width of line' });
    const width = async () => (await header(page, 'line').boundingBox())!.width;
    const before = await width();
    await separator.press('ArrowRight');
    await expect.poll(width).toBe(before + 16);
    const grip = (await separator.boundingBox())!;
    await page.mouse.move(grip.x + 4, grip.y + 10);
    await page.mouse.down();
    await page.mouse.move(grip.x + 44, grip.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width).toBe(before + 56);
    await page.reload();
    await page.getByRole('row', { name: /x/ }).waitFor();
    await expect.poll(() => width()).toBe(before + 56);
    await expect.poll(() => separator.getAttribute('aria-valuenow')).toBe(String(before + 56));

    await page.getByRole('row', { name: /x/ }).click();
    await page.getByRole('definition').filter({ hasText: 'Kiel' }).waitFor(); // the panel has all properties
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'All columns' }).click();
    await expect.poll(() => headers(page)).toEqual(['name', 'decks', 'home', 'line', 'ID']);
  });

  test('a filter is edited in its chip, and compares with any of several values of their types', async () => {
    await createFerries({ name: 'A', decks: 1 }, { name: 'B, the second', decks: 2 }, { name: 'C', decks: 3 });
    const page = await openAs('viewer', '/explore?type=Ferry&filter[decks][gte:integer]=2');
    await expect.poll(() => cells(page, 0)).toEqual(['B, the second', 'C']);
    await page.getByRole('button', { name: 'Edit filter decks ≥ 2' }).click();
    await expect.poll(() => page.getByLabel('Condition').inputValue()).toBe('gte');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Value' }).fill('3');
    await page.getByRole('textbox', { name: 'Value' }).press('Enter');
    await expect.poll(() => cells(page, 0)).toEqual(['C']);

    await page.getByRole('button', { name: 'Edit filter decks ≥ 3' }).click();
    await page.getByLabel('Property').selectOption('name');
    await page.getByLabel('Condition').selectOption('in');
    const value = page.getByRole('textbox', { name: 'Value' });
    for (const text of ['A', 'B, the second', 'Z']) {
      await value.fill(text);
      await value.press('Enter');
    }
    await page.getByRole('button', { name: 'Remove Z' }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => cells(page, 0)).toEqual(['A', 'B, the second']);
    expect(parameter(page, 'filter[name][in]')).toBe('["A","B, the second"]');
    await page.reload();
    await page.getByRole('button', { name: 'Edit filter name any of "A", "B, the second"' }).click();
    await page.getByLabel('Condition').selectOption('nin');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => cells(page, 0)).toEqual(['C']);
  });

  test('a filter is an alternative to another one', async () => {
    await createFerries({ name: 'A', decks: 1 }, { name: 'B', decks: 2 }, { name: 'C', decks: 3 }, { name: 'D', decks: 3, line: 'x' });
    const page = await openAs('viewer', '/explore?type=Ferry&filter[decks][lt:integer]=2');
    await expect.poll(() => cells(page, 0)).toEqual(['A']);
    const add = async (property: string, joined: string | RegExp, text: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Property').selectOption(property);
      await page.getByLabel('Condition').selectOption('eq');
      await page.getByRole('textbox', { name: 'Value' }).fill(text);
      const places = page.getByLabel('Joined by');
      const label = (await places.getByRole('option').allTextContents()).find((each) => each.match(joined))!;
      await places.selectOption({ label });
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Apply' }).click();
    };
    await add('decks', 'or, beside decks < 2', '3');
    await expect.poll(() => cells(page, 0)).toEqual(['A', 'C', 'D']);
    await add('line', 'and, together with decks = 3', 'x');
    await expect.poll(() => cells(page, 0)).toEqual(['A', 'D']);
    const alternatives = page.getByRole('group', { name: 'One of these holds' });
    await expect
      .poll(() => alternatives.innerText().then((text) => text.replace(/\s+/g, ' ')))
      .toBe('decks < 2 or decks = 3 and line = "x"');
    await page.reload();
    await expect.poll(() => cells(page, 0)).toEqual(['A', 'D']);
    expect(await findings(page)).toEqual([]);
    await alternatives.getByRole('button', { name: 'Remove filter decks < 2' }).click();
    await expect.poll(() => cells(page, 0)).toEqual(['D']);
    expect(await alternatives.count()).toBe(0); // what is left must hold in any case
  });

  test('the total of a filtered list is counted on request', async () => {
    await cypher("UNWIND range(1, 250) AS i CREATE (:Ferry {name: 'Boat ' + i, decks: i % 5})");
    await waitForCount(base, 'nodes', 'Ferry', 250);
    const page = await openAs('viewer', '/explore?type=Ferry&filter[decks][gt:integer]=0');
    await page.getByText('100 loaded').waitFor();
    const cost = await requestsOf(page, async () => {
      await page.getByRole('button', { name: 'Count all' }).click();
      await page.getByText('100 of 200 loaded').waitFor();
    });
    expect(cost).toEqual(['GET /api/nodes']);
  });
});

describe('a list that is left, and its values', () => {
  test('back shows a list where it was left, lists of values are readable, and the first column stays in view', async () => {
    const page = await openAs('keeper', '/explore?type=Person');
    const grid = page.getByRole('grid', { name: 'Person nodes' });
    await grid.getByRole('gridcell', { name: 'English, German', exact: true }).first().waitFor();
    expect(await overlapping(grid.getByRole('row'))).toEqual([]);
    await grid.evaluate((box) => (box.scrollTop = 240));
    await page.getByRole('link', { name: 'Schema' }).click();
    await page.getByRole('heading', { name: 'Schema' }).first().waitFor();
    await page.goBack();
    await expect.poll(() => grid.evaluate((box) => box.scrollTop)).toBe(240);
    await grid.evaluate((box) => (box.scrollLeft = 400));
    const first = grid.getByRole('row', { name: /Lars Egede/ }).locator('[data-column="0"]');
    const left = () => first.evaluate((cell) => cell.getBoundingClientRect().left - cell.closest('.grid')!.getBoundingClientRect().left);
    await expect.poll(left).toBe(36);
  });

  test('a filter offers the frequent values of its property', async () => {
    const page = await openAs('viewer', '/explore?type=Person');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Property').selectOption('height');
    const frequent = page.getByRole('group', { name: 'Frequent values' }).getByRole('button').first();
    await frequent.click();
    const value = await page.getByRole('textbox', { name: 'Value' }).inputValue();
    expect(await frequent.innerText()).toMatch(new RegExp(`^${value} [2-9]$`));
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: `Edit filter height = ${value}` }).waitFor();
  });
});
