// @long
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { base, logIn, openAs, openContext, reportBodies, requestsOf, sample } from './browser';
import { connect } from './api';

describe('the ends of edges', () => {
  test('are named in the table, on the canvas and in the panel, and open', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=PRODUCED_BY');
    const row = page.getByRole('row', { name: /The Glass Orchard/ });
    await row
      .getByRole('button', { name: /^Node (Blue Door|Meridian|Low Tide|Quiet Harbour|\w+)/ })
      .first()
      .waitFor();
    await row.getByRole('button', { name: 'Node The Glass Orchard' }).click();
    await page.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
    const cost = await requestsOf(page, async () => {
      await row.click();
      const ends = page.getByRole('complementary', { name: 'Edge' }).getByRole('region', { name: 'Ends' });
      await ends.getByRole('button', { name: 'Node The Glass Orchard' }).waitFor();
    });
    expect(cost).toEqual([]); // the row has everything
    const opened = await requestsOf(page, async () => {
      await page.getByRole('complementary', { name: 'Edge' }).getByRole('button', { name: 'Node The Glass Orchard' }).click();
      await page
        .getByRole('complementary', { name: 'Node' })
        .getByRole('button', { name: 'Node Lisbon' })
        .or(page.getByRole('button', { name: /^Node / }))
        .first()
        .waitFor();
    });
    expect(opened.length).toBeLessThanOrEqual(2);
    await page.getByText('Graph', { exact: true }).click();
    await page.getByRole('option', { name: /The Glass Orchard/ }).waitFor();
    await page.getByRole('option', { name: /Blue Door/ }).waitFor();
  });

  test('sort and filter the table, and the address keeps both', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=PRODUCED_BY');
    const grid = page.getByRole('grid', { name: 'PRODUCED_BY edges' });
    const head = grid.getByRole('columnheader', { name: /^Source/ });
    const sources = () =>
      grid
        .getByRole('row')
        .evaluateAll((rows) => rows.slice(1).map((row) => row.querySelector('[role=gridcell] button')?.textContent ?? ''));
    const sortedBy = async (sort: string, order: string, reordered: (texts: string[]) => string[]) => {
      await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe(sort);
      await expect.poll(() => head.getAttribute('aria-sort')).toBe(order);
      await expect
        .poll(async () => {
          const shown = await sources();
          return (
            shown.length > 5 && grid.getAttribute('aria-busy').then((busy) => busy === 'false' && shown.join() === reordered(shown).join())
          );
        })
        .toBe(true);
    };
    await head.getByRole('button').click();
    await sortedBy('source:title', 'ascending', (texts) => texts.toSorted());
    await head.getByRole('button').click();
    await sortedBy('-source:title', 'descending', (texts) => texts.toSorted().reverse());

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const property = page.getByRole('combobox', { name: 'Property' });
    // The schema, which the ends' properties come from, may arrive after the rows.
    await expect
      .poll(() => property.locator('optgroup').evaluateAll((groups) => groups.map((group) => group.getAttribute('label'))))
      .toContain('Target');
    await property.selectOption('source:title');
    await page.getByRole('textbox', { name: 'Value' }).fill('Orchard');
    await page.getByRole('button', { name: 'Apply' }).click();
    const onlyOrchards = () =>
      expect
        .poll(async () => {
          const shown = await sources();
          return shown.length > 0 && shown.every((title) => title.includes('Orchard'));
        })
        .toBe(true);
    await onlyOrchards();
    await page.reload();
    await page.getByRole('button', { name: 'Edit filter source:title contains "Orchard"' }).waitFor();
    await onlyOrchards();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
  });

  test('are exported with all properties', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=PRODUCED_BY&view=graph');
    await page.getByText(/^\d+ nodes?, \d+ edges?$/).waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Nodes (CSV)' }).click()]);
    const text = (await readFile(await file.path())).toString();
    expect(text.split('\r\n')[0]).toContain('employees');
    expect(text).toMatch(/The Glass Orchard, a story of/);
  });
});

