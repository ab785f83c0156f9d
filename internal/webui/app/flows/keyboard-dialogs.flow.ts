// @long
// Dialogs by the keyboard alone: each opens at its first field, and the focus stays in it until it is closed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { base, openAs } from './browser';
import { focused, inMenu, tabTo } from './keyboard';

beforeAll(async () => {
  const admin = await connect(base);
  await admin('POST', '/api/admin/roles', { name: 'film readers', grants: [{ kind: 'node', type: 'Film', actions: ['read'] }] });
});
afterAll(async () => {
  const admin = await connect(base);
  await admin('DELETE', '/api/admin/users/nora');
  await admin('DELETE', '/api/admin/roles/film%20readers');
});

describe('by the keyboard alone', () => {
  test('a file is imported as edges, and the import is undone', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    const { keyboard } = page;
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const chooser = page.waitForEvent('filechooser'); // early, because the browser reports it only once it is asked to
    await tabTo(page, /^button Export and import$/, 40);
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Import a file…' }).waitFor();
    await expect.poll(() => focused(page)).toMatch(inMenu);
    await tabTo(page, /^menuitem Import a file/, 10, 'ArrowDown');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('button File');
    await keyboard.press('Enter');
    const rows = 'film,city,days\nThe Glass Orchard,Lisbon,3\nThe Glass Orchard,Atlantis,4\n';
    await (await chooser).setFiles({ name: 'shots.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
    await tabTo(page, /^button Next$/, 5);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('combobox Type');
    await tabTo(page, /^input Nodes$/, 2, 'Shift+Tab');
    await keyboard.press('ArrowRight');
    await tabTo(page, /^combobox Type$/, 2);
    await keyboard.type('FILMED_BESIDE');
    for (const [field, value] of [
      ['Source is found by', 'Film'],
      ['Property of the source', 'title'],
      ['Target is found by', 'City'],
      ['Property of the target', 'name'],
      ['film is', 'Source'],
      ['city is', 'Target'],
    ] as const) {
      await tabTo(page, new RegExp(`^select ${field}$`), 5);
      await keyboard.type(value);
    }
    await tabTo(page, /^button Check$/, 20);
    await keyboard.press('Enter');
    await page.getByRole('row', { name: '3 city Atlantis No City has this name' }).waitFor();
    await expect.poll(() => focused(page)).toBe('button Check');
    await tabTo(page, /^button Import 1 row$/, 1);
    await keyboard.press('Enter');
    await page.getByRole('row', { name: 'Edges 1 0 0 0' }).waitFor();
    await expect.poll(() => focused(page)).toBe('button Close');
    await tabTo(page, /^button Undo the import$/, 3, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo 1 change' }).waitFor();
    await tabTo(page, /^button Undo 1 change$/, 2);
    await keyboard.press('Enter');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('button Export and import');
    await expect.poll(async () => (await (await connect(base))<unknown[]>('GET', '/api/edges?type=FILMED_BESIDE')).length).toBe(0);
  });

  test('selected rows are changed after a dry run', async () => {
    const page = await openAs('keeper', '/explore?type=Studio');
    const { keyboard } = page;
    await page.getByRole('row', { name: /Meridian/ }).waitFor();
    await tabTo(page, /^input Select all loaded rows$/, 40);
    await keyboard.press('Space');
    await page.getByRole('button', { name: 'Edit…' }).waitFor();
    await tabTo(page, /^button Edit…$/, 20);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('combobox Property');
    await keyboard.type('country');
    await tabTo(page, /^\w+ Value of country$/, 5);
    await keyboard.type('Norway');
    await tabTo(page, /^button Another property$/, 5);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('combobox Property');
    await keyboard.type('employees');
    await tabTo(page, /^\w+ Value of employees$/, 5);
    await keyboard.type('7');
    await tabTo(page, /^button Check$/, 5);
    await keyboard.press('Enter');
    await page.getByText('3 nodes will be changed.').waitFor();
    await expect.poll(() => focused(page)).toBe('button Check');
    await tabTo(page, /^button Change 3 nodes$/, 1);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('button Edit…');
    await page.getByText('3 nodes. Ctrl Z goes to Undo.').waitFor();
    await keyboard.press('Control+z');
    await expect.poll(() => focused(page)).toBe('button Undo');
    await page.getByRole('tooltip', { name: 'Undo: changed 3 nodes' }).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('gridcell', { name: '140', exact: true }).waitFor();
  });

  test('an administrator creates a user, gives a role and disables the user', async () => {
    const page = await openAs('admin', '/users');
    const { keyboard } = page;
    const row = page.getByRole('row', { name: /^nora/ });
    await page.getByRole('button', { name: 'New user' }).waitFor();
    await tabTo(page, /^button New user$/, 40);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('input User name');
    await keyboard.type('nora');
    await keyboard.press('Tab');
    await keyboard.type('a password of nora');
    await keyboard.press('Enter');
    await row.waitFor();
    await expect.poll(() => focused(page)).toBe('button New user');

    // The table is one stop of the Tab key. The arrows move between its cells, and it keeps the last of them.
    await tabTo(page, /^(gridcell|rowheader) /, 1);
    for (let rows = 0; rows < 40 && !(await focused(page)).includes('nora'); rows++) await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('input nora: read');
    await keyboard.press('End');
    await expect.poll(() => focused(page)).toBe('button More for nora');
    await keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('button New user');
    await keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('button More for nora');
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Roles and attributes' }).waitFor();
    await expect.poll(() => focused(page)).toMatch(inMenu);
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('combobox Roles');
    await keyboard.type('film');
    await page.getByRole('option', { name: 'film readers' }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await keyboard.press('Escape'); // closes the list of roles, not the dialog
    await tabTo(page, /^button Save$/, 10);
    await keyboard.press('Enter');
    await row.getByText('film readers').waitFor();
    await expect.poll(() => focused(page)).toBe('button More for nora');

    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Disable' }).waitFor();
    await expect.poll(() => focused(page)).toMatch(inMenu);
    await tabTo(page, /^menuitem Disable$/, 10, 'ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Disable nora?' }).waitFor();
    await tabTo(page, /^button Disable user$/, 10);
    await keyboard.press('Enter');
    await row.getByText('disabled').waitFor();
    await expect.poll(() => focused(page)).toBe('button More for nora');
  });
});
