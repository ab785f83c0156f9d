// @long
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, openAs, waitUntilIdle } from './browser';

interface Saved {
  id: string;
  version: number;
  state: { address: string };
}

// anna and ben have the role, cleo has not.
const role = 'survey crew';
const users = ['anna', 'ben', 'cleo'];

async function removeUsers() {
  const admin = await connect(base);
  for (const name of users) await admin('DELETE', `/api/admin/users/${name}`).catch(() => undefined);
  await admin('DELETE', `/api/admin/roles/${encodeURIComponent(role)}`).catch(() => undefined);
}
beforeAll(async () => {
  await removeUsers();
  const admin = await connect(base);
  await admin('POST', '/api/admin/roles', { name: role, grants: [{ kind: 'node', type: 'Film', actions: ['read'] }] });
  for (const name of users)
    await admin('POST', '/api/admin/users', {
      username: name,
      password: userPassword,
      permissions: ['read'],
      roles: name === 'cleo' ? [] : [role],
    });
});
afterAll(removeUsers);

const filmsAddress = '/explore?type=Film&filter[rating][gte]=7.5&sort=-rating&columns=p:title,p:rating,id';
const menuButton = (page: Page, name: string | RegExp = /^Views$|^Saved view/) => page.getByRole('button', { name });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const headers = (page: Page) => page.getByRole('columnheader').allInnerTexts();
const titles = (page: Page) => page.locator('.grid-row [data-column="0"]').allInnerTexts();

async function choose(page: Page, name: string) {
  await menuButton(page).click();
  await item(page, name).click();
}

/** Saves what the page shows as a new view. */
async function saveAs(page: Page, name: string, sharing?: 'Everyone') {
  await choose(page, 'Save as new…');
  const dialog = page.getByRole('dialog', { name: 'Save as a new view' });
  await dialog.getByLabel('Name').fill(name);
  if (sharing) await dialog.getByLabel(sharing).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await menuButton(page, `Saved view ${name}`).waitFor();
}

const sortBy = (page: Page, column: string) => page.getByRole('columnheader').filter({ hasText: column }).getByRole('button').click();
const openedId = (page: Page) => new URL(page.url()).searchParams.get('saved')!.split('@')[0]!;

