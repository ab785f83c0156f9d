import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { gridFindings, readTree, treeFindings } from './accessibilityTree';
import { base, openAs, openContext, sample, waitUntilIdle } from './browser';

/** Waits for a row or an option of the sample; other flows may have left more with such a name. */
const shows = (role: 'row' | 'option', name: RegExp) => (page: Page) => page.getByRole(role, { name }).first().waitFor();

// The pages, and what has been loaded when they are complete.
const pages: [string, string, (page: Page) => Promise<void>][] = [
  ['home', '/', (page) => page.getByRole('link', { name: /^Film/ }).waitFor()],
  ['a table', '/explore?type=Person', shows('row', /Ada Lindqvist/)],
  ['a table of edges', '/explore?kind=edge&type=ACTED_IN', (page) => page.getByRole('row', { name: /Lead/ }).first().waitFor()],
  ['all nodes', '/explore', shows('row', /Ada Lindqvist/)],
  [
    'a node',
    `/explore?type=Person&open=node:${sample.people[0]}`,
    (page) =>
      page
        .getByText(/\d edges/)
        .first()
        .waitFor(),
  ],
  [
    'a history',
    `/explore?type=Person&open=node:${sample.people[0]}&tab=history`,
    (page) => page.getByRole('list', { name: 'Changes, newest first' }).waitFor(),
  ],
  ['a filter', '/explore?type=Film&filter[released][gte:integer]=2015&sort=-rating', shows('row', /The Glass Orchard/)],
  ['a canvas', '/explore?type=Film&view=graph', shows('option', /The Glass Orchard/)],
  ['schema', '/schema', (page) => page.getByText('Present in').first().waitFor()],
  // Those of one node: the rows of two equal changes that another flow makes within a second cannot be distinguished.
  ['changes', '/changes?type=Notice', (page) => page.getByRole('region', { name: 'Recorded changes' }).waitFor()],
  ['trash', '/trash?type=Notice', (page) => page.getByRole('region', { name: 'Deleted nodes and edges' }).waitFor()],
  ['change sets', '/change-sets', (page) => page.getByRole('heading', { name: 'Change sets', level: 1 }).waitFor()],
  ['ask', '/ask', (page) => page.getByRole('heading', { name: 'Ask', level: 1 }).waitFor()],
  ['system', '/system', (page) => page.getByRole('heading', { name: 'System', level: 1 }).waitFor()],
  ['users', '/users', shows('row', /viewer/)],
  ['roles', '/roles', (page) => page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()],
  ['why', '/explain', (page) => page.getByRole('heading', { name: 'Why?' }).waitFor()],
  ['tokens', '/tokens', (page) => page.getByRole('heading', { name: 'Service tokens', level: 1 }).waitFor()],
  ['types', '/declared-types', shows('row', /Studio/)],
  ['search indexes', '/search-indexes', (page) => page.getByRole('heading', { name: 'Search indexes', level: 1 }).waitFor()],
  ['webhooks', '/webhooks', (page) => page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()],
  ['audit', '/audit?user=reader-aloud', (page) => page.getByRole('region', { name: 'Audit entries' }).waitFor()],
];

describe('the accessibility tree', () => {
  beforeAll(async () => {
    const admin = await connect(base);
    await admin('PUT', '/api/admin/types/nodes/Studio', {
      level: 'moderate',
      schema: { properties: { name: { type: 'string' } }, required: ['name'] },
      unique: [['name']],
    });
    await admin('POST', '/api/admin/users', {
      username: 'reader-aloud',
      password: userPassword,
      permissions: ['read', 'create', 'delete'],
    });
    const call = await connect(base, 'reader-aloud', userPassword);
    const { id } = await call<{ id: string }>('POST', '/api/nodes', { type: 'Notice', properties: { name: 'A deleted notice' } });
    await call('DELETE', `/api/nodes/${id}`);
  });
  afterAll(async () => {
    const admin = await connect(base);
    await admin('DELETE', '/api/admin/types/nodes/Studio');
    await admin('DELETE', '/api/admin/users/reader-aloud');
  });

  test('of the login has names, landmarks and headings', async () => {
    const login = await (await openContext()).newPage();
    await login.goto(base);
    await login.getByLabel('User name').waitFor();
    expect(treeFindings(await readTree(login))).toEqual([]);
  });

  test('of the tables of the administration names each row, and reads with a control what else is in its cell', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/roles', { name: 'readers of cities', grants: [{ kind: 'node', type: 'City', actions: ['read'] }] });
    await admin('POST', '/api/admin/users', { username: 'in-part', password: userPassword, roles: ['readers of cities'] });
    try {
      const page = await openAs('admin', '/users');
      await page.getByText('in part').first().waitFor();
      expect(await page.getByRole('rowheader', { name: /^in-part/ }).count()).toBe(1);
      for (const path of ['/users', '/roles', '/declared-types', '/tokens', '/search-indexes', '/webhooks']) {
        await page.goto(base + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await waitUntilIdle(page);
        expect(gridFindings(await readTree(page)).map((finding) => `${path}: ${finding}`)).toEqual([]);
      }
    } finally {
      await admin('DELETE', '/api/admin/users/in-part');
      await admin('DELETE', '/api/admin/roles/readers%20of%20cities');
    }
  });

  test.each([0, 1, 2, 3])('of each page has names, landmarks and headings that can be distinguished, part %i', async (part) => {
    const page = await openAs('admin');
    const found: string[] = [];
    const titles = new Set<string>();
    const group = pages.filter((_, index) => index % 4 === part);
    for (const [what, path, isComplete] of group) {
      await page.goto(base + path);
      await isComplete(page).catch((error: unknown) => {
        throw new Error(`${what}: ${String(error)}`);
      });
      if (!path.startsWith('/changes')) await waitUntilIdle(page); // it waits for new changes without end
      found.push(...treeFindings(await readTree(page)).map((finding) => `${what}: ${finding}`));
      titles.add(await page.title());
    }
    expect(found).toEqual([]);
    expect(titles.size).toBeGreaterThan(group.length - 2); // a panel does not change the title
  });
});
