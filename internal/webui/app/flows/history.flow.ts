// @long
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { connect, cypher, userPassword } from './api';
import { base, logIn, openAs, openContext, sample } from './browser';
import { startGateway } from './gateway';

interface Entity {
  id: string;
  properties: Record<string, unknown>;
}

const newFilm = async (title: string) => {
  const call = await connect(base, 'keeper', userPassword);
  const film = await call<Entity>('POST', '/api/nodes', { type: 'Film', properties: { title, released: 2020 } });
  return { call, film, path: `/explore?type=Film&open=node:${film.id}` };
};

// Other flows count the films of the sample.
const sampleTitles = await sampleFilmTitles();
afterAll(() => cypher('MATCH (f:Film) WHERE NOT f.title IN $titles DETACH DELETE f', { titles: sampleTitles }));

async function sampleFilmTitles() {
  const call = await connect(base);
  return (await call<Entity[]>('GET', '/api/nodes?type=Film&limit=100')).map((film) => film.properties['title']);
}

const shown = (page: Page, year: string | number) => page.getByRole('definition').filter({ hasText: new RegExp(`^${year}$`) });

async function editReleased(page: Page, year: string) {
  await page.getByRole('button', { name: 'Edit properties' }).click();
  await page.getByLabel('Value of released').fill(year);
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  await shown(page, year).waitFor();
}

