// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cypher, waitForCount } from './api';
import { findings, onTablets } from './axe';
import { base, openAs } from './browser';

const clear = () => cypher('MATCH (n:Lighthouse) DETACH DELETE n');
beforeAll(async () => {
  await clear();
  await cypher(`UNWIND [['Roter Sand', 8.08, 53.85], ['Skagen', 10.63, 57.74], ['Cape Point', 18.49, -34.35], ['Lost', null, null]] AS l
    CREATE (n:Lighthouse {name: l[0]}) SET n.place = CASE WHEN l[1] IS NULL THEN null ELSE point({longitude: l[1], latitude: l[2]}) END`);
  await waitForCount(base, 'nodes', 'Lighthouse', 4);
});
afterAll(clear);

const map = (page: Page) => page.getByRole('listbox', { name: 'Map of place' });
const light = (page: Page, name: string) => map(page).getByRole('option', { name });

describe('a map', () => {
  test('shows the points of the loaded rows; a click and the keyboard open them; other types do not offer it', async () => {
    const page = await openAs('viewer', '/explore?type=Lighthouse&sort=name');
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Map').click();
    await page.getByText('3 of 4 loaded rows on the map').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe('map');
    await page.locator('.earth-map path.land').waitFor({ state: 'attached' });
    expect(await findings(page)).toEqual([]);
    await onTablets(page, 'map');

    await light(page, 'Skagen').click();
    await page.getByRole('complementary', { name: 'Node' }).getByRole('heading', { name: 'Skagen' }).waitFor();
    await light(page, 'Skagen').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Node' }).getByRole('heading', { name: 'Cape Point' }).waitFor();

    const films = await openAs('viewer', '/explore?type=Film');
    await films.getByRole('row', { name: /Glass/ }).waitFor();
    expect(await films.getByRole('radiogroup', { name: 'Show as' }).getByText('Map').count()).toBe(0);
    await films.goto(`${base}/explore?type=Film&view=map`);
    await films.getByText('No points').waitFor();
  });

  test('selects the points of a rectangle, which the table then has selected, and is zoomed', async () => {
    const page = await openAs('viewer', '/explore?type=Lighthouse&view=map');
    await light(page, 'Skagen').waitFor();
    await page.getByRole('switch', { name: 'Select by dragging' }).click();
    const boxes = await Promise.all(['Roter Sand', 'Skagen'].map((name) => light(page, name).boundingBox()));
    const [left, top] = [Math.min(...boxes.map((b) => b!.x)), Math.min(...boxes.map((b) => b!.y))];
    const [right, bottom] = [Math.max(...boxes.map((b) => b!.x + b!.width)), Math.max(...boxes.map((b) => b!.y + b!.height))];
    await page.mouse.move(left - 6, top - 6);
    await page.mouse.down();
    await page.mouse.move(right + 6, bottom + 6, { steps: 4 });
    await page.mouse.up();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('2 selected').waitFor();
    await light(page, 'Cape Point').focus();
    await page.keyboard.press('Space');
    await bar.getByText('3 selected').waitFor();

    const height = async () => Number((await page.locator('.earth-map').getAttribute('viewBox'))!.split(' ')[3]);
    const before = await height();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(height).toBeCloseTo(before / 2);
    await page.getByRole('button', { name: 'The earth' }).click();
    await expect.poll(height).toBe(180);
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Table').click();
    await expect.poll(() => page.locator('.grid-row[aria-selected="true"]').count()).toBe(3);
  });
});
