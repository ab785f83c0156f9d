// Questions over several hops, built by clicking.
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, describe, test } from 'vitest';
import { connect, cypher, userPassword } from './api';
import { findings } from './axe';
import { base, openAs, sample } from './browser';

const runner = 'runner-of-questions';

beforeAll(async () => {
  const admin = await connect(base);
  await admin('POST', '/api/admin/users', { username: runner, password: userPassword, permissions: ['read', 'query'] });
});

afterAll(async () => {
  const admin = await connect(base);
  await admin('DELETE', `/api/admin/users/${runner}`);
  await admin('DELETE', '/api/admin/queries/good_films').catch(() => undefined);
});

/** How many rows the endpoint that a test saves answers. */
async function runGoodFilms(parameters: Record<string, unknown>): Promise<number> {
  const run = await connect(base, runner, userPassword);
  const { rows } = await run<{ rows: unknown[] }>('POST', '/api/queries/good_films/run', { parameters });
  return rows.length;
}

const rows = (page: Page) => page.getByRole('grid', { name: 'Rows' });
const count = (page: Page, n: number) => expect.poll(() => rows(page).getAttribute('aria-rowcount')).toBe(String(n + 1));

/** Chooses an item of a menu with the keyboard alone. */
async function choose(page: Page, button: string, item: RegExp) {
  await page.getByRole('button', { name: button, exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

/** The films rated over 8 with who acted in them: of the sample two films with five people each. */
async function askForGoodFilms(page: Page) {
  await choose(page, 'Go on with this list', /Ask a question/);
  await count(page, 26);
  await choose(page, 'Go on from person', /ACTED_IN Film/);
  await count(page, 60);
  await page.getByRole('group', { name: 'film' }).getByRole('button', { name: 'Filter' }).press('Enter');
  await page.getByLabel('Property').selectOption('rating');
  await page.getByLabel('Condition').selectOption('gt');
  await page.getByRole('textbox', { name: 'Value' }).fill('8.0');
  await page.getByRole('button', { name: 'Apply' }).press('Enter');
  await count(page, 10);
}

/** Makes a page show the types of the sample and their edges alone, without those that other flows have left. */
async function showSampleTypes(page: Page) {
  const nodes = { Person: 26, Film: 12, Studio: 3, City: 4 };
  const edges: [type: string, source: string, target: string, count: number][] = [
    ['ACTED_IN', 'Person', 'Film', 60],
    ['DIRECTED', 'Person', 'Film', 12],
    ['PRODUCED_BY', 'Film', 'Studio', 12],
    ['FILMED_IN', 'Film', 'City', 12],
    ['KNOWS', 'Person', 'Person', 14],
  ];
  const node_types = Object.entries(nodes).map(([type, count]) => ({ type, count, properties: [] }));
  const edge_types = edges.map(([type, source_type, target_type, count]) => ({
    type,
    count,
    properties: [],
    connections: [{ source_type, target_type, count }],
  }));
  await page.route('**/api/schema', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, node_types, edge_types } } });
  });
}