describe('history', () => {
  test('an edit is shown with the values before and after, and is undone after a dry run', async () => {
    const { call, film, path } = await newFilm('The Ledger');
    const page = await openAs('keeper', path);
    await editReleased(page, '2021');
    await page.getByRole('tab', { name: 'History' }).click();
    const changes = page.getByRole('list', { name: 'Changes, newest first' });
    const edit = changes.getByRole('listitem').first();
    await edit.getByText('Changed', { exact: true }).waitFor();
    await edit.getByText('keeper').waitFor();
    await edit.getByRole('row', { name: 'released 2020 2021' }).waitFor();
    await expect.poll(() => edit.getByRole('row').count()).toBe(2);
    await changes.getByRole('listitem').nth(1).getByText('Created', { exact: true }).waitFor();

    const undoLast = page.getByRole('button', { name: 'Undo', exact: true });
    await undoLast.waitFor();
    await edit.getByRole('button', { name: 'Undo this change' }).click();
    const dialog = page.getByRole('dialog', { name: /^Undo: changed/ });
    await dialog.getByText('1 change will be reversed.').waitFor();
    expect((await call<Entity>('GET', `/api/nodes/${film.id}`)).properties['released']).toBe(2021);
    await dialog.getByRole('button', { name: 'Undo 1 change' }).click();
    await changes.getByText('By an undo').waitFor();
    await undoLast.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Properties' }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: /^2020$/ })
      .waitFor();
    expect((await call<Entity>('GET', `/api/nodes/${film.id}`)).properties['released']).toBe(2020);
  });

  test('a change in Cypher is shown as a gap, and stands in the way of an undo', async () => {
    const { film, path } = await newFilm('Outside');
    const page = await openAs('keeper', path);
    await editReleased(page, '2021');
    await cypher('MATCH (f:Film {uuid: $id}) SET f.released = 1900', { id: film.id });
    const call = await connect(base);
    await call('PUT', `/api/nodes/${film.id}`, { properties: { title: 'Inside' } });
    await page.getByRole('tab', { name: 'History' }).click();
    const entries = page.getByRole('list', { name: 'Changes, newest first' }).getByRole('listitem');
    await entries
      .nth(1)
      .getByText(/^It was changed outside the gateway between/)
      .waitFor();
    await entries.nth(2).getByRole('button', { name: 'Undo this change' }).click();
    const dialog = page.getByRole('dialog', { name: /^Undo: changed/ });
    await dialog.getByText('Nothing can be reversed.').waitFor();
    await dialog.getByRole('row', { name: 'Inside was changed since' }).waitFor();
    expect(await dialog.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  });

  test('a reader sees the history without the buttons to undo', async () => {
    const { path } = await newFilm('Read only');
    const page = await openAs('viewer', `${path}&tab=history`);
    await page.getByRole('listitem').getByText('Created', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo this change' }).count()).toBe(0);
  });
});

describe('trash', () => {
  test('a deleted node is restored with its edges, its labels and their ids', async () => {
    const { call, film } = await newFilm('The Lost Reel');
    const edge = await call<Entity>('POST', '/api/edges', {
      type: 'DIRECTED',
      source_id: sample.people[0],
      target_id: film.id,
      properties: { days: 12 },
    });
    await cypher('MATCH (f:Film {uuid: $id}) SET f:Restored', { id: film.id });
    const before = await call<Entity>('GET', `/api/nodes/${film.id}`);
    const page = await openAs('keeper', `/explore?type=Film&open=node:${film.id}`);
    await page.getByRole('button', { name: 'Delete the node' }).click();
    await page.getByRole('button', { name: 'Delete with 1 edge' }).click();
    await page.getByText('1 edge deleted with it.').waitFor();

    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByLabel('User').fill('keeper');
    await page.getByRole('button', { name: 'Apply' }).click();
    const row = page.getByRole('row', { name: new RegExp(`keeper node Film The Lost Reel …${film.id.slice(-8)} 1`) });
    await row.waitFor();
    await row.getByRole('link', { name: 'The Lost Reel' }).click();
    await page.getByRole('heading', { name: 'Deleted or not found' }).waitFor();
    await page.getByRole('listitem').first().getByRole('row', { name: 'title The Lost Reel' }).waitFor();
    await page.goBack();
    await row.getByRole('button', { name: 'Restore The Lost Reel' }).click();
    await page.getByText('1 edge restored with it.').waitFor();
    await row.waitFor({ state: 'detached' });
    expect(await call<Entity>('GET', `/api/nodes/${film.id}`)).toEqual(before);
    expect(await call<Entity>('GET', `/api/edges/${edge.id}`)).toEqual(edge);
  });
});

describe('changes', () => {
  test('are shown as they are made, one row for a request, which is undone as a whole', async () => {
    const { call, film } = await newFilm('Live');
    const edge = await call<Entity>('POST', '/api/edges', { type: 'DIRECTED', source_id: sample.people[1], target_id: film.id });
    const page = await openAs('keeper', '/changes');
    await page.getByText('New changes appear at the top').waitFor();
    await page.getByRole('row', { name: /Created node Live/ }).waitFor();
    // Other flows have deleted nodes with edges before.
    const deletions = page.getByRole('row', { name: /1 node deleted/ });
    const earlier = await deletions.count();
    await call('DELETE', `/api/nodes/${film.id}`);
    await expect.poll(() => deletions.count()).toBe(earlier + 1);
    const row = deletions.first();
    await row.getByText(/1 edge deleted/).waitFor();
    await row.getByRole('button', { name: /deleted/ }).click();
    await page.getByRole('row', { name: /Deleted node Live/ }).waitFor();
    await row.getByRole('button', { name: 'Undo the request' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the request' });
    await dialog.getByText('2 changes will be reversed.').waitFor();
    await dialog.getByRole('button', { name: 'Undo 2 changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByRole('row', { name: /1 node created, 1 edge created by an undo/ })
      .first()
      .waitFor();
    expect(await call<Entity>('GET', `/api/edges/${edge.id}`)).toEqual(edge);
    await page.getByLabel('Action').selectOption('delete');
    await expect.poll(() => page.getByRole('row', { name: /created/ }).count()).toBe(0);
    await page
      .getByRole('row', { name: /1 node deleted/ })
      .first()
      .waitFor();
  });
});

describe('the start of changes', () => {
  test('is before the last 500, however many are recorded', async () => {
    const call = await connect(base, 'keeper', userPassword);
    const operations = Array.from({ length: 600 }, (_, i) => ({
      op: 'create_node',
      type: 'Passage',
      properties: { name: `Passage ${i}` },
    }));
    for (let requests = 0; requests < 6; requests++) await call('POST', '/api/batch', { operations });
    const page = await openAs('keeper', '/changes');
    const batch = page.getByRole('row', { name: /500 nodes created/ });
    await batch.waitFor();
    await page.getByText('500 changes. At most 500 are shown here').waitFor();
    const film = await call<Entity>('POST', '/api/nodes', { type: 'Film', properties: { title: 'After Many' } });
    await page.getByRole('row', { name: /Created node After Many/ }).waitFor();
    await page.getByRole('row', { name: /499 nodes created/ }).waitFor();
    await call('DELETE', `/api/nodes/${film.id}`);
    await cypher('MATCH (p:Passage) DETACH DELETE p');
  });
});

describe('undo of the last change', () => {
  test('restores a deleted node under its own id', async () => {
    const { call, film, path } = await newFilm('Twice Born');
    const page = await openAs('keeper', path);
    await page.getByRole('button', { name: 'Delete the node' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await call<Entity>('GET', `/api/nodes/${film.id}`)).toEqual(film);
  });

  test('goes on with the change before; Ctrl Z goes there, and undoes when it is pressed again', async () => {
    const { call, film, path } = await newFilm('Two Steps');
    const page = await openAs('keeper', path);
    await editReleased(page, '2021');
    await editReleased(page, '2022');
    for (const year of [2021, 2020]) {
      await page.keyboard.press('Control+z');
      await page.getByRole('tooltip', { name: 'Undo: changed Two Steps' }).waitFor();
      await page.keyboard.press('Control+z');
      // Until the page shows it, the undo runs, and Ctrl Z does nothing.
      await shown(page, year).waitFor();
      expect((await call<Entity>('GET', `/api/nodes/${film.id}`)).properties['released']).toBe(year);
    }
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' });
  });

  test('does not offer what was undone among the changes', async () => {
    const { path } = await newFilm('Taken Back There');
    const page = await openAs('keeper', path);
    await editReleased(page, '2021');
    const button = page.getByRole('button', { name: 'Undo', exact: true });
    await button.waitFor();
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await page
      .getByRole('row', { name: /Changed node Taken Back There/ })
      .getByRole('button', { name: 'Undo' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Undo' });
    await dialog.getByRole('button', { name: 'Undo 1 change' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.goBack();
    await page
      .getByRole('definition')
      .filter({ hasText: /^2020$/ })
      .waitFor();
    expect(await button.count()).toBe(0);
  });

  test('works without history by ordinary requests', async () => {
    const gateway = await startGateway(3600, { GRAPHREST_HISTORY: 'off' });
    try {
      const call = await connect(gateway.base, 'keeper', userPassword);
      const film = await call<Entity>('POST', '/api/nodes', { type: 'Film', properties: { title: 'Unrecorded' } });
      const page = await (await openContext({ origins: [gateway.base] })).newPage();
      await page.goto(`${gateway.base}/explore?type=Film&open=node:${film.id}&tab=history`);
      await logIn(page, 'keeper');
      await page.getByRole('heading', { name: 'Changes are not recorded' }).waitFor();
      await page.getByRole('button', { name: 'Delete the node' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone', { exact: true }).waitFor();
      const found = await call<Entity[]>('GET', '/api/nodes?type=Film&filter[title]=Unrecorded');
      expect(found).toHaveLength(1);
    } finally {
      await gateway.stop();
    }
  });
});
