// @long
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, cypher, userPassword, waitForCount, type Call } from './api';
import { findings } from './axe';
import { base, openAs, requestsOf } from './browser';

interface Entity {
  id: string;
  source_id: string;
  target_id: string;
  properties: Record<string, unknown>;
}

const clear = () => cypher('MATCH (n) WHERE n:Vessel OR n:Pier DETACH DELETE n');
const calls: Record<string, number[]> = { Astra: [1, 2, 1], Borea: [1, 2, 3, 4, 5], Cirrus: [], Dorado: [3] };

const header = (page: Page, name: string) => page.getByRole('columnheader').filter({ hasText: name });
/** The texts of a column by the names of the rows, which the first column has. */
const column = (page: Page, name: string) =>
  page.getByRole('grid').evaluate((grid, title) => {
    const heads = [...grid.querySelectorAll('[role=columnheader]')].filter((head) => head.textContent !== '' || head.childElementCount > 1);
    const offset = grid.querySelectorAll('[role=columnheader] input').length;
    const at = heads.findIndex((head) => head.textContent.includes(title)) - (heads[0]!.querySelector('input') ? offset : 0);
    return Object.fromEntries(
      [...grid.querySelectorAll('[role=row]')].slice(1).map((row) => {
        const cells = [...row.querySelectorAll<HTMLElement>('[data-column]')];
        const names = cells[at]!.querySelectorAll('button').length > 1 ? [...cells[at]!.querySelectorAll('button')] : [cells[at]!];
        const more = cells[at]!.querySelector('.link-more');
        return [cells[0]!.textContent, names.map((each) => each.textContent).join(', ') + (more ? ` ${more.textContent}` : '')];
      }),
    );
  }, name);

async function choose(page: Page, ...titles: string[]) {
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const title of titles) await page.getByRole('checkbox', { name: title, exact: true }).check();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Apply' }).click();
}

