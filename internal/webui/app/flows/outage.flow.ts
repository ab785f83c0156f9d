// @long
// What the pages do while the service or its database is unavailable, and afterwards: nothing is lost, and all recovers without a reload.
import { connect as connectTo, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Call } from './api';
import { onScreens } from './axe';
import { logIn, openContext } from './browser';
import { createUsers } from './fixtures';
import { freePort, startGateway, type Gateway } from './gateway';

/** A way to the database that can be cut. */
async function startRelay(port: number) {
  const open = new Set<Socket>();
  const relay = createServer((socket) => {
    const database = connectTo(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, database],
      [database, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => (open.delete(one), other.destroy()));
    }
  });
  const at = await freePort();
  const listen = () => new Promise<void>((done) => relay.listen(at, '127.0.0.1', done));
  await listen();
  const cut = () =>
    new Promise<void>((done) => {
      relay.close(() => done());
      for (const socket of open) socket.destroy();
    });
  return { at, cut, restore: listen };
}

let relay: Awaited<ReturnType<typeof startRelay>>;
let gateway: Gateway;
let port: number;
let admin: Call;
let ids: string[];

const start = () => startGateway(3600, { NEO4J_URI: `bolt://127.0.0.1:${relay.at}` }, port);

beforeAll(async () => {
  relay = await startRelay(Number(new URL(process.env['NEO4J_URI']!.replace(/^[a-z0-9+]+:/, 'http:')).port));
  port = await freePort();
  gateway = await start();
  await createUsers(gateway.base).catch(() => undefined); // they are those of the other gateway of this database
  admin = await connect(gateway.base);
  ids = [];
  for (let i = 0; i < 3; i++)
    ids.push((await admin<{ id: string }>('POST', '/api/nodes', { type: 'Lamp', properties: { name: `Lamp ${i}`, watts: i } })).id);
  for (const other of ids.slice(1)) await admin('POST', '/api/edges', { type: 'LIT_BY', source_id: ids[0], target_id: other });
});
afterAll(async () => {
  for (const id of ids) await admin('DELETE', `/api/nodes/${id}?detach=true`).catch(() => undefined);
  await gateway.stop();
  await relay.cut();
});

async function open(path: string): Promise<Page> {
  const page = await (await openContext({ origins: [gateway.base], outage: true })).newPage();
  await page.goto(gateway.base + path);
  await logIn(page, 'keeper');
  return page;
}

const bar = (page: Page, part: 'service' | 'database') =>
  page.getByText(part === 'service' ? /^The service has been unreachable since/ : /^The database has been unavailable since/);

const outages = [
  {
    part: 'database' as const,
    begin: () => relay.cut(),
    end: () => relay.restore(),
  },
  {
    part: 'service' as const,
    begin: () => gateway.stop(),
    end: async () => void (gateway = await start()),
  },
];

describe.each(outages)('an outage of the $part', ({ part, begin, end }) => {
  test('keeps lists, a canvas and unsaved edits, and all of it recovers without a reload', async () => {
    const table = await open('/explore?type=Lamp&sort=name');
    await table.getByRole('row', { name: /Lamp 2/ }).waitFor();
    const canvas = await open('/explore?type=Lamp&view=graph');
    await canvas.getByRole('option', { name: /Lamp 0/ }).click();
    const form = await open(`/explore?type=Lamp&open=node:${ids[1]}`);
    await form.getByRole('button', { name: 'Edit properties' }).click();
    await form.getByLabel('Value of watts').fill('60');
    const creating = await open('/explore?type=Lamp');
    await creating.getByRole('button', { name: 'Create a node' }).click();
    await creating.getByRole('dialog').getByLabel('Value of name').fill('Lamp new');
    // What a window does when it gets the focus after a minute: everything that it shows is read again.
    const home = await open('/');
    await home.getByRole('heading', { name: 'What this database holds' }).waitFor();

    await begin();

    await table.getByRole('button', { name: 'Refresh' }).click();
    await bar(table, part).waitFor({ timeout: 60_000 });
    await table.getByRole('row', { name: /Lamp 2/ }).waitFor(); // the rows stay
    await onScreens(table, `outage-${part}`);
    await canvas.getByRole('button', { name: 'Expand' }).click();
    await bar(canvas, part).waitFor({ timeout: 60_000 });
    await canvas.getByRole('option', { name: /Lamp 0/ }).waitFor();
    await form.getByRole('button', { name: 'Save 1 change' }).click();
    await bar(form, part).waitFor({ timeout: 60_000 });
    await form.getByRole('alert').first().waitFor({ timeout: 60_000 });
    expect(await form.getByLabel('Value of watts').inputValue()).toBe('60');
    await creating.getByRole('dialog').getByRole('button', { name: 'Create node' }).click();
    await creating.getByRole('dialog').getByRole('alert').waitFor({ timeout: 60_000 });
    await home.getByRole('link', { name: 'Schema' }).click(); // a page that is not loaded yet
    await home.getByRole('link', { name: 'Trash' }).click();
    await bar(home, part).waitFor({ timeout: 60_000 });

    await end();

    for (const page of [table, canvas, form, home]) await bar(page, part).waitFor({ state: 'hidden', timeout: 60_000 });
    await home.getByRole('heading', { name: 'Trash', exact: true }).waitFor();
    await admin('PUT', `/api/nodes/${ids[2]}`, { properties: { name: 'Lamp two' } });
    await table.getByRole('button', { name: 'Refresh' }).click();
    await table.getByRole('row', { name: /Lamp two/ }).waitFor();
    await admin('PUT', `/api/nodes/${ids[2]}`, { properties: { name: 'Lamp 2' } });
    await form.getByRole('button', { name: 'Save 1 change' }).click();
    await form.getByRole('definition').filter({ hasText: /^60$/ }).waitFor();
    await admin('PUT', `/api/nodes/${ids[1]}`, { properties: { watts: 1 } });
    await creating.getByRole('dialog').getByRole('button', { name: 'Create node' }).click();
    await creating.getByRole('heading', { name: 'Lamp new' }).waitFor();
    for (const { id, properties } of await admin<{ id: string; properties: { name: string } }[]>('GET', '/api/nodes?type=Lamp'))
      if (properties.name === 'Lamp new') await admin('DELETE', `/api/nodes/${id}`);
  });
});
