// @long
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { connect, cypher } from './api';
import { findings } from './axe';
import { base, openAs, reportBodies } from './browser';

/** An HTTP endpoint that answers with a status, and keeps the headers of what it confirmed. */
async function openEndpoint() {
  const endpoint = { status: 500, received: [] as IncomingHttpHeaders[], url: '', close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (endpoint.status < 300) endpoint.received.push(request.headers);
      response.writeHead(endpoint.status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  endpoint.close = () => new Promise((done) => server.close(() => done()));
  return endpoint;
}

/** Refreshes the page until a row has a text. */
async function waitForRow(page: Page, row: RegExp) {
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page.getByRole('row', { name: row }).count();
      },
      { interval: 500 },
    )
    .toBeGreaterThan(0);
}

async function choose(page: Page, item: string) {
  await page.getByRole('button', { name: 'More for signals' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

describe('webhooks', () => {
  test('an administrator creates one, sees why deliveries fail, sends them again, edits and deletes it', async () => {
    const endpoint = await openEndpoint();
    const keeper = await connect(base);
    const page = await openAs('admin', '/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Name').fill('signals');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
    await dialog.getByLabel('nodes').check();
    await dialog.getByRole('combobox', { name: 'Types' }).fill('Signal');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab'); // closes the list
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await expect.poll(() => dialog.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('URL').fill(endpoint.url);
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    const shown = page.getByRole('dialog', { name: 'Secret of signals' });
    const secret = await shown.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /signals .*all changes of nodes of Signal enabled everything delivered/ }).waitFor();
    expect((await page.content()).includes(secret)).toBe(false);

    await keeper('POST', '/api/nodes', { type: 'Signal', properties: {} });
    await waitForRow(page, /signals .* 1 failed .*status 500/);
    await choose(page, 'Deliveries');
    const failed = page.getByRole('row', { name: /node\.create .*failed .*status 500/ });
    await failed.waitFor();
    endpoint.status = 204;
    await failed.getByRole('button', { name: /again/ }).click();
    await expect.poll(() => endpoint.received.length).toBe(1);
    expect(endpoint.received[0]!['webhook-signature']).toMatch(/^v1,/);
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page.getByRole('heading', { name: 'Everything is delivered' }).count();
      })
      .toBe(1);

    // A delivery that was given up after 24 hours: its state is set in the database.
    endpoint.status = 500;
    await keeper('POST', '/api/nodes', { type: 'Signal', properties: {} });
    await waitForRow(page, /node\.create .*failed/);
    await cypher(
      `MATCH (s:_GraphrestState {name: 'webhooks'}) SET s.version = coalesce(s.version, 0) + 1
       WITH s MATCH (w:_GraphrestWebhook) MATCH (d:_GraphrestDelivery {webhook: w.uid}) SET w.revision = s.version, d.state = 'dead'`,
    );
    await page.getByLabel('State').selectOption('dead');
    await waitForRow(page, /node\.create .*dead/);
    expect(await findings(page)).toEqual([]);
    endpoint.status = 200;
    await page.getByRole('button', { name: 'Send 1 dead one again' }).click();
    await page.getByRole('heading', { name: 'Nothing is dead' }).waitFor();
    await expect.poll(() => endpoint.received.length).toBe(2);

    await page.getByRole('link', { name: 'All webhooks' }).click();
    await choose(page, 'Edit');
    const edit = page.getByRole('dialog', { name: 'Webhook signals' });
    await edit.getByLabel('delete').check();
    await reportBodies(page);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await edit.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({ actions: ['delete'] });
    await page.getByRole('row', { name: /delete of nodes of Signal/ }).waitFor();
    await choose(page, 'Disable');
    await page.getByRole('row', { name: /signals .*disabled/ }).waitFor();
    await choose(page, 'Generate a new secret');
    await page.getByRole('button', { name: 'Generate secret' }).click();
    await expect.poll(() => shown.getByLabel('Secret').inputValue()).not.toBe(secret);
    await shown.getByRole('button', { name: 'Done' }).click();
    await choose(page, 'Delete');
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
    await endpoint.close();
  });
});
