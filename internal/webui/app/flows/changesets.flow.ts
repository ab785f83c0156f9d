// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, cypher, userPassword, type Call } from './api';
import { findings } from './axe';
import { base, openAs } from './browser';

interface Entity {
  id: string;
  properties: Record<string, unknown>;
}
interface ChangeSet {
  id: string;
  status: string;
}

// Before each, because a flow that is run again must not find what the first run left.
beforeEach(() => cypher('MATCH (n) WHERE n:Festival OR n:Venue DETACH DELETE n'));
afterAll(() => cypher('MATCH (n) WHERE n:Festival OR n:Venue DETACH DELETE n'));

const keeper = () => connect(base, 'keeper', userPassword);
const create = (call: Call, type: string, properties: object) => call<Entity>('POST', '/api/nodes', { type, properties });
const read = async (call: Call, id: string) => (await call<Entity>('GET', `/api/nodes/${id}`)).properties;
const named = (call: Call, name: string) => call<Entity[]>('GET', `/api/nodes?type=Festival&filter[name]=${encodeURIComponent(name)}`);
const entityPath = (type: string, id: string) => `/explore?type=${type}&open=node:${id}`;

async function decide(page: Page, button: string) {
  await page.getByRole('toolbar', { name: 'Decisions' }).getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

const waitForStatus = (page: Page, status: string) => page.getByText(status, { exact: true }).waitFor();

describe('proposing', () => {
  test('an editor proposes three operations; another user reviews, comments, approves, applies and undoes them', async () => {
    const title = `Next season ${crypto.randomUUID().slice(0, 8)}`;
    const call = await keeper();
    const harbour = await create(call, 'Festival', { name: 'Harbour Days', year: 2020 });
    const old = await create(call, 'Venue', { name: 'The Old Hall' });
    const held = await call<Entity>('POST', '/api/edges', {
      type: 'HELD_IN',
      source_id: harbour.id,
      target_id: old.id,
      properties: { nights: 3 },
    });

    const page = await openAs('editor', entityPath('Festival', harbour.id));
    const bar = page.getByRole('region', { name: 'Proposal' });
    await page.getByRole('heading', { name: 'Harbour Days' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete the node' }).count()).toBe(0);
    await page.getByRole('switch', { name: 'Propose' }).click();
    await bar.getByText('0 operations').waitFor();
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of year').fill('2021');
    await page.getByRole('button', { name: 'Propose 1 change' }).click();
    await page.getByText('Proposed: year').waitFor();

    await page.reload();
    await bar.getByText('1 operation', { exact: true }).waitFor();
    await page.getByText('Proposed: year').waitFor();
    for (const name of ['Winter Lights', 'A Mistake']) {
      await page.getByRole('button', { name: 'Create a node', exact: true }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Type', exact: true }).fill('Festival');
      await page.getByRole('dialog').getByLabel('Value of name').fill(name);
      await page.getByRole('button', { name: 'Propose node' }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.getByRole('button', { name: 'Create an edge from this node' }).click();
    const edge = page.getByRole('dialog', { name: 'New edge' });
    await edge.getByRole('combobox', { name: 'Type', exact: true }).fill('FOLLOWED_BY');
    await edge.getByLabel('Target: node').fill('Winter');
    await page.getByRole('option', { name: /Winter Lights\s+new Festival/ }).click();
    await edge.getByRole('button', { name: 'Propose edge' }).click();
    await edge.waitFor({ state: 'hidden' });
    await page.goto(base + entityPath('Venue', old.id));
    await page.getByRole('button', { name: 'Delete the node' }).click();
    await page.getByText('1 edge will be deleted with it.').waitFor();
    await page.getByRole('button', { name: 'Propose deletion' }).click();
    await page.getByText('Proposed for deletion').waitFor();

    await bar.getByText('5 operations').waitFor();
    await bar.getByRole('button', { name: 'Review and submit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Propose a change set' });
    await dialog.getByText('2020 → 2021').waitFor();
    await dialog.getByRole('button', { name: 'Remove: create A Mistake' }).click();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(4);
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('Description').fill('The hall closes.');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    await waitForStatus(page, 'open');
    await page.getByText('Somebody else must approve it').waitFor();
    await expect
      .poll(() => page.getByRole('toolbar', { name: 'Decisions' }).getByRole('button').allTextContents())
      .toEqual(['Edit', 'Withdraw']);
    expect(await bar.count()).toBe(0);
    expect(await read(call, harbour.id)).toEqual({ name: 'Harbour Days', year: 2020 });
    expect(await named(call, 'Winter Lights')).toHaveLength(0);

    const review = await openAs('keeper', '/change-sets?status=open');
    await review.getByRole('link', { name: title }).click();
    await review.getByText('2 added, 1 changed, 1 removed, 1 edge deleted with nodes').waitFor();
    await review.getByRole('region', { name: 'changed node Harbour Days' }).getByRole('row', { name: 'year 2020 2021' }).waitFor();
    await review.getByRole('region', { name: 'added edge FOLLOWED_BY: Harbour Days → Winter Lights' }).waitFor();
    await review.getByRole('region', { name: 'removed node The Old Hall' }).getByText('HELD_IN: Harbour Days → The Old Hall').waitFor();
    await review.getByText('Graph', { exact: true }).click();
    const legend = review.getByRole('region', { name: 'Legend' });
    for (const entry of ['Added', 'Changed', 'Removed']) await legend.getByText(entry, { exact: true }).waitFor();
    await review.getByLabel('Comment').fill('Was the hall informed?');
    await review.getByRole('button', { name: 'Add comment' }).click();
    // Not by its text alone, which the form also has until the comment is stored.
    await review.getByRole('region', { name: 'Activity' }).getByRole('listitem').filter({ hasText: 'Was the hall informed?' }).waitFor();
    await review.getByRole('button', { name: 'Approve' }).click();
    await waitForStatus(review, 'approved');
    expect(await named(call, 'Winter Lights')).toHaveLength(0);
    await decide(review, 'Apply');
    await waitForStatus(review, 'applied');
    await review.getByRole('list', { name: 'Operations' }).getByText('to: Winter Lights').waitFor();
    expect(await read(call, harbour.id)).toEqual({ name: 'Harbour Days', year: 2021 });
    expect(await named(call, 'Winter Lights')).toHaveLength(1);
    await expect(call('GET', `/api/nodes/${old.id}`)).rejects.toThrow('NOT_FOUND');

    await review.getByRole('button', { name: 'Undo the change set' }).click();
    const undo = review.getByRole('dialog', { name: 'Undo the change set' });
    await undo.getByText('5 changes will be reversed.').waitFor();
    await undo.getByRole('button', { name: 'Undo 5 changes' }).click();
    await undo.waitFor({ state: 'hidden' });
    expect(await read(call, harbour.id)).toEqual({ name: 'Harbour Days', year: 2020 });
    expect(await call<Entity>('GET', `/api/edges/${held.id}`)).toEqual(held);
    expect(await named(call, 'Winter Lights')).toHaveLength(0);
  });

  test('is switched off without losing what was collected, and ends with the session', async () => {
    const call = await keeper();
    const festival = await create(call, 'Festival', { name: 'Off and On', year: 1 });
    const page = await openAs('editor', entityPath('Festival', festival.id), { ownSession: true });
    const edit = async (year: string, button: string) => {
      await page.getByRole('button', { name: 'Edit properties' }).click();
      await page.getByLabel('Value of year').fill(year);
      await page.getByRole('button', { name: button }).click();
    };
    await page.getByRole('switch', { name: 'Propose' }).click();
    await edit('2', 'Propose 1 change');
    await page.getByText('Proposed: year').waitFor();
    await page.getByRole('switch', { name: 'Propose' }).click();
    await page.getByText('edits are written at once.').waitFor();
    await edit('3', 'Save 1 change');
    await page.getByRole('definition').filter({ hasText: /^3$/ }).waitFor();
    expect((await read(call, festival.id))['year']).toBe(3);
    await page.getByRole('region', { name: 'Proposal' }).getByText('1 operation', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'editor' }).click();
    await page.getByRole('menuitem', { name: 'Log out and discard 1 operation' }).click();
    await page.getByLabel('User name').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('graphrest.proposal'))).toBeNull();
  });
});

describe('a review', () => {
  const propose = async (title: string, operations: object[], username = 'editor') => {
    const call = await connect(base, username, userPassword);
    return call<ChangeSet>('POST', '/api/changesets', { title, operations });
  };

  test('explains conflicts; the author bases the change set on the current values, and it is applied', async () => {
    const call = await keeper();
    const festival = await create(call, 'Festival', { name: 'Moving Target', year: 2020 });
    const { id } = await propose('Correct the year', [{ op: 'update_node', id: festival.id, properties: { year: 1999 } }]);
    await call('POST', `/api/changesets/${id}/approve`);
    const page = await openAs('keeper', `/change-sets/${id}`);
    await page.getByRole('row', { name: 'year 2020 1999' }).waitFor();
    await call('PUT', `/api/nodes/${festival.id}`, { properties: { year: 2024 } });
    await decide(page, 'Apply');
    const alert = page.getByRole('alert').filter({ hasText: 'Not applied' });
    await alert.getByText('the change set is still approved').waitFor();
    await alert.getByText('Operation 1 Moving Target: was changed since').waitFor();
    await page.getByRole('note', { name: 'Conflict' }).waitFor();
    await page.getByRole('row', { name: 'year 2024 1999' }).waitFor();
    await waitForStatus(page, 'approved');
    expect((await read(call, festival.id))['year']).toBe(2024);
    expect(await findings(page)).toEqual([]);

    const author = await openAs('editor', `/change-sets/${id}`);
    await author.getByRole('note', { name: 'Conflict' }).waitFor();
    await author.getByRole('button', { name: 'Edit', exact: true }).click();
    const bar = author.getByRole('region', { name: 'Proposal' });
    await bar.getByText('Editing the change set “Correct the year”').waitFor();
    await bar.getByRole('button', { name: 'Review and submit' }).click();
    await author.getByRole('dialog', { name: 'Edit the change set' }).getByRole('button', { name: 'Save' }).click();
    await waitForStatus(author, 'open');
    await author.getByText('1 changed', { exact: true }).waitFor();
    expect(await author.getByRole('note', { name: 'Conflict' }).count()).toBe(0);

    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).click();
    await waitForStatus(page, 'approved');
    await decide(page, 'Apply');
    await waitForStatus(page, 'applied');
    expect((await read(call, festival.id))['year']).toBe(1999);
  });

  test('offers only what the user may decide', async () => {
    const call = await keeper();
    const festival = await create(call, 'Festival', { name: 'Permitted', year: 1 });
    const { id } = await propose(
      'Two of a kind',
      [
        { op: 'update_node', id: festival.id, properties: { year: 2 } },
        { op: 'delete_node', id: festival.id },
      ],
      'viewer',
    );
    const editor = await openAs('editor', `/change-sets/${id}`);
    await editor.getByText('To approve it, you need the permission delete.').waitFor();
    expect(await editor.getByRole('toolbar', { name: 'Decisions' }).getByRole('button').count()).toBe(0);
    const reviewer = await openAs('keeper', `/change-sets/${id}`);
    await decide(reviewer, 'Reject');
    await waitForStatus(reviewer, 'rejected');
    expect(await reviewer.getByRole('toolbar', { name: 'Decisions' }).getByRole('button').count()).toBe(0);
    await reviewer.goto(`${base}/change-sets`);
    await reviewer.getByLabel('Status').selectOption('rejected');
    await reviewer.getByRole('row', { name: /rejected Two of a kind viewer 2/ }).waitFor();
    const author = await openAs(
      'viewer',
      `/change-sets/${(await propose('Second thoughts', [{ op: 'delete_node', id: festival.id }], 'viewer')).id}`,
    );
    await decide(author, 'Withdraw');
    await waitForStatus(author, 'withdrawn');
  });

  test('approves only what was read', async () => {
    const call = await keeper();
    const festival = await create(call, 'Festival', { name: 'Switched', year: 1 });
    const { id } = await propose('Harmless', [{ op: 'update_node', id: festival.id, properties: { year: 2 } }]);
    const page = await openAs('keeper', `/change-sets/${id}`);
    await page.getByRole('row', { name: 'year 1 2' }).waitFor();
    const author = await connect(base, 'editor', userPassword);
    await author('PUT', `/api/changesets/${id}`, { operations: [{ op: 'delete_node', id: festival.id }] });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('It was changed since you opened it. Check it again.').waitFor();
    await page.getByRole('region', { name: 'removed node Switched' }).waitFor();
    await waitForStatus(page, 'open');
    expect((await call<ChangeSet>('GET', `/api/changesets/${id}`)).status).toBe('open');
  });

  test('shows violations of declared types', async () => {
    const admin = await connect(base);
    await admin('PUT', '/api/admin/types/nodes/Venue', { level: 'moderate', schema: { properties: { seats: { minimum: 50 } } } });
    try {
      const { id } = await propose('A small venue', [{ op: 'create_node', type: 'Venue', properties: { name: 'The Cellar', seats: 12 } }]);
      const page = await openAs('keeper', `/change-sets/${id}`);
      await page.getByText('1 added; 1 violation').waitFor();
      await page.getByRole('note', { name: 'Violations' }).getByText('seats').waitFor();
    } finally {
      await admin('DELETE', '/api/admin/types/nodes/Venue');
    }
  });
});

describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
  test('the pages pass axe and fit the screen', async () => {
    const call = await keeper();
    const [first, last] = [
      await create(call, 'Festival', { name: 'First Light', year: 2001 }),
      await create(call, 'Venue', { name: 'Last Stop' }),
    ];
    await call('POST', '/api/edges', { type: 'HELD_IN', source_id: first.id, target_id: last.id, properties: {} });
    const editor = await connect(base, 'editor', userPassword);
    const { id } = await editor<ChangeSet>('POST', '/api/changesets', {
      title: 'Every kind',
      operations: [
        { op: 'create_node', ref: 'a', type: 'Festival', properties: { name: 'New' } },
        { op: 'create_edge', type: 'HELD_IN', source_id: { ref: 'a' }, target_id: first.id },
        { op: 'update_node', id: first.id, properties: { year: 2002 } },
        { op: 'delete_node', id: last.id, detach: true },
        { op: 'update_node', id: 'missing', properties: { x: 1 } },
      ],
    });
    const page = await openAs('keeper', `/change-sets/${id}`, { scheme });
    const check = async (what: string) => {
      for (const width of [1366, 1024, 768]) {
        await page.setViewportSize({ width, height: 800 });
        const beyond = await page.evaluate(() =>
          [...document.querySelectorAll('header *, .proposal-bar *, .page, .review > *')]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
            .map((e) => e.outerHTML.slice(0, 120)),
        );
        expect([`${what}, ${width} wide`, ...beyond, ...(width === 1024 ? [] : await findings(page))]).toEqual([`${what}, ${width} wide`]);
      }
    };
    await page.getByRole('note', { name: 'Conflict' }).waitFor();
    await check('review');
    await page.getByText('Graph', { exact: true }).click();
    await page.getByRole('region', { name: 'Legend' }).waitFor();
    await check('graph');
    await page.goto(`${base}/change-sets`);
    await page
      .getByRole('row', { name: /Every kind/ })
      .first()
      .waitFor();
    await page.getByRole('switch', { name: 'Propose' }).click();
    await check('list');
    await page.goto(base + entityPath('Festival', first.id));
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of year').fill('2003');
    await page.getByRole('button', { name: 'Propose 1 change' }).click();
    await page.getByText('Proposed: year').waitFor();
    await check('proposed');
    await page.getByRole('button', { name: 'Review and submit' }).click();
    await page.getByRole('dialog', { name: 'Propose a change set' }).getByLabel('Title').waitFor();
    await check('dialog');
  });
});
