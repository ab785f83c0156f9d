// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings, onTablets } from './axe';
import { base, openAs, sample } from './browser';

const team = {
  name: 'team',
  description: 'People of the own team',
  grants: [
    {
      kind: 'node',
      type: 'Person',
      actions: ['read', 'edit'],
      where: { team: { eq: { $user: 'attributes.team' } }, active: { eq: true } },
      hidden: ['salary'],
      read_only: ['team'],
    },
    { kind: 'edge', type: '*', actions: ['read'] },
  ],
};

beforeAll(async () => {
  const admin = await connect(base);
  await admin('POST', '/api/admin/roles', team);
  await admin('POST', '/api/admin/users', {
    username: 'bea',
    password: userPassword,
    roles: ['team'],
    attributes: { team: 'blue', level: 3 },
  });
  await admin('POST', '/api/admin/tokens', {
    name: 'ci',
    permissions: ['read'],
    roles: ['team'],
    expires_at: new Date(Date.now() + 5.5 * 86_400_000).toISOString(),
  });
  await admin('POST', '/api/admin/webhooks', { name: 'beacons', url: 'http://127.0.0.1:9/hook', types: ['Beacon'] });
  await admin('POST', '/api/nodes', { type: 'Beacon', properties: {} });
});
afterAll(async () => {
  const admin = await connect(base);
  const [token] = (await admin<{ id: string; name: string }[]>('GET', '/api/admin/tokens')).filter(({ name }) => name === 'ci');
  for (const path of ['roles/team', 'users/bea', `tokens/${token!.id}`, 'webhooks/beacons']) await admin('DELETE', `/api/admin/${path}`);
});

/** The pages of the administration that no other flow checks, each with how to wait for it. */
const pages: [path: string, open: (page: Page) => Promise<void>][] = [
  ['/users', async (page) => page.getByText('in part').first().waitFor()],
  [
    '/users',
    async (page) => {
      await page.getByRole('button', { name: 'More for bea' }).click();
      await page.getByRole('menuitem', { name: 'Roles and attributes' }).click();
      await page.getByRole('dialog').getByLabel('Value of team').waitFor();
      await page.getByRole('menu').waitFor({ state: 'hidden' });
    },
  ],
  ['/tokens', async (page) => page.getByText('expires in 5 days').waitFor()],
  ['/roles', async (page) => page.getByRole('row', { name: /^team .* 2 / }).waitFor()],
  ['/roles?role=team', async (page) => page.getByRole('region', { name: 'Grant 2' }).waitFor()],
  [
    `/explain?user=bea&method=GET&path=/api/nodes/${sample.people[0]}`,
    async (page) => {
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: 'Refused: NOT_FOUND' }).waitFor();
    },
  ],
  ['/webhooks', async (page) => page.getByRole('row', { name: /beacons .* 1 failed/ }).waitFor()],
  ['/webhooks/beacons', async (page) => page.getByRole('row', { name: /node\.create .*failed/ }).waitFor()],
];

describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
  test('the pages of the administration pass axe and fit tablets', async () => {
    await expect
      .poll(async () => (await (await connect(base))<unknown[]>('GET', '/api/admin/webhooks/beacons/deliveries?state=failed')).length)
      .toBe(1);
    const page = await openAs('admin', '/users', { scheme });
    for (const [path, open] of pages) {
      await page.goto(base + path);
      await open(page);
      expect([path, ...(await findings(page))]).toEqual([path]);
      if (scheme === 'light') await onTablets(page, path);
    }
    // Names of users are not broken between letters for lack of room.
    await page.goto(`${base}/users`);
    await page.setViewportSize({ width: 768, height: 1024 });
    expect(
      (await page
        .getByRole('rowheader', { name: /^admin/ })
        .first()
        .boundingBox())!.width,
    ).toBeGreaterThanOrEqual(120);
  });
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string) {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
    });
    if (focused === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('a token and a role are made with the keyboard alone', async () => {
  const page = await openAs('admin', '/explore');
  for (const link of ['Administration', 'Service tokens']) {
    await tabTo(page, link);
    await page.keyboard.press('Enter');
  }
  await page.getByRole('heading', { name: 'Service tokens' }).waitFor();
  await tabTo(page, 'New token');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await page.keyboard.type('by keys');
  await tabTo(page, 'read');
  await page.keyboard.press('Space');
  await tabTo(page, 'Create token');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Token by keys created' }).waitFor();
  await tabTo(page, 'Done');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /^by keys/ }).waitFor();

  await tabTo(page, 'Roles');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New role' }).waitFor();
  await tabTo(page, 'New role');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await page.keyboard.type('keyboard');
  await tabTo(page, 'Type (* for all)');
  await page.keyboard.type('*');
  await tabTo(page, 'Add a condition');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Property of condition 1');
  await page.keyboard.type('name');
  await tabTo(page, 'Value of condition 1');
  await page.keyboard.type('Ann');
  await tabTo(page, 'Create role');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /^keyboard/ }).waitFor();

  const admin = await connect(base);
  expect((await admin<{ grants: unknown[] }>('GET', '/api/admin/roles/keyboard')).grants).toEqual([
    { kind: 'node', type: '*', actions: ['read'], where: { name: { eq: 'Ann' } } },
  ]);
  await admin('DELETE', '/api/admin/roles/keyboard');
  const [token] = (await admin<{ id: string; name: string }[]>('GET', '/api/admin/tokens')).filter(({ name }) => name === 'by keys');
  await admin('DELETE', `/api/admin/tokens/${token!.id}`);
});
