import { describe, expect, test } from 'vitest';
import { base, logIn, openAs, openContext, openHelp, requestsOf } from './browser';
import { connect, userPassword } from './api';

describe('session', () => {
  test('a reload while no requests are left keeps the session', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/users', { username: 'busy', password: userPassword, permissions: ['read'], rate_limit: 100 });
    const page = await openAs('busy', '/schema');
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
    const call = await connect(base, 'busy', userPassword);
    await expect(async () => {
      for (let i = 0; i < 100; i++) await call('GET', '/api/auth/me');
    }).rejects.toThrow('RATE_LIMITED');
    await page.reload();
    await page.getByRole('heading', { name: 'The service is not ready' }).waitFor();
    await admin('PUT', '/api/admin/users/busy', { rate_limit: 100_000 });
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByRole('heading', { name: 'Schema' }).waitFor();
    await admin('DELETE', '/api/admin/users/busy');
  });

  test('a wrong password is rejected, the right one logs in, and a reload keeps the session', async () => {
    // Recent changes with names: a node whose name no change has is one more request.
    const admin = await connect(base);
    for (let i = 0; i < 8; i++) {
      const { id } = await admin<{ id: string }>('POST', '/api/nodes', { type: 'City', properties: { name: `Ghent ${i}` } });
      await admin('DELETE', `/api/nodes/${id}`);
    }
    const page = await (await openContext()).newPage();
    await page.goto(base);
    await page.getByLabel('User name').fill('viewer');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    const requests = await requestsOf(page, async () => {
      await logIn(page, 'viewer');
      await page.getByRole('region', { name: 'Types of nodes' }).getByRole('link').first().waitFor();
    });
    expect(requests.toSorted()).toEqual([
      'GET /api/changes',
      'GET /api/changesets',
      'GET /api/schema',
      'GET /api/views',
      'POST /api/auth/login',
    ]);
    await page.reload();
    await page.getByRole('heading', { name: 'What this database holds' }).waitFor();
    const kept = await page.evaluate(() => [location.href, JSON.stringify({ ...localStorage }), document.cookie]);
    const token = await page.evaluate(() => (JSON.parse(sessionStorage.getItem('graphrest.session') ?? '{}') as { token: string }).token);
    expect(token).toMatch(/^ey/);
    for (const text of kept) expect(text).not.toContain(token);
  });

  test('logging out revokes the token, in every tab', async () => {
    const page = await openAs('viewer', '/', { ownSession: true });
    const token = await page.evaluate(() => (JSON.parse(sessionStorage.getItem('graphrest.session') ?? '{}') as { token: string }).token);
    const other = await page.context().newPage();
    await other.goto(`${base}/schema`);
    await other.getByRole('heading', { name: 'Schema' }).waitFor();
    await page.getByRole('button', { name: 'viewer' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await other.getByText('You have logged out in another tab.').waitFor();
    const answer = await fetch(`${base}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('TOKEN_REVOKED');
  });

  test('the documentation uses the session', async () => {
    const page = await openAs('viewer');
    const docs = await openHelp(page, 'API documentation');
    await docs.getByText('viewer').waitFor();
    await docs.getByRole('button', { name: 'Log out', exact: true }).waitFor();
  });

  test('a revoked session asks for a login and keeps unsaved changes', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/users', { username: 'moved', password: userPassword, permissions: ['read', 'edit'] });
    const page = await openAs('moved', '/explore?type=Studio');
    await page.getByRole('row', { name: /Meridian/ }).click();
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of employees').fill('61');
    await admin('PUT', '/api/admin/users/moved', { password: 'another password of theirs' });
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password', { exact: true }).fill('another password of theirs');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('definition').filter({ hasText: /^61$/ }).waitFor();
  });

  test('a warning precedes the end of the session, a login dialog follows it', async () => {
    const page = await (await openContext()).newPage();
    await page.clock.install();
    await page.goto(base);
    await logIn(page, 'viewer');
    await page.getByRole('heading', { name: 'What this database holds' }).waitFor();
    await page.clock.fastForward(56 * 60_000);
    await page.getByText(/Your session ends in [34]:/).waitFor();
    await page.clock.fastForward(5 * 60_000);
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(userPassword);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('users can change their own password', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/users', { username: 'changer', password: userPassword, permissions: ['read'] });
    const page = await openAs('changer');
    await page.getByRole('button', { name: 'changer' }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(userPassword);
    await page.getByLabel('New password', { exact: true }).fill('a new one, long enough');
    await page.getByLabel('Repeat new password').fill('a new one, long enough');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await connect(base, 'changer', 'a new one, long enough');
  });
});
