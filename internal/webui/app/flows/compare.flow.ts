// @long
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { connect, cypher, waitForCount } from './api';
import { findings, onTablets } from './axe';
import { base, openAs } from './browser';

interface Entity {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  properties: Record<string, unknown>;
}

afterEach(() => cypher('MATCH (n) WHERE n:Trawler OR n:Harbor DETACH DELETE n'));

const call = await connect(base, 'keeper');
const create = async (type: string, properties: Record<string, unknown>) =>
  (await call<Entity>('POST', '/api/nodes', { type, properties })).id;
const connectNodes = (type: string, source_id: string, target_id: string, properties = {}) =>
  call<Entity>('POST', '/api/edges', { type, source_id, target_id, properties });
const edgesOf = async (id: string) =>
  (await call<Entity[]>('GET', `/api/nodes/${id}/edges`))
    .map(({ type, source_id, target_id, properties }) => ({ type, source_id, target_id, properties }))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

/** Two trawlers that are the same: the second has an edge in each direction, a loop, and one to the first. */
async function createDuplicates() {
  const first = await create('Trawler', { name: 'Anna', crew: 7, port: 'Husum' });
  const second = await create('Trawler', { name: 'Anna K.', crew: 7, built: 1998 });
  const harbor = await create('Harbor', { name: 'Husum' });
  await connectNodes('MOORED_AT', first, harbor, { since: 1 });
  await connectNodes('MOORED_AT', second, harbor, { since: 2 });
  await connectNodes('OWNS', harbor, second, { share: 0.5 });
  await connectNodes('TOWS', second, second);
  await connectNodes('SAME_AS', second, first);
  await waitForCount(base, 'nodes', 'Trawler', 2);
  return { first, second, harbor };
}

