// @long
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cypher, waitForCount } from './api';
import { base, openAs, sample } from './browser';

/** Holds requests whose URL has the text until the page cancels them; returns how many it has cancelled. */
async function holdRequests(page: Page, text: string): Promise<() => number> {
  let cancelled = 0;
  await page.route(
    (url) => url.href.includes(text),
    () => undefined,
  );
  page.on('requestfailed', (request) => {
    if (request.url().includes(text)) cancelled++;
  });
  return () => cancelled;
}

describe('slow requests', () => {
  test('a list is cancelled with the keyboard, and the previous rows and order return', async () => {
    const page = await openAs('viewer', '/explore?type=Film');
    const row = page.getByRole('row', { name: /Glass Orchard/ });
    await row.waitFor();
    const cancelled = await holdRequests(page, 'sort=rating');
    await page.getByRole('button', { name: 'rating', exact: true }).click();
    await page.getByText(/^[2-9] s$/).waitFor();
    expect(await row.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Cancel loading Film nodes' }).press('Enter');
    await page.getByText('Canceled', { exact: true }).waitFor();
    await expect.poll(cancelled).toBe(1);
    await expect.poll(() => page.url()).not.toContain('sort=');
    expect(await row.isVisible()).toBe(true);
  });

  test('a cancelled expansion is not a step', async () => {
    const page = await openAs('viewer', '/explore?type=Studio&view=graph');
    await page.getByText(/^\d+ nodes?, \d+ edges?$/).waitFor();
    const cancelled = await holdRequests(page, '/neighbors?direction=in');
    await page.getByRole('option', { name: /Blue Door/ }).click();
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByRole('menuitem', { name: /PRODUCED_BY.*4/ }).click();
    await page.getByRole('button', { name: 'Cancel loading the graph' }).click();
    await expect.poll(cancelled).toBe(1);
    await page.getByRole('button', { name: 'Undo step' }).waitFor({ state: 'hidden' });
    expect(page.url()).not.toContain('steps=');
  });

  test('a cancelled page of a table is loaded only on request', async () => {
    await cypher('UNWIND range(1, 300) AS i CREATE (:Gauge {n: i})');
    await waitForCount(base, 'nodes', 'Gauge', 300);
    const page = await openAs('viewer', '/explore?type=Film');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    const cancelled = await holdRequests(page, 'cursor=');
    await page.getByRole('link', { name: /^Gauge/ }).click();
    await page.getByRole('grid', { name: 'Gauge nodes' }).getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Cancel loading Gauge nodes' }).click();
    await expect.poll(cancelled).toBe(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByText(/^100 of 300 loaded$/).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText(/^300 total$/).waitFor();
    await cypher('MATCH (n:Gauge) DELETE n');
  });

  test('a cancelled path and a cancelled search return to what was shown', async () => {
    const page = await openAs('viewer', '/explore?type=Studio&view=graph');
    await page.getByText(/^\d+ nodes?, \d+ edges?$/).waitFor();
    const cancelled = await holdRequests(page, '/api/paths');
    await page.getByRole('option', { name: /Blue Door/ }).click();
    await page.getByRole('option', { name: /Meridian/ }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Shortest path' }).click();
    await page.getByRole('button', { name: 'Cancel loading the graph' }).click();
    await expect.poll(cancelled).toBe(1);
    await page.getByRole('button', { name: 'Show the types' }).click(); // the open panel has folded them
    const searches = await holdRequests(page, '/api/search');
    await page.getByRole('textbox', { name: 'Search the graph' }).fill('orchard');
    await page.getByRole('textbox', { name: 'Search the graph' }).press('Enter');
    await page.getByRole('button', { name: 'Cancel loading the results' }).click();
    await expect.poll(searches).toBe(1);
    await page.getByRole('option', { name: /Blue Door/ }).waitFor();
    expect(page.url()).not.toContain('q=');
  });

  test('a cancelled first list can be loaded again', async () => {
    const page = await openAs('viewer', '/schema');
    await page.getByRole('link', { name: 'Explore' }).first().waitFor();
    await holdRequests(page, 'type=Film');
    await page.getByRole('region', { name: 'Film', exact: true }).getByRole('link', { name: 'Explore' }).click();
    await page.getByRole('button', { name: 'Cancel loading Film nodes' }).click();
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
  });

  test('a timeout names its cause; an administrator can create the index, others are referred to one', async () => {
    const message =
      'Film.minutes has no index, so about 500000 nodes are read to be sorted; a range index on it would help (POST /api/admin/indexes)';
    const error = { code: 'DATABASE_TIMEOUT', message: 'The database took too long', details: [{ field: 'sort', message }] };
    const openSorted = async (user: string) => {
      const page = await openAs(user, `/explore?type=Film&open=node:${sample.films[0]}`);
      await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
      await page.route(
        (url) => url.href.includes('sort=minutes'),
        (route) => route.fulfill({ status: 504, json: { error } }),
      );
      await page.getByRole('button', { name: 'minutes', exact: true }).click();
      await page.getByText('about 500000 nodes are read').waitFor();
      expect(await page.getByText('/api/admin/indexes').count()).toBe(0);
      return page;
    };
    const reader = await openSorted('viewer');
    await reader.getByText('Ask an administrator for an index on Film.minutes').waitFor();
    const page = await openSorted('admin');
    await page.getByRole('link', { name: 'Create index on Film.minutes' }).click();
    const dialog = page.getByRole('dialog', { name: 'New index' });
    await expect.poll(() => dialog.getByLabel('Type').inputValue()).toBe('Film');
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('film_minutes');
    await dialog.getByRole('button', { name: 'Create index' }).click();
    await page.getByRole('region', { name: 'Indexes and constraints' }).getByText('film_minutes').waitFor();
    await cypher('DROP INDEX film_minutes IF EXISTS');
  });
});
