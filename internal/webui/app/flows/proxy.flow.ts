import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { base, logIn, openContext, openHelp, sample } from './browser';
import { startProxiedGateway, type ProxiedGateway } from './proxy';

let proxied: ProxiedGateway;
beforeAll(async () => {
  proxied = await startProxiedGateway('/teams/graph');
});
afterAll(() => proxied?.stop());

async function open(path: string) {
  const page = await (await openContext({ origins: [proxied.origin] })).newPage();
  const outside: string[] = [];
  page.on('request', (request) => {
    const { href } = new URL(request.url());
    if (!href.startsWith(`${proxied.base}/`) && href.startsWith('http')) outside.push(href);
  });
  await page.goto(proxied.base + path);
  await logIn(page, 'editor');
  return { page, outside };
}

describe('behind a proxy under a path', () => {
  test('pages, their links and a reload stay under the path', async () => {
    const { page, outside } = await open('/');
    await page.getByRole('heading', { name: 'What this database holds' }).waitFor();
    await page.getByRole('link', { name: 'Schema' }).first().click();
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
    expect(page.url()).toBe(`${proxied.base}/schema`);
    await page.reload();
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
    const docs = await openHelp(page, 'API documentation');
    await docs.getByText('editor', { exact: true }).waitFor(); // the session is shared under the path
    expect(docs.url()).toBe(`${proxied.base}/docs`);
    await docs.close();
    expect(outside).toEqual([]);
  });

  test('a conflict is solved although the proxy makes entity tags weak', async () => {
    const { page, outside } = await open(`/explore?type=Person&open=node:${sample.people[5]}`);
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of height').fill('1.88');
    const other = await connect(base);
    await other('PUT', `/api/nodes/${sample.people[5]}`, { properties: { height: 1.22 } });
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page
      .getByRole('dialog', { name: /Changed by another user/ })
      .getByRole('button', { name: 'Save mine' })
      .click();
    await page
      .getByRole('definition')
      .filter({ hasText: /^1.88$/ })
      .waitFor();
    expect((await other<{ properties: Record<string, unknown> }>('GET', `/api/nodes/${sample.people[5]}`)).properties['height']).toBe(1.88);
    expect(outside).toEqual([]);
  });
});
