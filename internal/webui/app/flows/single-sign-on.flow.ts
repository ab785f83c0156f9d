// @long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { findings, onTablets } from './axe';
import { base, logIn, openContext } from './browser';
import { freePort, startGateway, type Gateway } from './gateway';
import { providerPassword, providerUsers, startProvider, type IdentityProvider } from './identityProvider';

let provider: IdentityProvider;
let gateway: Gateway;

// Separate gateways, on the same graph, at which passwords are for the first administrator only.
beforeAll(async () => {
  const port = await freePort();
  provider = await startProvider(`http://127.0.0.1:${port}`, ['film-people', 'editors']);
  const admin = await connect(base);
  await admin('POST', '/api/admin/roles', { name: 'studios', grants: [{ kind: 'node', type: 'Studio', actions: ['read', 'edit'] }] });
  const settings = { ...provider.settings, GRAPHREST_PASSWORD_LOGIN: 'off', GRAPHREST_OIDC_ROLE_MAP: 'film-people=studios' };
  gateway = await startGateway(3600, settings, port);
});
afterAll(async () => {
  await gateway?.stop();
  await provider?.stop();
  await (
    await connect(base)
  )('DELETE', '/api/admin/roles/studios'); // other flows begin without roles
});

const button = (page: Page) => page.getByRole('button', { name: 'Log in with single sign-on' });

async function openLogin(path = '/', scheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await (await openContext({ scheme, origins: [gateway.base, provider.issuer] })).newPage();
  await page.goto(gateway.base + path);
  await button(page).waitFor();
  return page;
}

async function signIn(page: Page, username: string) {
  await button(page).click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(providerPassword);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(`${gateway.base}/**`);
}

describe('single sign-on', () => {
  test('signs in as the user of the provider, with the roles of its groups, on the page that was asked for', async () => {
    const page = await openLogin('/explore?type=Studio&view=table');
    await signIn(page, providerUsers.member);
    await page.getByRole('row', { name: /Meridian/ }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toContain('/explore?type=Studio');
    await page.getByRole('button', { name: providerUsers.member }).waitFor();
    const me = await page.evaluate(async () => {
      const { token } = JSON.parse(sessionStorage.getItem('graphrest.session') ?? '{}') as { token: string };
      return (
        (await (await fetch('/api/auth/me', { headers: { Authorization: `Bearer ${token}` } })).json()) as {
          data: { roles: string[]; permissions: string[]; admin: boolean };
        }
      ).data;
    });
    expect(me).toMatchObject({ roles: ['studios'], permissions: [], admin: false });
    await expect.poll(() => page.getByRole('link', { name: 'Person' }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('row', { name: /Meridian/ }).waitFor();
  });

  test('a user of no known group is signed in without rights, and reads why', async () => {
    const page = await openLogin();
    await signIn(page, providerUsers.outsider);
    await page.getByText('You may not read the graph').waitFor();
    await page.getByText(/Ask an administrator for the permission read, or for a role/).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('while passwords are closed the page offers the button, and the form to the first administrator only', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await openLogin('/', scheme);
      expect(await page.getByLabel('User name').count()).toBe(0);
      expect(await findings(page)).toEqual([]);
      await onTablets(page, `login, ${scheme}`);
      await page.getByRole('button', { name: 'Log in as the first administrator' }).click();
      await logIn(page, 'admin');
      if (scheme === 'dark') continue;
      await page.goto(`${gateway.base}/system`);
      await page.getByText(provider.issuer).first().waitFor();
      await page.getByText(/^Discovery read \d/).waitFor();
      await page.getByText(/^Keys read \d/).waitFor(); // by the logins of the flows before
    }
  });

  test('a session that ended goes on after a login in another tab, as the same user only', async () => {
    const page = await openLogin('/explore?type=Studio&view=table');
    await signIn(page, providerUsers.member);
    const row = page.getByRole('row', { name: /Meridian/ }).first(); // its history has another
    await row.waitFor();
    await page.evaluate(async () => {
      const { token } = JSON.parse(sessionStorage.getItem('graphrest.session') ?? '{}') as { token: string };
      await fetch('/api/auth/logout', { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    });
    await row.click(); // takes no request: the row has the properties
    await page.getByRole('tab', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await dialog.getByText('Your unsaved changes are kept').waitFor();
    expect(await dialog.getByLabel('Password').count()).toBe(0);
    expect(await findings(page)).toEqual([]);

    async function signInElsewhere(username: string) {
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        dialog.getByRole('button', { name: /Log in with single sign-on/ }).click(),
      ]);
      await tab.getByLabel('Username').fill(username);
      await tab.getByLabel('Password').fill(providerPassword);
      await tab.getByRole('button', { name: 'Login' }).click();
      await tab.getByRole('button', { name: username }).waitFor();
      return tab;
    }
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/auth/me');
    const other = await signInElsewhere(providerUsers.outsider);
    await asked;
    await other.close();
    await page.bringToFront();
    await expect.poll(() => dialog.isVisible()).toBe(true);
    await (await signInElsewhere(providerUsers.member)).close();
    await page.bringToFront();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('complementary', { name: 'Node' }).getByText('Meridian').first().waitFor(); // what was asked for without a session
    await row.waitFor();
  });

  test('a login that the provider refuses is explained, once', async () => {
    const page = await openLogin();
    await page.goto(`${gateway.base}/api/auth/oidc/callback?error=access_denied&state=unknown`);
    await page.getByText('Single sign-on did not succeed.').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await button(page).waitFor();
    expect(await page.getByText('Single sign-on did not succeed.').count()).toBe(0);
  });
});
