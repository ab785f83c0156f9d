// @long
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { connect, cypher } from './api';
import { findings, onTablets } from './axe';
import { base, openAs } from './browser';

interface Entity {
  id: string;
  properties: Record<string, unknown>;
}

afterAll(() => cypher('MATCH (n:Ferry) DETACH DELETE n'));

const call = await connect(base, 'keeper');
const newFerry = (properties: Record<string, unknown>) => call<Entity>('POST', '/api/nodes', { type: 'Ferry', properties });
const openHistory = (id: string) => openAs('viewer', `/explore?type=Ferry&open=node:${id}&tab=history`);
const panel = (page: Page) => page.getByRole('complementary', { name: 'Node' });
const values = (page: Page) => page.getByRole('table', { name: 'Values at both times' });
const rowsOf = (page: Page) => values(page).getByRole('row').allTextContents();
/** A time as its field takes it. */
const field = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

describe('as of', () => {
  test('a change of the history shows the entity as it left it, beside the present one; a link reopens it', async () => {
    const { id } = await newFerry({ name: 'Ida', deck: 1, port: 'Kiel' });
    await call('PUT', `/api/nodes/${id}`, { properties: { deck: 2, port: null } });
    await call('PUT', `/api/nodes/${id}`, { properties: { deck: 3, berth: 'B' } });
    const page = await openHistory(id);
    const changes = page.getByRole('list', { name: 'Changes, newest first' });
    await changes.getByRole('listitem').nth(1).getByRole('button', { name: 'As of this change' }).click();
    await expect.poll(() => rowsOf(page)).toEqual(['PropertyThenNow', 'berthnot setB', 'deck23']);
    await panel(page).getByText('1 property is the same').click();
    await panel(page).getByRole('row', { name: 'name Ida Ida' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await onTablets(page, 'as of');

    await page.reload();
    await expect.poll(() => rowsOf(page)).toEqual(['PropertyThenNow', 'berthnot setB', 'deck23']);
    await panel(page).getByRole('button', { name: 'All changes' }).click();
    await changes.getByRole('listitem').nth(2).getByRole('button', { name: 'As of this change' }).click();
    await expect.poll(() => rowsOf(page)).toEqual(['PropertyThenNow', 'berthnot setB', 'deck13', 'portKielnot set']);
  });

  test('a time is chosen with the keyboard; two times are compared; before its creation it did not exist', async () => {
    const { id } = await newFerry({ name: 'Jan', deck: 1 });
    await call('PUT', `/api/nodes/${id}`, { properties: { deck: 2 } });
    const page = await openHistory(id);
    const asOf = panel(page).getByLabel('As of', { exact: true });
    await asOf.fill(field(new Date(Date.now() + 3_600_000)));
    await asOf.press('Enter');
    await panel(page).getByText('All values are as they were then.').waitFor();
    await panel(page)
      .getByText(/Left by the change of/)
      .waitFor();
    await panel(page)
      .getByLabel('Compared with')
      .fill(field(new Date(Date.now() - 3_600_000)));
    await page.keyboard.press('Enter');
    await panel(page).getByText('It did not exist.').waitFor();
    await expect.poll(async () => (await rowsOf(page)).slice(1)).toEqual(['nameJannot set', 'deck2not set']);
    expect(await findings(page)).toEqual([]);
  });

  test('says where a change in Cypher makes the state uncertain, and shows a deleted one', async () => {
    const { id } = await newFerry({ name: 'Kay', deck: 1 });
    await cypher('MATCH (f:Ferry {uuid: $id}) SET f.deck = 7', { id });
    await call('PUT', `/api/nodes/${id}`, { properties: { name: 'Kaya' } });
    await call('DELETE', `/api/nodes/${id}`);
    const page = await openHistory(id);
    await page.getByRole('heading', { name: 'Deleted or not found' }).waitFor();
    await page.getByRole('listitem').last().getByRole('button', { name: 'As of this change' }).click();
    await expect.poll(async () => (await rowsOf(page)).slice(1)).toEqual(['nameKaynot set', 'deck1not set']);
    await page.getByText('now It does not exist.').waitFor();
    const changes = await call<{ id: string; at: string }[]>('GET', `/api/nodes/${id}/history`);
    await page.goto(`${base}/explore?type=Ferry&open=node:${id}&tab=history:${changes[0]!.id}`);
    await page.getByText('then It did not exist.').waitFor();
    const created = changes.at(-1)!.at;
    await page.goto(`${base}/explore?type=Ferry&open=node:${id}&tab=history:${new Date(Date.parse(created) + 1).toISOString()}`);
    await page.getByText(/It was changed outside the gateway around/).waitFor();
  });
});
