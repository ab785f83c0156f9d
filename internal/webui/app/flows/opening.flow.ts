import { describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { base, openAs, requestsOf, sample } from './browser';

describe('opening from a list', () => {
  test('takes one request for a node, none for an edge, and reads before a change', async () => {
    const page = await openAs('keeper', '/explore?type=Film');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    const [, , , , film] = sample.films;
    const opening = await requestsOf(page, async () => {
      await page.getByRole('row', { name: /Glass Orchard/ }).click();
      await page.getByText('8 edges', { exact: true }).waitFor();
    });
    expect(opening).toEqual([`GET /api/nodes/${film}/edges`]);
    await expect.poll(() => page.getByRole('definition').filter({ hasText: /^8.4$/ }).count()).toBe(1);

    // Somebody changes the node meanwhile: an edit begins with its values, and its ETag.
    const call = await connect(base, 'keeper', userPassword);
    await call('PUT', `/api/nodes/${film}`, { properties: { minutes: 129 } });
    const editing = await requestsOf(page, async () => {
      await page.getByRole('button', { name: 'Edit properties' }).click();
      await page.getByLabel('Value of minutes').waitFor();
    });
    expect(editing).toEqual([`GET /api/nodes/${film}`]);
    await expect.poll(() => page.getByLabel('Value of minutes').inputValue()).toBe('129');
    await page.getByLabel('Value of minutes').fill('128');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByRole('definition').filter({ hasText: /^128$/ }).waitFor();

    await page.goto(`${base}/explore?kind=edge&type=PRODUCED_BY`);
    await page
      .getByRole('row', { name: /Meridian/ })
      .first()
      .waitFor();
    expect(
      await requestsOf(page, async () => {
        await page
          .getByRole('row', { name: /Meridian/ })
          .first()
          .getByRole('gridcell')
          .last()
          .click();
        await page.getByRole('complementary', { name: 'Edge' }).getByText('Meridian Films').waitFor();
      }),
    ).toEqual([]);
  });

  test('a node that is not there any more is shown as deleted, and hidden columns are read', async () => {
    const call = await connect(base, 'keeper', userPassword);
    const { id } = await call<{ id: string }>('POST', '/api/nodes', {
      type: 'Note',
      properties: { name: 'Short-lived', text: 'Only for a moment' },
    });
    const page = await openAs('keeper', '/explore?type=Note');
    await page.getByRole('row', { name: /Short-lived/ }).waitFor();
    await call('DELETE', `/api/nodes/${id}`);
    await page.getByRole('row', { name: /Short-lived/ }).click();
    await page.getByRole('heading', { name: 'Deleted or not found' }).waitFor();

    const film = sample.films[4]!;
    await page.goto(`${base}/explore?type=Film&columns=title`);
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    const opening = await requestsOf(page, async () => {
      await page.getByRole('row', { name: /Glass Orchard/ }).click();
      await page.getByText('8 edges', { exact: true }).waitFor();
    });
    expect(opening.sort()).toEqual([`GET /api/nodes/${film}`, `GET /api/nodes/${film}/edges`]);
    await expect.poll(() => page.getByRole('definition').filter({ hasText: /^8.4$/ }).count()).toBe(1);
  });
});
