// @long
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, userPassword, type Call } from './api';
import { findings, onTablets } from './axe';
import { base, openAs, openContext, waitUntilIdle } from './browser';

describe('viewing as a user or a role', () => {
  let admin: Call;
  let [seen, hidden] = ['', ''];
  beforeAll(async () => {
    admin = await connect(base);
    await admin('POST', '/api/admin/roles', {
      name: 'blue team',
      grants: [
        { kind: 'node', type: 'Crew', actions: ['read', 'edit', 'create', 'delete'], where: { team: { eq: 'blue' } }, hidden: ['salary'] },
        { kind: 'edge', type: '*', actions: ['read'] },
      ],
    });
    await admin('POST', '/api/admin/users', { username: 'view.er/1', password: userPassword, roles: ['blue team'] });
    seen = (await admin<{ id: string }>('POST', '/api/nodes', { type: 'Crew', properties: { name: 'Bea', team: 'blue', salary: 770077 } }))
      .id;
    hidden = (await admin<{ id: string }>('POST', '/api/nodes', { type: 'Crew', properties: { name: 'Zoltan', team: 'red', salary: 88 } }))
      .id;
  });
  afterAll(async () => {
    for (const id of [seen, hidden]) await admin('DELETE', `/api/nodes/${id}`);
    await admin('DELETE', '/api/admin/users/view.er%2F1');
    await admin('DELETE', '/api/admin/roles/blue%20team');
  });

  test('an administrator sees what a user sees, read only, and leaves', async () => {
    const page = await openAs('admin', '/users');
    await page.getByRole('button', { name: 'More for view.er/1' }).click();
    await page.getByRole('menuitem', { name: 'View as' }).click();
    const bar = page.getByRole('region', { name: 'View as' });
    await bar.getByText('You see what view.er/1 sees (read only).').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/as/user:view.er%2F1/explore');
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    expect(await page.getByRole('switch', { name: 'Propose' }).count()).toBe(0);

    await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: /^Crew/ }).click();
    await page.getByText('Bea').first().waitFor();
    expect(await page.getByText('Zoltan').count()).toBe(0);
    expect(await page.getByText('770077').count()).toBe(0);
    expect(await page.getByRole('button', { name: /New node|Create/ }).count()).toBe(0);
    await page.getByText('Bea').first().click();
    await page.getByRole('tab', { name: 'Properties' }).waitFor();
    for (const name of ['Edit', 'Delete the node']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await onTablets(page, 'the view of a user');

    // Links keep the view, also after a reload and in another tab.
    await page.getByRole('link', { name: 'Schema' }).click();
    await page.getByRole('heading', { name: 'Crew' }).or(page.getByText('Crew').first()).first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/as/user:view.er%2F1/schema');
    await page.reload();
    await bar.getByText('You see what').waitFor();
    await page.goto(`${base}/as/user:view.er%2F1/explore?open=node:${hidden}`);
    await page
      .getByText(/does not exist|no longer exists|no such node|deleted/i)
      .first()
      .waitFor();
    expect(await page.getByText('Zoltan').count()).toBe(0);

    // Why? leaves the view and explains for the user.
    await page.goto(`${base}/as/user:view.er%2F1/explore?open=node:${seen}`);
    await page.getByRole('link', { name: 'Why can view.er/1 see this node?' }).click();
    await page.getByRole('heading', { name: 'Allowed' }).waitFor();
    await page.getByRole('link', { name: 'blue team' }).first().waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'User', exact: true }).inputValue()).toBe('view.er/1');

    await page.goBack();
    await bar.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('link', { name: 'Administration' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/explore');
    await page.getByText('770077').first().waitFor();
    const [entry] = await admin<{ user: string; entity: string; name: string }[]>('GET', '/api/admin/audit?action=view&limit=1');
    expect([entry?.user, entry?.name]).toEqual(['admin', 'view.er/1']);
  });

  test('every read is sent as the user, and nothing is written', async () => {
    const other = (await admin<{ id: string }>('POST', '/api/nodes', { type: 'Crew', properties: { name: 'Cai', team: 'blue' } })).id;
    for (const target_id of [other, hidden]) await admin('POST', '/api/edges', { type: 'WORKS_WITH', source_id: seen, target_id });
    const page = await openAs('admin', '/as/user:view.er%2F1/explore');
    const headers = new Set<string>();
    const writes: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'GET' && pathname !== '/api/edges/among') writes.push(`${request.method()} ${pathname}`);
      if (!pathname.startsWith('/api/')) return;
      const area = /^\/api\/(auth|admin)\//.test(pathname) ? 'accounts' : 'graph';
      headers.add(`${request.method()} ${area} ${request.headers()['graphrest-view-as'] ?? 'itself'}`);
    });
    for (const [name, api] of [
      ['Changes', 'changes'],
      ['Trash', 'trash'],
      ['Change sets', 'changesets'],
    ] as const) {
      const sent = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/${api}`);
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await sent;
    }
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: /^Crew/ }).click();
    const among = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/edges/among');
    await page.getByText('Graph', { exact: true }).click();
    expect(((await (await among).json()) as { data: { target_id: string }[] }).data.map((edge) => edge.target_id)).toEqual([other]);
    await admin('DELETE', `/api/nodes/${other}?detach=true`);
    expect(writes).toEqual([]);
    expect([...headers].filter((each) => each.includes(' graph '))).toEqual(['GET graph user:view.er%2F1', 'POST graph user:view.er%2F1']);
  });

  test('a role is viewed by itself', async () => {
    const page = await openAs('admin', '/roles');
    await page.getByRole('link', { name: 'View as blue team' }).click();
    await page.getByText('You see what the role blue team shows alone (read only).').waitFor();
    await page.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: /^Crew/ }).click();
    await page.getByText('Bea').first().waitFor();
    expect(await page.getByText('Zoltan').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  test('what cannot be viewed is explained', async () => {
    const page = await openAs('admin', '/as/user:nobody/explore');
    await page.getByText('There is no such user.').waitFor();
    await waitUntilIdle(page);
    const other = await (await openContext()).newPage();
    await other.goto(`${base}/as/user:admin/explore`);
    await other.getByLabel('User name').fill('viewer');
    await other.getByLabel('Password', { exact: true }).fill(userPassword);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByText('Only administrators with the permission read may do this.').waitFor();
    await other.getByRole('button', { name: 'Leave' }).click();
    await other
      .getByRole('heading', { name: /Types|All nodes|Nodes/ })
      .or(other.getByRole('navigation', { name: 'Pages' }))
      .first()
      .waitFor();
  });
});
