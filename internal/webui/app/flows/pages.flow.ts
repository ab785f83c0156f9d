// @long
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { outlineOf, readTree } from './accessibilityTree';
import { findings, onScreens, onTablets } from './axe';
import { base, openAs, openContext, requestsOf, sample, waitUntilIdle } from './browser';
import { connect, userPassword } from './api';

describe('users', () => {
  test('are created, changed, disabled and deleted; changes take effect immediately', async () => {
    const page = await openAs('admin', '/users');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('User name').fill('nina');
    await page.getByLabel('Password', { exact: true }).fill(userPassword);
    await page.getByRole('button', { name: 'Create user' }).click();
    const nina = page.getByRole('row', { name: /nina/ });
    await nina.waitFor();
    const call = await connect(base, 'nina', userPassword);
    await expect(call('POST', '/api/nodes', { type: 'Note', properties: {} })).rejects.toThrow('PERMISSION_DENIED');
    await page.getByLabel('nina: create').click();
    expect(await page.getByLabel('nina: create').isChecked()).toBe(false); // not without a word
    await page.getByRole('dialog', { name: 'Give nina the right create?' }).getByText('nina may then create').waitFor();
    await page.getByRole('button', { name: 'Give create' }).click();
    await expect.poll(() => page.getByLabel('nina: create').isChecked()).toBe(true);
    const note = await call<{ id: string }>('POST', '/api/nodes', { type: 'Note', properties: {} });
    await (
      await connect(base)
    )('DELETE', `/api/nodes/${note.id}`);

    await nina.getByRole('button', { name: 'More for nina' }).click();
    await page.getByRole('menuitem', { name: 'Set request limit' }).click();
    await page.getByRole('textbox', { name: 'Request limit' }).fill('5000');
    await page.getByRole('button', { name: 'Save' }).click();
    await nina.getByText('5,000').waitFor();

    await nina.getByRole('button', { name: 'More for nina' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Disable user' }).click();
    await nina.getByText('disabled').waitFor();
    await expect(call('GET', '/api/auth/me')).rejects.toThrow('TOKEN_REVOKED');
    await nina.getByRole('button', { name: 'More for nina' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await nina.waitFor({ state: 'detached' });

    // The last administrator cannot be demoted; the page shows the error and the actual state.
    await page.getByLabel('admin: admin').click();
    const dialog = page.getByRole('dialog', { name: 'Take the right admin from admin?' });
    await dialog.getByText('the audit.').waitFor(); // no role gives it
    await dialog.getByRole('button', { name: 'Take admin' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByLabel('admin: admin').isChecked()).toBe(true);
  });
});

const hostile = [
  `<img src=x onerror="window.hacked=1">`,
  `"><script>window.hacked=1</script>`,
  "'; DROP",
  '`) DETACH DELETE n //',
  '__proto__',
  'constructor',
  '{{7*7}}',
  'javascript:alert(1)',
  '\u202etxt.exe',
];

describe('hostile text', () => {
  test('in names and values is shown as text', async () => {
    const admin = await connect(base);
    const properties = Object.fromEntries(hostile.map((text) => [text, text]));
    const type = hostile[0]!;
    const node = await admin<{ id: string }>('POST', '/api/nodes', { type, properties: { ...properties, name: hostile[1] } });
    const edge = await admin<{ id: string }>('POST', '/api/edges', {
      type: hostile[1],
      source_id: node.id,
      target_id: node.id,
      properties,
    });
    await admin('POST', '/api/admin/users', { username: hostile[0], password: userPassword });
    try {
      const page = await openAs('admin', `/explore?${new URLSearchParams({ type, open: `node:${node.id}` })}`);
      await page.getByRole('heading', { name: hostile[1], exact: true }).waitFor();
      for (const text of hostile.slice(0, -1)) await page.getByRole('definition').filter({ hasText: text }).first().waitFor();
      await page.getByRole('button', { name: 'Edit properties' }).click();
      await expect.poll(() => page.getByLabel('Value of __proto__').inputValue()).toBe('__proto__');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Graph', { exact: true }).click();
      await page.getByRole('option').first().waitFor();
      await page.goto(`${base}/explore?kind=edge&open=edge:${edge.id}`);
      await page.getByRole('heading', { name: hostile[1], exact: true }).waitFor();
      await page.goto(`${base}/schema`);
      await page.getByRole('heading', { name: type }).waitFor();
      await page.goto(`${base}/users`);
      await page.getByText(hostile[0]!).waitFor();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    } finally {
      await admin('DELETE', `/api/nodes/${node.id}`);
      await admin('DELETE', `/api/admin/users/${encodeURIComponent(hostile[0]!)}`);
    }
  });
});

/** Who acted in good films and directed none, with the studios. */
const question = `{"match":[[{"as":"person","type":"Person"},{"edge":"ACTED_IN"},
  {"as":"film","type":"Film","filter":{"rating":{"gt":7.5}}},{"edge":"PRODUCED_BY"},{"as":"studio","type":"Studio"}]],
  "without":[[{"as":"person"},{"edge":"DIRECTED"},{"type":"Film"}]],
  "columns":["person","film.title","film.rating","studio"],"sort":["-film.rating"]}`;

interface Schema {
  node_types: { type: string; properties: { name: string }[] }[];
  edge_types: { type: string; properties: { name: string }[] }[];
}

const images = resolve(import.meta.dirname, '../../../../docs/images');

/**
 * UPDATE_IMAGES=1 writes the screenshots of the documentation, and what each page offers, which fails where the interface has moved on
 * since.
 */
async function takePicture(page: Page, what: string, scheme: string, names: string[]) {
  const name = `${what}-${scheme}`;
  const folder = process.env['UPDATE_IMAGES'];
  const outline = outlineOf(await readTree(page), names);
  const file = `${images}/outlines.json`;
  const outlines = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>;
  if (!folder)
    return expect(outline, `the picture ${name} is old: UPDATE_IMAGES=1 make test-webui-flows FLOWS=pages`).toEqual(outlines[what]);
  if (folder === '1') {
    writeFileSync(file, `${JSON.stringify({ ...outlines, [what]: outline }, null, 1)}\n`);
    return void (await page.screenshot({ path: `${images}/${name}.png` }));
  }
}

describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
  test('every page passes axe', async () => {
    const login = await (await openContext({ scheme })).newPage();
    await login.goto(base);
    await login.getByLabel('User name').waitFor();
    expect(await findings(login)).toEqual([]);

    const page = await openAs('admin', `/explore?type=Film&open=node:${sample.films[4]}`, { scheme });
    const { node_types, edge_types } = await (await connect(base))<Schema>('GET', '/api/schema');
    const names = [...node_types, ...edge_types].flatMap(({ type, properties }) => [type, ...properties.map(({ name }) => name)]);
    const picture = (name: string) => takePicture(page, name, scheme, names);
    const checkPage = async (name: string, what: string) => {
      expect([what, ...(await findings(page))]).toEqual([what]);
      if (name) {
        await picture(name);
        await onScreens(page, `${name}-${scheme}`);
      }
      if (scheme === 'light') await onTablets(page, what);
    };
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    await page
      .getByText(/\d edges/)
      .first()
      .waitFor();
    await checkPage('web-table', 'table and panel');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('list', { name: 'Changes, newest first' }).waitFor();
    await checkPage('', 'history');
    await page.getByRole('tab', { name: 'Properties' }).click();
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await checkPage('web-edit', 'editing');
    await page.goto(`${base}/explore?type=Film&view=graph`);
    await page.getByRole('option', { name: /Glass Orchard/ }).click();
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByRole('menuitem', { name: /^All/ }).click();
    await page.getByRole('option', { name: /Meridian Films/ }).waitFor();
    await waitUntilIdle(page); // without the edges to the other films, the neighbors could be grouped
    await page.getByRole('menu').waitFor({ state: 'hidden' }); // while it closes, it violates the rules for menus
    await checkPage('web-graph', 'canvas');
    await page.goto(`${base}/ask?${new URLSearchParams({ ask: question })}`);
    await page.getByRole('columnheader', { name: 'film.rating' }).waitFor();
    await checkPage('web-ask', 'ask');
    await page.goto(`${base}/schema`);
    await page.getByText('Present in').first().waitFor();
    await checkPage('web-schema', 'schema');
    await page.goto(`${base}/users`);
    await page.getByRole('button', { name: 'New user' }).waitFor();
    await checkPage('web-users', 'users');
    await page.goto(`${base}/system`);
    await page.getByRole('row', { name: /GRAPHREST_LISTEN .*environment/ }).waitFor();
    expect(await page.getByRole('row', { name: /GRAPHREST_JWT_SECRET/ }).textContent()).toContain('[redacted]');
    const onFocus = await requestsOf(page, () => page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange'))));
    const read = ['index-advice', 'indexes', 'system', 'system/findings', 'system/sizes', 'webhooks'];
    expect(onFocus.sort()).toEqual(read.map((each) => `GET /api/admin/${each}`));
    await checkPage('', 'system');
    await page.goto(`${base}/audit?user=admin`);
    await page.getByRole('region', { name: 'Audit entries' }).waitFor();
    await checkPage('', 'audit');
    const keeper = await connect(base, 'keeper', userPassword);
    const [ann, nils] = [
      await keeper<{ id: string }>('POST', '/api/nodes', { type: 'Person', properties: { name: 'Ann' } }),
      await keeper<{ id: string }>('POST', '/api/nodes', { type: 'Person', properties: { name: 'Nils' } }),
    ];
    await keeper('POST', '/api/edges', { type: 'KNOWS', source_id: ann.id, target_id: nils.id, properties: {} });
    await keeper('PUT', `/api/nodes/${ann.id}`, { properties: { name: 'Anna', active: true } });
    for (const { id } of [ann, nils]) await keeper('DELETE', `/api/nodes/${id}`);
    await page.goto(`${base}/trash?type=Person`);
    await page.getByRole('region', { name: 'Deleted nodes and edges' }).waitFor();
    await checkPage('', 'trash');
    await page.goto(`${base}/changes?type=Person`);
    await page.getByRole('region', { name: 'Recorded changes' }).waitFor();
    await checkPage('', 'changes');
    await page.goto(`${base}/audit?user=keeper`);
    await page
      .getByRole('row', { name: /update active, name/ })
      .first()
      .waitFor();
    await picture('web-audit');
    const admin = await connect(base);
    await admin('POST', '/api/admin/search-indexes', { name: 'titles', kind: 'node', types: ['Film'], properties: ['title', 'tagline'] });
    await admin('PUT', '/api/admin/types/nodes/Studio', {
      level: 'moderate',
      schema: { properties: { name: { type: 'string' }, employees: { minimum: 50 } }, required: ['name'] },
      unique: [['name']],
    });
    try {
      await page.goto(`${base}/search-indexes`);
      await page.getByRole('row', { name: /titles Film.*online/ }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.goto(`${base}/explore`);
      const field = page.getByRole('textbox', { name: 'Search the graph' });
      await field.fill('story');
      await field.press('Enter');
      await page.getByRole('button', { name: /Glass Orchard/ }).click();
      await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
      await page
        .getByText(/\d edges/)
        .first()
        .waitFor();
      await checkPage('web-search', 'search');
      await page.goto(`${base}/declared-types`);
      await page.getByRole('row', { name: /Studio.*moderate/ }).waitFor();
      await checkPage('', 'declared types');
      await page.getByRole('button', { name: 'Edit Studio' }).click();
      await page.getByRole('dialog', { name: 'Declaration of Studio' }).getByRole('combobox', { name: 'Unique' }).waitFor();
      await picture('web-types');
      await page.getByRole('button', { name: 'Cancel' }).click();
    } finally {
      await admin('DELETE', '/api/admin/types/nodes/Studio');
      await admin('DELETE', '/api/admin/search-indexes/titles');
    }
    await page.getByRole('button', { name: 'Declare a type' }).click();
    await page.getByRole('button', { name: 'Generate from data' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto(`${base}/users`);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('button', { name: 'Create user' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
