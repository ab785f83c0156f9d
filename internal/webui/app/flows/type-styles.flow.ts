// @long
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, openAs, requestsOf } from './browser';

// dora may read all, emil persons alone.
async function removeAll() {
  const admin = await connect(base);
  for (const path of ['users/dora', 'users/emil', 'roles/cast', 'type-styles/nodes/Film', 'type-styles/edges/ACTED_IN'])
    await admin('DELETE', `/api/admin/${path}`).catch(() => undefined);
}
beforeAll(async () => {
  await removeAll();
  const admin = await connect(base);
  await admin('POST', '/api/admin/roles', { name: 'cast', grants: [{ kind: 'node', type: 'Person', actions: ['read'] }] });
  await admin('POST', '/api/admin/users', { username: 'dora', password: userPassword, permissions: ['read'] });
  await admin('POST', '/api/admin/users', { username: 'emil', password: userPassword, roles: ['cast'] });
});
afterAll(removeAll);

const drawn = (page: Page, selector: string) =>
  page.getByTestId('canvas').evaluate((container, chosen) => {
    const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
    return cy.$(chosen).map((element) => ({
      label: String(element.data('label')),
      colour: String(element.style(element.isNode() ? 'background-color' : 'line-color')),
      size: element.isNode() ? element.width() : parseFloat(String(element.style('width'))),
      icon: String(element.style('background-image')).startsWith('data:image/svg+xml'),
    }));
  }, selector);
const settings = (page: Page, type: string) =>
  page.getByRole('region', { name: 'Legend' }).getByRole('button', { name: new RegExp(`^${type}`) });
const markOf = (page: Page, within: string, name: string) =>
  page
    .locator(within)
    .filter({ hasText: name })
    .first()
    .locator('.dot, .dash')
    .evaluate((mark) => getComputedStyle(mark).backgroundColor);
const year = expect.stringMatching(/^\d{4}$/) as string;
const edgesAddress = '/explore?kind=edge&type=ACTED_IN&view=graph';

