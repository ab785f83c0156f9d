// @long
import { describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, openAs } from './browser';

const status = async (secret: string) =>
  (await fetch(`${base}/api/nodes?limit=1`, { headers: { Authorization: `Bearer ${secret}` } })).status;

describe('service tokens', () => {
  test('an administrator creates a token, copies its secret, which is shown once, and revokes it', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/roles', { name: 'film readers', grants: [{ kind: 'node', type: 'Film', actions: ['read'] }] });
    const page = await openAs('admin', '/tokens');
    await page.getByRole('heading', { name: 'No service tokens' }).waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New service token' });
    expect(Date.parse(await dialog.getByLabel('Expires').inputValue()) - Date.now()).toBeGreaterThan(88 * 86_400_000);
    await dialog.getByLabel('Name').fill('nightly import');
    await dialog.getByLabel('create').check();
    await dialog.getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option', { name: 'film readers' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Request limit').fill('5000');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create token' }).click();

    const shown = page.getByRole('dialog', { name: 'Token nightly import created' });
    await shown.getByText('The secret is not shown again.').waitFor();
    const secret = await shown.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^grt_/);
    await page.keyboard.press('Escape'); // does not close it
    await shown.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Secret copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    expect(await findings(page)).toEqual([]);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /nightly import admin create film readers.*5,000/ });
    await row.waitFor();
    expect(await row.getByText(/expires in/).count()).toBe(0);
    expect((await page.content()).includes(secret)).toBe(false);
    expect(await status(secret)).toBe(200);

    // The name is taken: the service's error is shown in the dialog.
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByLabel('Name').fill('Nightly Import');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/already exists/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Revoke nightly import' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByRole('heading', { name: 'No service tokens' }).waitFor();
    expect(await status(secret)).toBe(401);
    await admin('DELETE', '/api/admin/roles/film readers');
  });

  test('a token that expires soon is marked in words; a permission that the administrator lacks is not offered', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/users', { username: 'clerk', password: userPassword, permissions: ['read'], admin: true });
    const made = [];
    for (const [name, days] of [
      ['soon', 5.5],
      ['later', 40],
    ] as const) {
      made.push(
        await admin<{ id: string }>('POST', '/api/admin/tokens', {
          name,
          permissions: ['read'],
          expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
        }),
      );
    }
    try {
      const page = await openAs('clerk', '/tokens');
      await page.getByRole('row', { name: /^soon .*expires in 5 days/ }).waitFor();
      expect(
        await page
          .getByRole('row', { name: /^later/ })
          .getByText('expires')
          .count(),
      ).toBe(0);
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('read').waitFor();
      expect(await page.getByLabel('delete').count()).toBe(0);
    } finally {
      for (const { id } of made) await admin('DELETE', `/api/admin/tokens/${id}`);
      await admin('DELETE', '/api/admin/users/clerk');
    }
  });

  test('other users cannot open the page', async () => {
    const page = await openAs('keeper', '/tokens');
    await page.getByRole('heading', { name: 'For administrators' }).waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  });
});

describe('personal tokens', () => {
  test('a user makes one for some rights, sees when it was used, and is warned; an administrator revokes it', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/users', { username: 'scripter', password: userPassword, permissions: ['read', 'create'] });
    try {
      const page = await openAs('scripter');
      const openTokens = async () => {
        await page.getByRole('button', { name: 'scripter' }).click();
        await page.getByRole('menuitem', { name: /Personal tokens/ }).click();
      };
      await openTokens();
      const list = page.getByRole('dialog', { name: 'Your personal tokens' });
      await list.getByText('No personal tokens').waitFor();
      await list.getByRole('button', { name: 'New token' }).click();
      const form = page.getByRole('dialog', { name: 'New personal token' });
      await form.getByLabel('Name').fill('notebook');
      await form.getByLabel('Only these:').check();
      await form.getByLabel('read').check();
      await form.getByLabel('Expires').fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
      expect(await findings(page)).toEqual([]);
      await form.getByRole('button', { name: 'Create token' }).click();
      const shown = page.getByRole('dialog', { name: 'Token notebook created' });
      const secret = await shown.getByLabel('Secret').inputValue();
      expect(secret).toMatch(/^grp_/);
      await shown.getByRole('button', { name: 'Done' }).click();
      await list.getByRole('row', { name: /^notebook read .*expires (in|within).* never/ }).waitFor();
      expect((await page.content()).includes(secret)).toBe(false);
      expect(await status(secret)).toBe(200);
      await list.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.getByRole('button', { name: 'scripter' }).click();
      await page.getByRole('menuitem', { name: /1 token expired or about to/ }).waitFor();

      const others = await openAs('admin', '/users');
      await others.getByRole('button', { name: 'More for scripter' }).click();
      await others.getByRole('menuitem', { name: 'Personal tokens' }).click();
      const dialog = others.getByRole('dialog', { name: 'Personal tokens of scripter' });
      await dialog.getByRole('row', { name: /^notebook read .*\d\d:\d\d/ }).waitFor();
      expect(await dialog.getByRole('button', { name: 'New token' }).count()).toBe(0);
      expect(await findings(others)).toEqual([]);
      await dialog.getByRole('button', { name: 'Revoke notebook' }).click();
      await others.getByRole('button', { name: 'Revoke token' }).click();
      await dialog.getByText('No personal tokens').waitFor();
      expect(await status(secret)).toBe(401);
    } finally {
      await admin('DELETE', '/api/admin/users/scripter');
    }
  });
});
