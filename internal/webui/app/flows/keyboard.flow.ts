// The main flows by the keyboard alone: the focus is never lost, so that the next Tab goes on from there.
import { afterAll, describe, expect, test } from 'vitest';
import { adminPassword, connect } from './api';
import { base, openAs, openContext } from './browser';
import { focused, inMenu, tabTo } from './keyboard';

const created: string[] = [];
afterAll(async () => {
  const admin = await connect(base);
  for (const id of created) await admin('DELETE', `/api/edges/${id}`);
});

describe('by the keyboard alone', () => {
  test('a user logs in, chooses a type, filters, edits, saves, and undoes', async () => {
    const page = await (await openContext()).newPage();
    const { keyboard } = page;
    await page.goto(base);
    await expect.poll(() => focused(page)).toContain('User name');
    await keyboard.type('admin');
    await keyboard.press('Tab');
    await keyboard.type(adminPassword);
    await keyboard.press('Enter');
    await page.getByRole('region', { name: 'Types of nodes' }).waitFor();
    await tabTo(page, /^a Film/, 60);
    await keyboard.press('Enter');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await expect.poll(() => focused(page)).not.toBe('nothing');

    await tabTo(page, /^button Filter$/, 20);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('select Property');
    await keyboard.type('rating');
    await keyboard.press('Tab');
    await keyboard.type('is at least');
    await keyboard.press('Tab');
    await keyboard.type('8.4');
    await keyboard.press('Enter');
    await page.getByText('rating ≥ 8.4').waitFor();
    await expect.poll(() => focused(page)).toBe('button Filter');

    await page.getByText('1 total').waitFor();
    await tabTo(page, /^row The Glass Orchard/);
    await keyboard.press('Enter');
    await page.getByText('8 edges', { exact: true }).waitFor();
    await tabTo(page, /^button Edit properties$/, 40);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/Value of title/);
    await tabTo(page, /Value of minutes/);
    await keyboard.press('Control+a');
    await keyboard.type('133');
    await keyboard.press('Enter');
    await page.getByRole('definition').filter({ hasText: /^133$/ }).waitFor();
    await expect.poll(() => focused(page)).toBe('button Edit properties');

    await keyboard.press('Control+z');
    await expect.poll(() => focused(page)).toBe('button Undo');
    await keyboard.press('Enter');
    await page.getByRole('definition').filter({ hasText: /^128$/ }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('section Film nodes');
    await keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Node' }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^row The Glass Orchard/);

    await tabTo(page, /^button Remove filter/, 20, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('row', { name: /Low Tide/ }).waitFor();
    await expect.poll(() => focused(page)).toBe('section Film nodes');
  });

  test('an edge is created and deleted', async () => {
    const page = await openAs('keeper', '/explore?kind=edge&type=DIRECTED');
    const { keyboard } = page;
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await tabTo(page, /^button Create an edge$/, 40);
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New edge' }).waitFor();
    for (const [end, text, option] of [
      ['Source', 'Ada', 'Ada Lindqvist'],
      ['Target', 'Low', 'Low Tide'],
    ] as const) {
      await tabTo(page, new RegExp(`^combobox ${end}: node`));
      await keyboard.type(text);
      await page.getByRole('option', { name: new RegExp(option) }).waitFor();
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
    }
    await tabTo(page, /^button Create edge$/);
    await keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Edge' });
    await panel.getByText('Ada Lindqvist').waitFor();
    created.push(new URL(page.url()).searchParams.get('open')!.replace('edge:', ''));
    await expect.poll(() => focused(page)).not.toBe('nothing');

    await tabTo(page, /^button Delete the edge$/, 80);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^button Delete/);
    await keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    created.pop();
    await expect.poll(() => focused(page)).not.toBe('nothing');
  });

  test('a node on the canvas is selected and expanded, and a path found', async () => {
    const page = await openAs('viewer', '/explore?type=Studio&view=graph');
    const { keyboard } = page;
    await page.getByText(/^\d+ nodes?, \d+ edges?$/).waitFor();
    const before = await page.getByRole('option').count();
    await tabTo(page, /^listbox/, 60);
    await keyboard.press('Home');
    await page.getByText('4 edges', { exact: true }).waitFor();
    await keyboard.press('e');
    await page.getByRole('menuitem', { name: /PRODUCED_BY/ }).waitFor();
    await expect.poll(() => focused(page)).toMatch(inMenu);
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect.poll(() => page.getByRole('option').count()).toBe(before + 4);
    await expect.poll(() => focused(page)).toMatch(/^listbox/);
    // Escape in the moment in which the button reports that its menu is open, before the menu has the focus, goes to the menu.
    const [opener, menu] = [page.getByRole('button', { name: 'Copy as…' }), page.getByRole('menu')];
    await opener.evaluate(
      (button: HTMLElement) =>
        new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            if (button.getAttribute('aria-expanded') !== 'true') return;
            observer.disconnect();
            button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
            resolve();
          });
          observer.observe(button, { attributes: true });
          button.click();
        }),
    );
    await expect.poll(() => focused(page)).toMatch(inMenu);
    await page.getByRole('complementary', { name: 'Node' }).waitFor();
    await keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    for (const button of [opener, page.getByRole('button', { name: 'Export', exact: true }).first()])
      expect(await button.getAttribute('aria-haspopup')).toBe('menu');
    await page.getByRole('listbox').focus();
    await keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Node' }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^listbox/);
    await keyboard.press('End');
    await keyboard.press('Shift+ArrowUp');
    await tabTo(page, /^button Shortest path$/, 40, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo step' }).waitFor();
    expect(await focused(page)).not.toBe('nothing');
  });
});