describe('the style of a type', () => {
  test('that an administrator sets for everybody is seen by others after a reload, in tables and on the canvas', async () => {
    const dora = await openAs('dora', edgesAddress);
    await expect.poll(async () => (await drawn(dora, 'node[type = "Film"]')).length).toBeGreaterThan(3);
    const before = (await drawn(dora, 'node[type = "Film"]'))[0]!;
    expect(before).toMatchObject({ colour: 'rgb(51,71,155)', size: 40, icon: false });
    await settings(dora, 'Film').click();
    await expect.poll(() => dora.getByRole('combobox', { name: 'Size' }).count()).toBe(1);
    expect(await dora.getByRole('button', { name: /everybody/ }).count()).toBe(0); // she is no administrator, and has no settings
    await dora.keyboard.press('Escape');

    const admin = await openAs('admin', edgesAddress);
    await settings(admin, 'Film').click();
    const share = admin.getByRole('button', { name: 'Set for everybody' });
    await expect.poll(() => share.getAttribute('aria-disabled')).toBe('true');
    await admin.getByRole('radio', { name: 'Color 5', exact: true }).click();
    await admin.getByLabel('Size').selectOption('Large');
    await admin.getByLabel('Caption').selectOption('released');
    await admin.getByRole('radio', { name: 'Film', exact: true }).click();
    expect(await findings(admin)).toEqual([]);
    expect(
      await requestsOf(admin, async () => {
        await share.click();
        await share.waitFor({ state: 'detached' });
      }),
    ).toEqual(['PUT /api/admin/type-styles/nodes/Film']);
    expect(await admin.evaluate(() => document.activeElement?.textContent)).toMatch(/^Film/); // the focus is on what opened the form
    await settings(admin, 'ACTED_IN').click();
    await admin.getByRole('radio', { name: 'Color 2', exact: true }).click();
    await admin.getByRole('combobox', { name: 'Width' }).selectOption('Thick');
    await share.click();
    await share.waitFor({ state: 'detached' });
    // Nothing is left that would hide a later style.
    expect(await admin.evaluate(() => localStorage.getItem('graphrest.appearance'))).toBe('{}');

    await dora.reload();
    await expect
      .poll(async () => (await drawn(dora, 'node[type = "Film"]'))[0])
      .toMatchObject({ colour: 'rgb(176,42,91)', size: 56, icon: true });
    expect((await drawn(dora, 'edge'))[0]).toMatchObject({ colour: 'rgb(180,84,10)', size: 5 });
    await dora.getByRole('radiogroup', { name: 'Show as' }).getByText('Table').click();
    await expect.poll(() => markOf(dora, '.type-row', 'Film')).toBe('rgb(176, 42, 91)');
    expect(await markOf(dora, '.type-row', 'ACTED_IN')).toBe('rgb(180, 84, 10)');
    await dora.goto(`${base}/explore?type=Film&view=graph`);
    await expect.poll(async () => (await drawn(dora, 'node'))[0]).toMatchObject({ label: year, colour: 'rgb(176,42,91)', size: 56 });
    await dora.goto(`${base}/schema`);
    await expect.poll(() => markOf(dora, '.card', 'Film')).toBe('rgb(176, 42, 91)');
  });

  test('is readable in dark colours, and own settings come before it', async () => {
    const dora = await openAs('dora', edgesAddress, { scheme: 'dark' });
    // The same hues, lighter.
    await expect.poll(async () => (await drawn(dora, 'node[type = "Film"]'))[0]).toMatchObject({ colour: 'rgb(212,138,165)', size: 56 });
    expect((await drawn(dora, 'edge'))[0]).toMatchObject({ colour: 'rgb(214,161,120)', size: 5 });
    expect(await findings(dora)).toEqual([]);
    await dora.goto(`${base}/explore?type=Film&view=graph`);
    await settings(dora, 'Film').click();
    await dora.getByRole('radio', { name: 'Color 4', exact: true }).click();
    await dora.getByLabel('Caption').selectOption('Automatic');
    await expect
      .poll(async () => (await drawn(dora, 'node'))[0])
      .toMatchObject({ label: expect.not.stringMatching(/^\d{4}$/) as string, colour: 'rgb(141,184,142)', size: 56 });
    await dora.getByRole('button', { name: 'Use the style for everybody' }).click();
    await expect.poll(async () => (await drawn(dora, 'node'))[0]).toMatchObject({ label: year, colour: 'rgb(212,138,165)' });
  });

  test('is set in the chosen members alone, and a width becomes automatic again', async () => {
    const page = await openAs('admin', edgesAddress);
    await expect.poll(async () => (await drawn(page, 'edge'))[0]).toMatchObject({ colour: 'rgb(180,84,10)', size: 5 });
    const admin = await connect(base);
    await admin('PUT', '/api/admin/type-styles/edges/ACTED_IN', { color: '#2f7d32' }); // another administrator, meanwhile
    await settings(page, 'ACTED_IN').click();
    await page.getByRole('combobox', { name: 'Width' }).selectOption('Automatic');
    expect(await page.getByRole('combobox', { name: 'Width' }).inputValue()).toBe('');
    await expect.poll(async () => (await drawn(page, 'edge'))[0]!.size).toBeLessThan(5);
    const share = page.getByRole('button', { name: 'Set for everybody' });
    await share.click();
    await share.waitFor({ state: 'detached' });
    expect(await admin('GET', '/api/admin/type-styles/edges/ACTED_IN')).toMatchObject({ color: '#2f7d32', width: null });
    await expect.poll(async () => (await drawn(page, 'edge'))[0]).toMatchObject({ colour: 'rgb(47,125,50)' });
  });

  test('is not sent to who may not see the type, and its removal is seen by all', async () => {
    const emil = await connect(base, 'emil');
    expect(JSON.stringify(await emil('GET', '/api/schema'), (_, v: unknown) => (typeof v === 'bigint' ? Number(v) : v))).not.toContain(
      '#b02a5b',
    );
    const admin = await openAs('admin', '/explore?type=Film&view=graph');
    await settings(admin, 'Film').click();
    await admin.getByRole('button', { name: 'Remove for everybody' }).click();
    await expect.poll(async () => (await drawn(admin, 'node'))[0]).toMatchObject({ colour: 'rgb(51,71,155)', size: 40 });
    const dora = await openAs('dora', '/explore?type=Film&view=graph');
    await expect.poll(async () => (await drawn(dora, 'node'))[0]).toMatchObject({ colour: 'rgb(51,71,155)', size: 40 });
  });
});
