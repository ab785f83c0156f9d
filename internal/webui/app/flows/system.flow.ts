// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, cypher, userPassword } from './api';
import { findings } from './axe';
import { base, openAs, requestsOf, waitUntilIdle } from './browser';

const path = '/api/admin';
const counts = (page: Page) => page.getByRole('region', { name: 'Sizes' }).getByRole('row');
const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' }).click();
const focus = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));

/** What reaches beyond the right edge of the screen and cannot be scrolled there. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.page-inner *')]
      .filter((e) => !e.parentElement!.closest('.scroll-x') && e.getBoundingClientRect().right > innerWidth)
      .map((e) => e.outerHTML.slice(0, 120)),
  );

beforeAll(async () => {
  const admin = await connect(base);
  await admin('POST', `${path}/webhooks`, { name: 'lamps', url: 'http://127.0.0.1:9/hook', types: ['Lamp'] });
  await admin('POST', `${path}/users`, { username: 'warden', password: userPassword, admin: true });
  await admin('POST', '/api/nodes', { type: 'Lamp', properties: {} });
});
afterAll(async () => {
  const admin = await connect(base);
  for (const each of ['webhooks/lamps', 'users/warden', 'users/newcomer', 'roles/latest']) await admin('DELETE', `${path}/${each}`);
  const tokens = await admin<{ id: string; name: string }[]>('GET', `${path}/tokens`);
  for (const { id } of tokens.filter(({ name }) => name === 'nightly')) await admin('DELETE', `${path}/tokens/${id}`);
  await cypher('MATCH (n:Lamp) DELETE n');
});

test.each(['light', 'dark'] as const)(
  'an administrator sees findings, sizes, single sign-on and webhooks in %s colours',
  async (scheme) => {
    const admin = await connect(base);
    const page = await openAs('admin', '/system', { scheme });
    const found = await admin<{ version: string; findings: { level: string; subject: string; message: string; remedy: string }[] }>(
      'GET',
      `${path}/system/findings`,
    );
    const database = page.getByRole('region', { name: 'Database' });
    await database.getByText(`Neo4j ${found.version}, community edition; checked`).waitFor();
    expect(found.findings.length).toBeGreaterThan(0);
    const shown = await database.getByRole('listitem').allTextContents();
    expect(shown).toEqual(
      found.findings.map(({ level, subject, message, remedy }) => `${level} ${subject}: ${message}${remedy ? `Remedy: ${remedy}` : ''}`),
    );
    await page.getByRole('row', { name: 'Single sign-on off' }).waitFor();
    await expect
      .poll(async () => {
        await refresh(page);
        return page.getByRole('row', { name: /lamps enabled 1 failed/ }).count();
      })
      .toBe(1);
    // The service’s own records change the count at any time.
    await expect
      .poll(async () => {
        await refresh(page);
        await waitUntilIdle(page);
        const { values } = (await cypher('MATCH (n) WITH count(n) AS nodes MATCH ()-[r]->() RETURN nodes, count(r) AS edges')) as {
          values: number[][];
        };
        const shown = (await counts(page).allTextContents()).slice(0, 2).map((text) => text.replaceAll(/[^0-9]/g, ''));
        return [shown.join(), values[0]!.join()];
      })
      .toSatisfy(([shown, counted]: [string, string]) => shown === counted);
    await counts(page)
      .filter({ hasText: /^History\d[\d,]* records?, the oldest of .*; kept 30 days$/ })
      .waitFor();
    await counts(page)
      .filter({ hasText: /^Size of the history.*about [\d.,]+ (KiB|MiB); at most 1 GiB$/ })
      .waitFor();
    await counts(page)
      .filter({ hasText: /^Audit\d.* entr(y|ies), the oldest of .*; kept 90 days$/ })
      .waitFor();
    for (const width of [390, 1366]) {
      await page.setViewportSize({ width, height: 844 });
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth), ...(await cutOff(page))]).toEqual([width, width]);
      expect(await findings(page)).toEqual([]);
    }
  },
);

test('an administrator without the permission read learns no number of the graph', async () => {
  const page = await openAs('warden', '/system');
  await page.getByRole('row', { name: 'Nodes needs the permission read' }).waitFor();
  await page.getByRole('row', { name: 'Edges needs the permission read' }).waitFor();
  await page.getByRole('row', { name: /Size of the history needs the permission read; at most/ }).waitFor();
});

test('users, roles and tokens that others add appear after Refresh', async () => {
  const admin = await connect(base);
  const page = await openAs('admin', '/users');
  for (const [each, body, row] of [
    ['users', { username: 'newcomer', password: userPassword }, /^newcomer/],
    ['roles', { name: 'latest', grants: [] }, /^latest/],
    ['tokens', { name: 'nightly', permissions: ['read'] }, /^nightly/],
  ] as const) {
    await page.goto(`${base}/${each}`);
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    await admin('POST', `${path}/${each}`, body);
    expect(await page.getByRole('row', { name: row }).count()).toBe(0);
    await refresh(page);
    await page.getByRole('row', { name: row }).waitFor();
  }
});

test('the audit is read again on return to the window while only its first page is loaded', async () => {
  const page = await openAs('admin');
  await page.route('**/api/admin/audit*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  await page.goto(`${base}/audit`);
  await page.getByRole('button', { name: 'Load more' }).waitFor();
  expect(await requestsOf(page, () => focus(page))).toEqual(['GET /api/admin/audit']);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => page.getByRole('region', { name: 'Audit entries' }).getByRole('row').count()).toBe(5);
  expect(await requestsOf(page, () => focus(page))).toEqual([]);
});