describe('a question', () => {
  test('is built from a list with the keyboard, and its link asks it again', async () => {
    const page = await openAs('viewer', '/explore?type=Person');
    await askForGoodFilms(page);
    await choose(page, 'Without, from person', /DIRECTED Film/);
    await expect.poll(() => rows(page).getAttribute('aria-rowcount')).not.toBe('11');
    const left = await rows(page).getAttribute('aria-rowcount');
    await choose(page, 'Branch from film', /PRODUCED_BY Studio/);
    await rows(page).getByRole('columnheader', { name: 'studio' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    await page.getByRole('checkbox', { name: 'film.title' }).check();
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await rows(page).getByRole('button', { name: 'film.title' }).press('Enter');
    await rows(page).getByRole('columnheader', { name: 'film.title' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await rows(page).getByRole('columnheader', { name: 'film.title' }).waitFor();
    expect(await rows(page).getAttribute('aria-rowcount')).toBe(left);
    await page.getByRole('button', { name: 'Remove film and what is behind it', exact: true }).press('Enter');
    await expect.poll(() => page.getByRole('group', { name: 'And 2' }).count()).toBe(0);
  });

  test('is a graph, a chart, Cypher, a saved view and an endpoint', async () => {
    const page = await openAs('admin', '/explore?type=Person');
    await askForGoodFilms(page);
    await page.getByText('Graph', { exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ nodes, 10 edges$/ })
      .waitFor();
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await page.getByRole('button', { name: 'Add a measure' }).click();
    await page.getByLabel('Group by').first().fill('film.ti');
    await page.getByRole('listbox', { name: 'Group by' }).getByRole('option', { name: 'film.title' }).click();
    await count(page, 2);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('Chart', { exact: true }).click();
    await page.getByRole('img', { name: 'count by film.title' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy this question as…' }).click();
    await page.getByRole('menuitem', { name: 'Cypher' }).click();
    await page.getByText('Cypher copied').waitFor();
    // It is a statement with its values, and answers as the question.
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^MATCH .*-\[:ACTED_IN\]->\(film:Film\)[^]*film\.rating > 8\.0[^]*count\(\*\) AS `count`/);
    expect(((await cypher(copied)) as { values: unknown[][] }).values).toHaveLength(2);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as new…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Good films');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Saved view Good films' }).waitFor();
    await page.getByRole('button', { name: 'Save as endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as endpoint' });
    await dialog.getByLabel('Name', { exact: true }).fill('good_films');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const admin = await connect(base);
    const saved = await admin<{ pattern: { match: unknown[][] }; parameters: unknown }>('GET', '/api/admin/queries/good_films');
    expect(saved.pattern.match[0]![2]).toMatchObject({ filter: { rating: { gt: { $param: 'film_rating' } } } });
    expect(saved.parameters).toMatchObject({ film_rating: { type: 'number', default: 8 } });
    expect(await runGoodFilms({ film_rating: 1.5 })).toBeGreaterThan(2); // the caller may change it
    // Fixed, the condition holds for every caller, also in a later version.
    await page.getByRole('button', { name: 'Save as endpoint' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('good_films');
    await dialog.getByLabel('Value of film_rating', { exact: true }).selectOption('fixed: 8.0');
    for (const button of ['Save', 'Save a new version']) await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await runGoodFilms({})).toBe(2);
    await expect(runGoodFilms({ film_rating: 1.5 })).rejects.toThrow('film_rating');
    await page.getByRole('button', { name: 'Save as endpoint' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('good_films');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => dialog.getByLabel('Value of film_rating', { exact: true }).inputValue()).toBe('fixed');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const view = (await admin<{ id: string; name: string }[]>('GET', '/api/views')).find(({ name }) => name === 'Good films');
    await page.goto(`${base}/views/${view!.id}`);
    await page.getByRole('img', { name: 'count by film.title' }).waitFor();
    await admin('DELETE', `/api/views/${view!.id}`);
  });

  test('of a link says which parts are left out, stands below its headings, and is seen as a graph on a low screen', async () => {
    const chain = [
      { as: 'person', type: 'Person' },
      { edge: 'ACTED_IN', hops: [2, 9] },
      { as: 'film', type: 'Film' },
    ];
    const ask = { match: [chain], limit: 5 };
    const page = await openAs('viewer', `/ask?${new URLSearchParams({ ask: JSON.stringify(ask), view: 'foo' })}`);
    await page.getByRole('alert').getByText('view=foo').waitFor();
    await page.getByRole('alert').getByText('match[0][1].hops, limit').waitFor();
    const heading = await rows(page).getByRole('button', { name: 'person' }).boundingBox();
    const text = await rows(page)
      .getByRole('gridcell')
      .first()
      .evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().left;
      });
    expect(Math.abs(heading!.x - text)).toBeLessThan(1);
    await page.getByText('Chart', { exact: true }).click();
    await page.getByText('Choose Group above, and add a measure').waitFor();
    await page.setViewportSize({ width: 683, height: 384 });
    await page.getByText('Graph', { exact: true }).click();
    await page.getByRole('heading', { name: 'The graph is not drawn' }).waitFor();
    expect(await page.getByTestId('canvas').count()).toBe(0);
    await page.getByRole('button', { name: 'Ask without these parts' }).click();
    await page.getByTestId('canvas').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect.poll(async () => (await page.getByTestId('canvas').boundingBox())!.y).toBeLessThan(220);
  });

  test('of a link is no graph of more than the link asks for, and no map', async () => {
    const ask = { match: [[{ as: 'film', type: 'Film', id: [sample.films[0], sample.films[1]] }]] };
    const page = await openAs('viewer', `/ask?${new URLSearchParams({ ask: JSON.stringify(ask), view: 'graph' })}`);
    await page.getByRole('alert').getByText('match[0][0].id').waitFor();
    await page.getByRole('heading', { name: 'The graph is not drawn' }).waitFor();
    expect(await page.getByTestId('canvas').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    const film = { match: [[{ as: 'film', type: 'Film', id: sample.films[0] }]] };
    await page.goto(`${base}/ask?${new URLSearchParams({ ask: JSON.stringify(film), view: 'map' })}`);
    await page.getByRole('alert').getByText('view=map').waitFor();
  });

  test('begins with a graph of the types whose captions can be read', async () => {
    const page = await openAs('viewer', '/schema');
    await showSampleTypes(page);
    await page.goto(`${base}/ask`);
    const captions = () =>
      page.getByRole('img', { name: /^The types as a graph/ }).evaluate((container) => {
        const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
        return [cy.elements('.captioned').length, cy.elements().length];
      });
    await expect.poll(async () => (await captions())[1]).toBeGreaterThan(4);
    const withoutCaption = async () => {
      const [shown, all] = await captions();
      return all! - shown!;
    };
    await expect.poll(withoutCaption).toBe(0);
  });
});