describe('columns of what is beside a row', () => {
  let admin: Call;
  let edges = 0;
  beforeAll(async () => {
    await clear();
    admin = await connect(base);
    const node = async (type: string, properties: object) => (await admin<Entity>('POST', '/api/nodes', { type, properties })).id;
    const piers: string[] = [];
    for (let i = 1; i <= 5; i++) piers.push(await node('Pier', { name: `Pier ${i}`, depth: 10 - i, closed: i === 1, guard: 'Egon' }));
    for (const [name, at] of Object.entries(calls)) {
      const ship = await node('Vessel', { name });
      for (const pier of at) await admin('POST', '/api/edges', { type: 'CALLS_AT', source_id: ship, target_id: piers[pier - 1] });
      edges += at.length;
    }
    await admin('POST', '/api/admin/roles', {
      name: 'open piers',
      grants: [
        { kind: 'node', type: 'Vessel', actions: ['read'] },
        { kind: 'node', type: 'Pier', actions: ['read'], where: { closed: { eq: false } }, hidden: ['guard'] },
        { kind: 'edge', type: 'CALLS_AT', actions: ['read'] },
      ],
    });
    await admin('POST', '/api/admin/users', { username: 'pilot', password: userPassword, roles: ['open piers'] });
    await waitForCount(base, 'edges', 'CALLS_AT', edges);
    await waitForCount(base, 'nodes', 'Vessel', Object.keys(calls).length);
  });
  afterAll(async () => {
    await admin('DELETE', '/api/admin/users/pilot');
    await admin('DELETE', '/api/admin/roles/open%20piers');
    await clear();
  });

  test('few linked nodes are named, many counted; the address keeps the column, and a change reads it again', async () => {
    const page = await openAs('keeper', '/explore?type=Vessel');
    await page.getByRole('row', { name: /Astra/ }).waitFor();
    expect(await header(page, 'CALLS_AT').count()).toBe(0); // only if it is chosen
    const cost = await requestsOf(page, async () => {
      await choose(page, 'CALLS_AT → Pier');
      await page
        .getByRole('row', { name: /Dorado/ })
        .getByRole('button', { name: 'Node Pier 3' })
        .waitFor();
    });
    expect(cost.filter((request) => request.includes('/api/match'))).toHaveLength(2);
    const shown = { Astra: 'Pier 1, Pier 2', Borea: 'Pier 1, Pier 2, Pier 3 + 2 more', Cirrus: '0', Dorado: 'Pier 3' };
    expect(await column(page, 'CALLS_AT')).toEqual(shown);
    // As the service lists the edges: distinct nodes.
    for (const ship of await admin<Entity[]>('GET', '/api/nodes?type=Vessel')) {
      const listed = await admin<Entity[]>('GET', `/api/edges?type=CALLS_AT&source_id=${ship.id}`);
      const text = shown[ship.properties['name'] as keyof typeof shown];
      const more = Number(/\+ (\d+) more$/.exec(text)?.[1] ?? 0);
      expect(text.includes('Pier') ? text.split(', ').length + more : Number(text)).toBe(
        new Set(listed.map((edge) => edge.target_id)).size,
      );
    }
    expect(await header(page, 'CALLS_AT').getAttribute('title')).toMatch(/each once however many edges/);
    expect(await findings(page)).toEqual([]);

    await page.reload();
    await expect.poll(() => column(page, 'CALLS_AT').catch(() => null)).toEqual(shown);
    await page
      .getByRole('row', { name: /Dorado/ })
      .getByRole('button', { name: 'Node Pier 3' })
      .click();
    await page.getByRole('complementary', { name: 'Node' }).getByRole('heading', { name: 'Pier 3' }).waitFor();
    await page.getByRole('button', { name: 'Delete the node' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await expect.poll(() => column(page, 'CALLS_AT')).toEqual({ ...shown, Borea: 'Pier 1, Pier 2, Pier 4 + 1 more', Dorado: '0' });
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await expect.poll(() => column(page, 'CALLS_AT')).toEqual(shown);
  });

  test('are exported with the rows', async () => {
    const page = await openAs('viewer', '/explore?type=Vessel&columns=p:name,out:CALLS_AT:Pier&sort=name');
    await page.getByRole('row', { name: /Astra/ }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Rows with linked columns (CSV)' }).click(),
    ]);
    const rows = (await readFile(await file.path())).toString().trim().split('\r\n');
    expect(rows.map((row) => row.split(',').slice(2).join())).toEqual([
      'name,CALLS_AT → Pier:IGNORE',
      'Astra,"Pier 1, Pier 2"',
      'Borea,"Pier 1, Pier 2, Pier 3, Pier 4, Pier 5"',
      'Cirrus,',
      'Dorado,Pier 3',
    ]);
  });

  test('a row whose id two nodes have says so', async () => {
    await cypher("CREATE (:Vessel {uuid: 'twin\\u00a0\\u007f', name: 'Ember'}), (:Pier {uuid: 'twin\\u00a0\\u007f'})");
    const page = await openAs('keeper', '/explore?type=Vessel&columns=p:name,out:CALLS_AT:Pier');
    await expect
      .poll(() => column(page, 'CALLS_AT').catch(() => null))
      .toMatchObject({ Dorado: 'Pier 3', Ember: 'several nodes have this ID' });
    await cypher("MATCH (n {uuid: 'twin\\u00a0\\u007f'}) DELETE n");
  });

  test('a user sees and counts what the role shows', async () => {
    const page = await openAs('pilot', '/explore?type=Vessel&columns=p:name,gone');
    await page.getByRole('row', { name: /Astra/ }).waitFor();
    await choose(page, 'CALLS_AT → any node'); // the schema tells this user no more
    await expect
      .poll(() => column(page, 'CALLS_AT').catch(() => null))
      .toEqual({ Astra: 'Pier 2', Borea: 'Pier 2, Pier 3, Pier 4 + 1 more', Cirrus: '0', Dorado: 'Pier 3' });
    await page.goto(`${base}/explore?type=Vessel&columns=p:name,out:CALLS_AT:Pier`);
    await expect
      .poll(() => column(page, 'CALLS_AT').catch(() => null))
      .toEqual({ Astra: 'Pier 2', Borea: 'Pier 2, Pier 3, Pier 4 + 1 more', Cirrus: '0', Dorado: 'Pier 3' });
  });

  test('a column that cannot be read says so, and the table stays', async () => {
    const page = await openAs('viewer', '/explore?type=Vessel');
    await page.route('**/api/match', (route) =>
      route.fulfill({
        status: 504,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'DATABASE_TIMEOUT', message: 'The database took too long' } }),
      }),
    );
    await page.getByRole('row', { name: /Astra/ }).waitFor();
    await choose(page, 'CALLS_AT → Pier');
    await page.getByRole('img', { name: /^Could not be read: / }).waitFor();
    expect(Object.values(await column(page, 'CALLS_AT'))).toEqual(Array(4).fill('not read'));
    expect(await findings(page)).toEqual([]);
  });

  test('edges show properties of the nodes at their ends, and are sorted by them', async () => {
    const page = await openAs('viewer', '/explore?kind=edge&type=CALLS_AT');
    await page
      .getByRole('row', { name: /Borea.*Pier 5/ })
      .first()
      .waitFor();
    const cost = await requestsOf(page, async () => {
      await choose(page, 'Target: depth', 'Source: name');
      await expect.poll(() => header(page, 'Target: depth').count()).toBe(1);
      await expect.poll(() => page.getByRole('gridcell', { name: '…', exact: true }).count()).toBe(0);
    });
    expect(cost.filter((request) => request.includes('/api/match'))).toHaveLength(2); // one for each end
    const depths = () =>
      page.getByRole('row').evaluateAll((rows) =>
        rows
          .slice(1)
          .map((row) => [...row.querySelectorAll('[data-column]')].map((cell) => cell.textContent))
          .map((texts) => texts.join('|')),
      );
    const listed = async (sort: string) => {
      const found = await admin<Entity[]>('GET', `/api/edges?type=CALLS_AT&sort=${sort}`);
      const nodes = new Map<string, Entity>();
      for (const edge of found)
        for (const id of [edge.source_id, edge.target_id])
          if (!nodes.has(id)) nodes.set(id, await admin<Entity>('GET', `/api/nodes/${id}`));
      return found.map(({ source_id, target_id }) =>
        [nodes.get(source_id)!.properties['name'], nodes.get(target_id)!.properties['depth']].join(),
      );
    };
    const shown = async () => (await depths()).map((text) => text.split('|').slice(-2).join());
    await header(page, 'Target: depth').getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('target:depth');
    const ascending = await listed('target:depth');
    expect(ascending).toHaveLength(edges);
    await expect.poll(shown).toEqual(ascending);
    await header(page, 'Target: depth').getByRole('button').click();
    await expect.poll(shown).toEqual(await listed('-target:depth'));
    await page.reload();
    await expect.poll(shown).toEqual(await listed('-target:depth'));
  });

  test('a hidden property of an end is empty', async () => {
    const page = await openAs('pilot', '/explore?kind=edge&type=CALLS_AT&columns=source,target:guard,target:name');
    await page.getByRole('row', { name: /Borea/ }).first().waitFor();
    const texts = async () => [...new Set(await page.getByRole('row').evaluateAll((rows) => rows.slice(1).map((row) => row.textContent)))];
    await expect.poll(async () => (await texts()).toSorted()).toContain('Dorado–Pier 3');
    expect((await texts()).every((text) => text.includes('–'))).toBe(true);
  });
});
