import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, openAs, sample } from './browser';

const widthOf = async (page: Page, selector: string) => Math.round((await page.locator(selector).boundingBox())!.width);
const types = (page: Page) => page.getByRole('navigation', { name: 'Types' });

/** Whether the whole placeholder of the search fits into its field. */
const placeholderFits = (page: Page) =>
  page.getByRole('textbox', { name: 'Search the graph' }).evaluate((field: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = font;
    return context.measureText(field.placeholder).width <= field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  });

describe('panels', () => {
  test('at a zoom of 200 % the types, the table and the form of a node follow each other, each with its height', async () => {
    const page = await openAs('editor', '/explore?type=City');
    await page.setViewportSize({ width: 683, height: 384 });
    await page.getByRole('row', { name: /Lisbon/ }).click();
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Latitude of location').fill('38.7');
    const boxes = () => Promise.all(['.types', '.selection', '.panel'].map(async (each) => (await page.locator(each).boundingBox())!));
    await expect
      .poll(async () => {
        const [list, selection, panel] = await boxes();
        return list!.height > 80 && selection!.y >= list!.y + list!.height - 1 && panel!.y >= selection!.y + selection!.height - 1;
      })
      .toBe(true);
    expect(await findings(page)).toEqual([]);
  });

  test('beside a canvas on a phone leave the list of its nodes the whole width and some height', async () => {
    const page = await openAs('viewer', '/');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${base}/explore?type=Film&view=graph&open=node:${sample.films[0]}`);
    await page.getByRole('option', { name: /Paper Lanterns/ }).waitFor();
    await expect.poll(() => widthOf(page, '.items')).toBe(390);
    expect((await page.locator('.items-scroll').boundingBox())!.height).toBeGreaterThan(40);
    const [items, foot] = await Promise.all(['.items', '.grid-foot'].map((each) => page.locator(each).boundingBox()));
    expect(items!.y + items!.height).toBeLessThanOrEqual(foot!.y + 1);
    expect(await findings(page)).toEqual([]);
  });

  test('fold and change their width, and keep both in this browser', async () => {
    const page = await openAs('viewer', `/explore?type=Film&open=node:${sample.films[0]}`);
    await page
      .getByText(/\d edges/)
      .first()
      .waitFor();
    const before = await widthOf(page, '.panel');
    // The left arrow moves the edge of the panel to the left.
    await page.getByRole('separator', { name: 'Width of the panel' }).focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf(page, '.panel')).toBe(before + 64);
    const edge = (await page.getByRole('separator', { name: 'Width of the types' }).boundingBox())!;
    const typesBefore = await widthOf(page, '.types');
    await page.mouse.move(edge.x + 3, edge.y + 300);
    await page.mouse.down();
    await page.mouse.move(edge.x + 43, edge.y + 300, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf(page, '.types')).toBe(typesBefore + 40);
    await page.reload();
    await page
      .getByText(/\d edges/)
      .first()
      .waitFor();
    expect([await widthOf(page, '.panel'), await widthOf(page, '.types')]).toEqual([before + 64, typesBefore + 40]);
    await page.getByRole('separator', { name: 'Width of the panel' }).dblclick();
    await expect.poll(() => widthOf(page, '.panel')).toBe(before);

    await page.getByRole('button', { name: 'Hide the types' }).click();
    await types(page).getByRole('link').first().waitFor({ state: 'hidden' });
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Show the types' }).click();
    await types(page).getByRole('link', { name: /^Film/ }).waitFor();
  });

  test('leave the canvas 800 of 1,366 pixels', async () => {
    const page = await openAs('viewer', `/explore?type=Film&view=graph&open=node:${sample.films[0]}`);
    await page.getByRole('option', { name: /Glass Orchard/ }).waitFor();
    await page
      .getByText(/\d edges/)
      .first()
      .waitFor();
    await expect.poll(() => widthOf(page, '.canvas-stage')).toBeGreaterThanOrEqual(800);
    expect(await findings(page)).toEqual([]);
    // The search stays, although it stands above the types otherwise.
    const search = page.getByRole('textbox', { name: 'Search the graph' });
    await expect.poll(() => search.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Show the types' }).click();
    await types(page).getByRole('link', { name: /^Film/ }).waitFor();
    await expect.poll(() => search.count()).toBe(1);
    await page.getByRole('button', { name: 'Hide the types' }).click();
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await types(page).getByRole('link', { name: /^Film/ }).waitFor();
    await expect.poll(() => widthOf(page, '.canvas-stage')).toBeGreaterThanOrEqual(800);
  });
});

/** What has the focus and is covered by something else, in its middle; nothing while the list of a combobox covers it. */
const coveredFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement as HTMLElement;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
    const own = focused.closest('label, .mantine-SegmentedControl-root, .mantine-InputWrapper-root') ?? focused;
    if (above && (own.contains(above) || above.contains(focused) || above.closest('[role=listbox], [role=option]'))) return '';
    return `${focused.getAttribute('aria-label') ?? focused.textContent} is covered by ${above?.className ?? 'the edge of the window'}`;
  });

describe('a dialog in a small window', () => {
  const selectTwo = async (page: Page) => {
    for (const name of ['Select Paper Lanterns', 'Select Low Tide']) await page.getByRole('checkbox', { name }).click();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit…' }).click();
  };
  const declare = async (page: Page) => {
    await page.getByRole('button', { name: 'Declare a type' }).click();
    await page.getByRole('dialog').getByLabel('Type', { exact: true }).fill('Film');
    await page.getByRole('dialog').getByRole('button', { name: 'Generate from data' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove title' }).waitFor();
  };
  const create = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
  test.each([
    ['New node', '/explore?type=Film', create('Create a node')],
    ['New edge', '/explore?type=Film', create('Create an edge')],
    ['Change 2 nodes', '/explore?type=Film', selectTwo],
    ['Declare a type', '/declared-types', declare],
  ])('shows what takes the focus, and its buttons: %s', async (title, path, open) => {
    for (const [width, height] of [
      [320, 640],
      [390, 844],
      [683, 384],
    ] as const) {
      const page = await openAs('admin', '/');
      await page.setViewportSize({ width, height });
      await page.goto(base + path);
      await open(page);
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      for (let i = 0; i < 25; i++) {
        await page.keyboard.press('Tab');
        await expect.poll(() => coveredFocus(page)).toBe(''); // the list of the field before fades
      }
      const button = (await dialog.locator('.form-footer button, button').last().boundingBox())!;
      expect(button.y + button.height).toBeLessThanOrEqual(height);
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
      await page.close();
    }
  });
});

describe('the search field', () => {
  test('is beside the title while the types are folded, and its placeholder is never cut off', async () => {
    const page = await openAs('viewer', '/explore?type=Film', { scheme: 'dark' });
    for (const width of [1366, 1024]) {
      await page.setViewportSize({ width, height: 768 });
      const search = page.getByRole('textbox', { name: 'Search the graph' });
      for (const fold of ['Hide the types', 'Show the types']) {
        await search.waitFor();
        await expect.poll(() => placeholderFits(page)).toBe(true);
        expect(
          await page.evaluate(() => document.querySelector('.toolbar')!.scrollWidth <= document.querySelector('.toolbar')!.clientWidth),
        ).toBe(true);
        await page.getByRole('button', { name: fold }).click();
        await page.getByRole('button', { name: fold }).waitFor({ state: 'detached' });
      }
    }
    await page.getByRole('button', { name: 'Hide the types' }).click();
    await page.getByRole('textbox', { name: 'Search the graph' }).fill('glass');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search: glass' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Search the graph' }).inputValue()).toBe('glass');
  });
});

describe('the limit of requests', () => {
  const removeUser = async () => (await connect(base))('DELETE', '/api/admin/users/thrifty').catch(() => undefined);
  afterAll(removeUser);

  test('is shown before it is reached', async () => {
    const admin = await connect(base);
    await removeUser();
    await admin('POST', '/api/admin/users', { username: 'thrifty', password: userPassword, permissions: ['read'], rate_limit: 40 });
    const page = await openAs('thrifty', '/explore?type=Film');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    const notice = page.getByText(/^\d+ requests? of 40 left until \d\d:\d\d/);
    expect(await notice.count()).toBe(0);
    for (let i = 0; i < 40 && (await notice.count()) === 0; i++) {
      await page.reload();
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    }
    await notice.waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