describe('forms', () => {
  test('a Boolean that nobody touched is not stored, and another type has its own fields', async () => {
    const page = await openAs('keeper', '/explore?type=Person');
    const counted = page.getByRole('link', { name: /^Person/ });
    const before = await counted.textContent();
    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New node' });
    await dialog.getByRole('radiogroup', { name: 'Value of active' }).waitFor();
    await dialog.getByLabel('Value of name').fill('Nobody Touched');
    await reportBodies(page);
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.method() === 'POST'),
      dialog.getByRole('button', { name: 'Create node' }).click(),
    ]);
    expect(request.postData()).toBe('{"type":"Person","properties":{"name":"Nobody Touched"}}');
    await page.getByRole('heading', { name: 'Nobody Touched' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await expect.poll(() => counted.textContent()).toBe(before);
    // Toasts cover no button.
    expect(
      await page.evaluate(() => {
        const boxes = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
        const buttons = boxes('button:not(.mantine-Notification-closeButton)');
        return boxes('.mantine-Notification-root').filter((toast) =>
          buttons.some((b) => b.left < toast.right && b.right > toast.left && b.top < toast.bottom && b.bottom > toast.top),
        ).length;
      }),
    ).toBe(0);

    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Type', exact: true }).fill('Studio');
    await dialog.getByLabel('Value of employees').waitFor();
    expect(await dialog.getByLabel('Value of born').count()).toBe(0);
  });

  test('follow declared types: fields, choices, errors before a request, and the types of ends', async () => {
    const admin = await connect(base);
    const properties = {
      name: { type: 'string', minLength: 3 },
      employees: { type: 'integer', minimum: 1 },
      size: { enum: ['small', 'large'] },
    };
    await admin('PUT', '/api/admin/types/nodes/Studio', {
      level: 'strict',
      schema: { properties, required: ['name', 'size'] },
      unique: [['name']],
    });
    await admin('PUT', '/api/admin/types/edges/PRODUCED_BY', {
      level: 'strict',
      schema: {},
      source_types: ['Film'],
      target_types: ['Studio'],
    });
    try {
      const page = await openAs('keeper', '/explore?type=Studio');
      await page.getByRole('button', { name: 'Create a node', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'New node' });
      await dialog.getByText('1 or more', { exact: true }).waitFor();
      await dialog.getByLabel('Value of name').fill('Ox');
      await dialog.getByLabel('Value of employees').fill('0');
      const early = await requestsOf(page, async () => {
        await dialog.getByRole('button', { name: 'Create node' }).click();
        await dialog.getByText('must have 3 characters or more').waitFor();
      });
      expect(early).toEqual([]);
      await dialog.getByText('must be 1 or more').waitFor();
      await dialog.getByText('is required', { exact: true }).waitFor();
      expect(await findings(page)).toEqual([]);
      await dialog.getByLabel('Value of name').fill('Blue Door Pictures');
      await dialog.getByLabel('Value of employees').fill('7');
      await dialog.getByLabel('Value of size').selectOption('small');
      await dialog.getByRole('button', { name: 'Create node' }).click();
      await expect.poll(() => dialog.getByLabel('Value of name').getAttribute('aria-invalid')).toBe('true'); // the name is taken
      await dialog.getByLabel('Value of name').fill('Ox Pictures');
      await dialog.getByRole('button', { name: 'Create node' }).click();
      await page.getByRole('heading', { name: 'Ox Pictures' }).waitFor();
      await page.getByRole('button', { name: 'Edit properties' }).click();
      await page.getByRole('button', { name: 'Remove size' }).click();
      await page.getByText('is required', { exact: true }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Save 1 change' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('button', { name: 'Create an edge from this node' }).click();
      const edge = page.getByRole('dialog', { name: 'New edge' });
      await expect.poll(() => edge.getByLabel('Source: type').inputValue()).toBe('Studio');
      await edge.getByRole('combobox', { name: 'Type', exact: true }).fill('PRODUCED_BY');
      await edge.getByText('must be a node of type Film').waitFor();
      await edge.getByRole('button', { name: 'Swap source and target' }).click();
      await expect.poll(() => edge.getByLabel('Target: type').inputValue()).toBe('Studio');
      await expect.poll(() => edge.getByLabel('Source: type').inputValue()).toBe('Film');
      await edge.getByRole('combobox', { name: 'Type', exact: true }).fill('ACTED_IN');
      await edge.getByText(/edges of type ACTED_IN end at nodes of type Film only/).waitFor();
      await edge.getByRole('combobox', { name: 'Type', exact: true }).fill('PRODUCED_BY');
      await page.keyboard.press('Tab'); // closes the list of types, which lies over the fields below
      await edge.getByLabel('Source: node').click();
      await page.getByRole('option', { name: /Low Tide/ }).click();
      expect(await findings(page)).toEqual([]);
      await edge.getByRole('button', { name: 'Create edge' }).click();
      await page.getByRole('heading', { name: 'PRODUCED_BY' }).waitFor();
    } finally {
      await admin('DELETE', '/api/admin/types/edges/PRODUCED_BY');
      await admin('DELETE', '/api/admin/types/nodes/Studio');
      const [created] = await admin<{ id: string }[]>('GET', '/api/nodes?type=Studio&filter[name]=Ox Pictures');
      if (created) await admin('DELETE', `/api/nodes/${created.id}?detach=true`);
    }
  });

  test('the edges of a node are listed, filtered and counted, and the address keeps it', async () => {
    const page = await openAs('viewer', `/explore?type=Film&open=node:${sample.films[4]}`);
    await page.getByRole('link', { name: '8 edges' }).click();
    const grid = page.getByRole('grid', { name: 'edges' });
    await grid
      .getByRole('row', { name: /ACTED_IN/ })
      .first()
      .waitFor();
    await page.getByText('8 total').waitFor();
    await page.reload();
    await page.getByText('8 total').waitFor();
    await expect.poll(() => grid.getByRole('row').filter({ hasText: 'The Glass Orchard' }).count()).toBe(8);
    await page.getByText('Graph', { exact: true }).click();
    await page.getByText(/^8 nodes, 8 edges$/).waitFor();
    // The second action comes before the first is rendered, as on a busy machine. Neither is lost.
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('input[type="radio"][value="table"]')!.click();
      document.querySelector<HTMLElement>('[aria-label="Remove filter from or to The Glass Orchard"]')!.click();
    });
    await expect.poll(() => grid.getByRole('row').filter({ hasNotText: 'The Glass Orchard' }).count()).toBeGreaterThan(8);
  });

  test('unsaved edits survive another row, and leaving the page asks', async () => {
    const page = await openAs('keeper', `/explore?type=Person&open=node:${sample.people[6]}`);
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of height').fill('1.23');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Node' }).waitFor({ state: 'hidden' });
    await page.getByRole('row').nth(2).click();
    await page.getByRole('button', { name: 'Edit properties' }).waitFor();
    await page.getByRole('button', { name: /^Unsaved changes: / }).click();
    await expect.poll(() => page.getByLabel('Value of height').inputValue()).toBe('1.23');
    const asked = await page.evaluate(() => {
      const leaving = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(leaving);
      return leaving.defaultPrevented;
    });
    expect(asked).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit properties' }).waitFor();
    expect(await page.getByRole('button', { name: /^Unsaved changes: / }).count()).toBe(0);
  });

  test('Escape does not discard a form that has been filled in', async () => {
    const page = await openAs('keeper', '/explore?type=Studio');
    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New node' });
    await dialog.getByLabel('Value of name').fill('Half written');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you entered?' }).getByRole('button', { name: 'Keep editing' }).click();
    await expect.poll(() => dialog.getByLabel('Value of name').inputValue()).toBe('Half written');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  });
});

describe('addresses and sessions', () => {
  test('a reload while the service is busy keeps the session', async () => {
    const page = await openAs('viewer', '/schema');
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
    await page.route('**/api/auth/me', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'Content-Type': 'application/json', 'Retry-After': '60' },
        body: '{"error":{"code":"DATABASE_UNAVAILABLE","message":"The database cannot be reached at the moment"}}',
      }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'The service is not ready' }).waitFor();
    await page.unroute('**/api/auth/me');
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
  });

  test('an unknown address is a page', async () => {
    const page = await (await openContext()).newPage();
    const answer = await page.goto(`${base}/no/such.page`);
    expect(answer?.status()).toBe(404);
    await logIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Explore the graph' }).click();
    await page.getByRole('grid').waitFor();
    const admin = await connect(base);
    await expect(admin('GET', '/no/such.page')).rejects.toThrow('NOT_FOUND');
  });
});