describe('a saved view', () => {
  test('keeps filter, columns and order, and opens by link for a role, not for others', async () => {
    const anna = await openAs('anna', filmsAddress);
    await anna.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    // By the keyboard alone.
    await expect.poll(() => menuButton(anna, 'Views').isEnabled()).toBe(true); // its code is loaded; until then it takes no focus
    await menuButton(anna, 'Views').focus();
    await anna.keyboard.press('Enter');
    await item(anna, 'Save as new…').waitFor();
    await anna.keyboard.press('ArrowDown');
    await expect.poll(() => item(anna, 'Save as new…').evaluate((entry) => entry === document.activeElement)).toBe(true);
    await anna.keyboard.press('Enter');
    const dialog = anna.getByRole('dialog', { name: 'Save as a new view' });
    await dialog.waitFor();
    await anna.keyboard.type('Good films');
    await dialog.getByLabel('Description').fill('Rated 7.5 and more');
    await dialog.getByLabel('Roles', { exact: true }).focus();
    await anna.keyboard.press('Space');
    await dialog
      .getByRole('combobox', { name: 'Roles' })
      .or(dialog.getByRole('textbox', { name: 'Roles' }))
      .click();
    await anna.getByRole('option', { name: role }).click();
    expect(await findings(anna)).toEqual([]);
    await dialog.getByLabel('Description').click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await menuButton(anna, 'Saved view Good films').waitFor();
    await choose(anna, 'Copy link');
    const link = await anna.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${base}/views/${openedId(anna)}`);

    const ben = await openAs('ben', link.slice(base.length));
    await menuButton(ben, 'Saved view Good films').waitFor();
    await ben.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await expect.poll(() => headers(ben)).toEqual(await headers(anna));
    expect((await titles(ben)).slice(0, 2)).toEqual(['The Glass Orchard', 'Paper Lanterns']);
    await expect.poll(() => ben.getByText('rating ≥ 7.5').count()).toBe(1);
    // The owner alone changes it.
    await menuButton(ben).click();
    await ben.getByText('Good films, by anna').waitFor();
    await expect.poll(() => ben.getByRole('menuitem').allInnerTexts()).toEqual(['Save as new…', 'Open…', 'Copy link', 'Close the view']);
    await ben.keyboard.press('Escape');
    await ben.getByRole('link', { name: 'Home' }).click();
    await ben.getByRole('region', { name: 'Saved views' }).getByRole('link', { name: 'Good films' }).waitFor();
    expect(await findings(ben)).toEqual([]);

    const cleo = await openAs('cleo', link.slice(base.length));
    await cleo.getByRole('heading', { name: 'No such saved view' }).waitFor();
    expect(await cleo.content()).not.toContain('Good films');
    expect(await findings(cleo)).toEqual([]);
    await cleo.getByRole('link', { name: 'Your saved views' }).click();
    await cleo
      .getByRole('region', { name: 'Saved views' })
      .getByText(/with “Views”/)
      .waitFor();
  });

  test('shows that it was changed, is saved, renamed, and deleted', async () => {
    const page = await openAs('anna', filmsAddress);
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await saveAs(page, 'Draft of films');
    await menuButton(page).click();
    await expect.poll(() => item(page, 'Save').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await sortBy(page, 'title');
    await menuButton(page, 'Saved view Draft of films changed').waitFor();
    await page.reload();
    await menuButton(page, 'Saved view Draft of films changed').click();
    await item(page, 'Discard the changes').click();
    await menuButton(page, 'Saved view Draft of films').and(page.locator(':not([aria-label*=changed])')).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-rating');
    await sortBy(page, 'title');
    await menuButton(page, 'Saved view Draft of films changed').waitFor();
    await choose(page, 'Save');
    await page.getByText('Saved view updated').waitFor();
    const anna = await connect(base, 'anna', userPassword);
    expect((await anna<Saved>('GET', `/api/views/${openedId(page)}`)).state.address).toContain('sort=title');

    await choose(page, 'Rename and share…');
    await page.getByRole('dialog').getByLabel('Name').fill('Films by title');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await menuButton(page, 'Saved view Films by title').waitFor();
    // Another type is no longer the saved view.
    await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: /^City/ }).click();
    await menuButton(page, 'Views').waitFor();
    await choose(page, 'Open…');
    await page.getByRole('dialog').getByRole('link', { name: 'Films by title' }).click();
    await menuButton(page, 'Saved view Films by title').waitFor();
    const id = openedId(page);
    await choose(page, 'Delete…');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await menuButton(page, 'Views').waitFor();
    await page.goto(`${base}/views/${id}`);
    await page.getByRole('heading', { name: 'No such saved view' }).waitFor();
  });

  test('asks before it overwrites what was saved in another window', async () => {
    const page = await openAs('anna', filmsAddress);
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await saveAs(page, 'Shared desk');
    const id = openedId(page);
    const anna = await connect(base, 'anna', userPassword);
    const saveElsewhere = (address: string) => anna('PUT', `/api/views/${id}`, { state: { version: 1, address } });
    const addressNow = async () => (await anna<Saved>('GET', `/api/views/${id}`)).state.address;
    await saveElsewhere('type=Film&sort=released');
    await sortBy(page, 'title');
    await choose(page, 'Save');
    const dialog = page.getByRole('dialog', { name: 'Saved elsewhere meanwhile' });
    await dialog.getByRole('row', { name: 'Order title released' }).waitFor();
    await dialog.getByRole('row', { name: 'Filter rating ≥ 7.5 none' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await addressNow()).toContain('sort=released');
    // Also after a reload, when the page has read the version that it would overwrite.
    await page.reload();
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await choose(page, 'Save');
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByText('Saved view updated').waitFor();
    expect(await addressNow()).toContain('sort=title');

    await saveElsewhere('type=Film&sort=minutes');
    await sortBy(page, 'rating');
    await choose(page, 'Save');
    await dialog.getByRole('button', { name: 'Save as new…' }).click();
    await page.getByRole('dialog', { name: 'Save as a new view' }).getByLabel('Name').fill('Desk of my own');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await menuButton(page, 'Saved view Desk of my own').waitFor();
    expect(await addressNow()).toContain('sort=minutes');
  });

  test('keeps positions, pins and colours of a canvas', async () => {
    const anna = await openAs('anna', '/explore?type=Film&view=graph');
    const drawn = (page: Page) =>
      page.getByTestId('canvas').evaluate((container) => {
        const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
        return cy
          .nodes()
          .map(
            (node) =>
              [
                node.id(),
                Math.round(node.position('x')) + 0,
                Math.round(node.position('y')) + 0,
                node.hasClass('pinned'),
                node.data('colour') as string,
              ] as const,
          )
          .sort((a, b) => (a[0] < b[0] ? -1 : 1));
      });
    await expect.poll(async () => (await drawn(anna)).length).toBe(12);
    await anna.getByRole('option', { name: /Low Tide/ }).click();
    await anna.getByRole('button', { name: 'Pin', exact: true }).click();
    await anna.getByRole('region', { name: 'Legend' }).getByRole('button', { name: /^Film/ }).click();
    await anna.getByRole('radio', { name: 'Color 3', exact: true }).click();
    await anna.keyboard.press('Escape');
    await saveAs(anna, 'Film map', 'Everyone');
    const saved = await drawn(anna);
    expect(saved.filter((node) => node[3])).toHaveLength(1);
    expect(new Set(saved.map((node) => node[4]))).toEqual(new Set(['#5b4bb7']));

    const cleo = await openAs('cleo', `/views/${openedId(anna)}`);
    await menuButton(cleo, 'Saved view Film map').waitFor();
    await expect.poll(() => drawn(cleo)).toEqual(saved);
    await waitUntilIdle(cleo);
    expect(await menuButton(cleo, / changed$/).count()).toBe(0);
    expect(await findings(cleo)).toEqual([]);
    // The colours are those of the view, not of the user.
    await choose(cleo, 'Close the view');
    await expect.poll(async () => (await drawn(cleo))[0]![4]).not.toBe('#5b4bb7');

    await anna.getByRole('button', { name: 'Unpin' }).click();
    await menuButton(anna, 'Saved view Film map changed').waitFor();
    await choose(anna, 'Discard the changes');
    await expect.poll(() => drawn(anna)).toEqual(saved);
  });

  test('asks before it replaces one with changes that are not saved', async () => {
    const ben = await openAs('ben', filmsAddress);
    await ben.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await saveAs(ben, 'First of two');
    await saveAs(ben, 'Second of two');
    const open = async () => {
      await choose(ben, 'Open…');
      await ben.getByRole('dialog', { name: 'Open a saved view' }).getByRole('link', { name: 'First of two' }).click();
    };
    await sortBy(ben, 'title');
    await menuButton(ben, 'Saved view Second of two changed').waitFor();
    await open();
    const question = ben.getByRole('dialog', { name: 'Discard the changes?' });
    expect(await findings(ben)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await menuButton(ben, 'Saved view Second of two changed').waitFor();
    await open();
    await question.getByRole('button', { name: 'Discard and open' }).click();
    await menuButton(ben, 'Saved view First of two').waitFor();
    // Without changes it opens at once.
    await choose(ben, 'Open…');
    await ben.getByRole('dialog', { name: 'Open a saved view' }).getByRole('link', { name: 'Second of two' }).click();
    await menuButton(ben, 'Saved view Second of two').waitFor();
  });

  test('of somebody else is checked before it is used', async () => {
    const ben = await connect(base, 'ben', userPassword);
    const share = async (name: string, state: unknown) =>
      (await ben<Saved>('POST', '/api/views', { name, page: 'nodes', everyone: true, state })).id;
    const hostile = await share('Bait', {
      version: 1,
      address: 'type=Film&open=node:x&next=https://evil.example&view=graph',
      html: '<script>',
      appearance: { Film: { colour: 'url(https://evil.example/x)', size: 1e9 } },
      nodes: [['x', 1e300, 0]],
    });
    const foreign = await share('Of a program', { rows: 3 });
    const page = await openAs('cleo', `/views/${hostile}`);
    await menuButton(page, 'Saved view Bait').waitFor();
    expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual(['saved', 'type', 'view']);
    await page.goto(`${base}/views/${foreign}`);
    await page.getByRole('heading', { name: 'This saved view cannot be shown' }).waitFor();
    await page.goto(`${base}/views/not%20an%20id`);
    await page.getByRole('heading', { name: 'No such saved view' }).waitFor();
  });
});