const row = (page: Page, name: string) => page.locator('.grid-row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });

/** Selects both trawlers in the table, and opens their comparison with the keyboard. */
async function openComparison(user: string) {
  const page = await openAs(user, '/explore?type=Trawler&sort=name');
  await row(page, 'Anna').focus();
  await page.keyboard.press('Space');
  await row(page, 'Anna K.').focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Compare' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('table').first().waitFor();
  return { page, dialog };
}

describe('two nodes', () => {
  test('are compared side by side, from the table and from the canvas; who may not merge them sees why', async () => {
    await createDuplicates();
    const { page, dialog } = await openComparison('viewer');
    expect(await dialog.getByRole('row').allTextContents()).toEqual([
      'PropertyAnnaAnna K.',
      'nameAnnaAnna K.',
      'builtnot set1998',
      'portHusumnot set',
    ]);
    await dialog.getByText('1 property is the same').click();
    await dialog.getByRole('row', { name: 'crew 7 7' }).waitFor();
    await dialog.getByText(/you need the rights to edit nodes, delete nodes, create edges, delete edges/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Merge…' }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    const canvas = await openAs('viewer', '/explore?type=Trawler&view=graph');
    await canvas.getByRole('option', { name: /^Anna(?! K)/ }).click();
    await canvas.getByRole('option', { name: /^Anna K/ }).click({ modifiers: ['Shift'] });
    await canvas.getByRole('button', { name: 'Compare' }).click();
    await canvas.getByRole('dialog', { name: 'Compare two nodes' }).getByRole('row', { name: 'port' }).waitFor();
  });

  test('are merged: values are chosen, edges move, a dry run changes nothing, and one undo restores both', async () => {
    const { first, second, harbor } = await createDuplicates();
    const before = [await edgesOf(first), await edgesOf(second)];
    const { page, dialog } = await openComparison('keeper');
    await dialog.getByRole('button', { name: 'Merge…' }).press('Enter');
    await dialog.getByText('3 edges of Anna K. move to Anna, with new IDs. 1 edge between the two is deleted.').waitFor();
    await dialog.getByText('1 property of Anna will change. Anna K. is deleted.').waitFor();
    await dialog.getByRole('radio', { name: 'name of Anna', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    await dialog.getByText('2 properties of Anna will change.').waitFor();
    expect(await findings(page)).toEqual([]);
    await onTablets(page, 'merge');
    await dialog.getByRole('button', { name: 'Check' }).press('Enter');
    await dialog.getByText('The check found no errors.').waitFor();
    expect([await edgesOf(first), await edgesOf(second)]).toEqual(before);

    await dialog.getByRole('button', { name: 'Merge', exact: true }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await row(page, 'Anna').waitFor({ state: 'detached' });
    await row(page, 'Anna K.').waitFor();
    expect((await call<Entity>('GET', `/api/nodes/${first}`)).properties).toEqual({ name: 'Anna K.', crew: 7, port: 'Husum', built: 1998 });
    await expect(call('GET', `/api/nodes/${second}`)).rejects.toThrow('NOT_FOUND');
    const merged = await edgesOf(first);
    expect(merged).toHaveLength(4);
    expect(merged).toContainEqual({ type: 'MOORED_AT', source_id: first, target_id: harbor, properties: { since: 2 } });
    expect(merged).toContainEqual({ type: 'OWNS', source_id: harbor, target_id: first, properties: { share: 0.5 } });
    expect(merged).toContainEqual({ type: 'TOWS', source_id: first, target_id: first, properties: {} });

    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await row(page, 'Anna').waitFor();
    expect([await edgesOf(first), await edgesOf(second)]).toEqual(before);
    expect((await call<Entity>('GET', `/api/nodes/${second}`)).properties).toEqual({ name: 'Anna K.', crew: 7, built: 1998 });
  });

  test('are not merged if the node that stays with its values, or an edge, was changed meanwhile', async () => {
    const { first, second } = await createDuplicates();
    const { page, dialog } = await openComparison('keeper');
    await dialog.getByRole('button', { name: 'Merge…' }).click();
    await dialog.getByRole('radio', { name: 'built of Anna', exact: true }).check();
    await dialog.getByText('The values of Anna stay.').waitFor();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('The check found no errors.').waitFor();
    const [moored] = (await call<Entity[]>('GET', `/api/nodes/${second}/edges`)).filter(({ type }) => type === 'MOORED_AT');
    await call('PUT', `/api/edges/${moored!.id}`, { properties: { since: 9 } });
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    const refused = dialog.getByText('Nothing was changed: one of the nodes or edges was changed meanwhile.');
    await refused.waitFor();
    await call('PUT', `/api/edges/${moored!.id}`, { properties: { since: 2 } });
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('The check found no errors.').waitFor();
    await call('PUT', `/api/nodes/${first}`, { properties: { port: 'Tönning' } });
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await refused.waitFor();
    expect((await call<Entity>('GET', `/api/nodes/${second}`)).properties).toEqual({ name: 'Anna K.', crew: 7, built: 1998 });
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
  });

  test('are not merged if one was changed or got an edge meanwhile, or if it has too many edges', async () => {
    const { first, second, harbor } = await createDuplicates();
    const { page, dialog } = await openComparison('keeper');
    await dialog.getByRole('button', { name: 'Merge…' }).click();
    await dialog.getByText(/^3 edges/).waitFor();
    const late = await connectNodes('MOORED_AT', second, harbor, { since: 3 });
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText(/^Nothing was changed/).waitFor();
    await call('DELETE', `/api/edges/${late.id}`);
    await call('PUT', `/api/nodes/${second}`, { properties: { built: 1999 } });
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('one of the nodes or edges was changed meanwhile').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await cypher('MATCH (t:Trawler {uuid: $second}), (h:Harbor) UNWIND range(1, 500) AS i CREATE (t)-[:CALLED_AT {n: i}]->(h)', { second });
    await page.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByRole('button', { name: 'Merge…' }).click();
    await dialog.getByText('Anna K. has more than 499 edges').waitFor();
    expect(await dialog.getByRole('button', { name: 'Check' }).count()).toBe(0);
    await dialog.getByRole('radio', { name: 'Anna K.', exact: true }).check();
    await dialog.getByText('1 edge of Anna moves to Anna K., with new IDs.').waitFor();
    expect((await call<Entity>('GET', `/api/nodes/${first}`)).properties['name']).toBe('Anna');
  });

  test('are proposed to be merged with the edges that they have then; what comes later is a conflict, and nothing is lost', async () => {
    const { first, second, harbor } = await createDuplicates();
    const { page, dialog } = await openComparison('keeper');
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'Propose' }).click();
    const open = async () => {
      await page.getByRole('button', { name: 'Compare' }).click();
      await dialog.getByRole('button', { name: 'Merge…' }).click();
      await dialog.getByText(/^\d edges? of Anna K/).waitFor();
    };
    await open();
    const late = await connectNodes('MOORED_AT', second, harbor, { since: 3 });
    await dialog.getByRole('button', { name: 'Propose to merge' }).click();
    await dialog.getByText('one of the nodes or edges was changed meanwhile').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await open();
    await dialog.getByRole('button', { name: 'Propose to merge' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await call('PUT', `/api/edges/${late.id}`, { properties: { since: 4 } });
    await page.getByRole('button', { name: 'Review and submit' }).click();
    const review = page.getByRole('dialog', { name: 'Propose a change set' });
    await review.getByLabel('Title').fill('One Anna');
    await review.getByRole('button', { name: 'Submit' }).click();
    await review.getByRole('alert').waitFor();
    expect((await edgesOf(second)).length).toBe(5);
    expect(await edgesOf(first)).toHaveLength(2);
  });
});
