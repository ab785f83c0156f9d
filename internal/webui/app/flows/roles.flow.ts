// @long
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { connect, userPassword } from './api';
import { findings } from './axe';
import { base, openAs, reportBodies, sample } from './browser';

interface Role {
  description: string;
  grants: { where?: object; hidden?: string[] }[];
}

const readRole = async (name: string) => (await connect(base))<Role>('GET', `/api/admin/roles/${encodeURIComponent(name)}`);

async function pick(page: Page, field: ReturnType<Page['getByRole']>, option: string) {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe('roles', () => {
  test('an administrator builds a role with conditions, edits its JSON, sees errors at their controls, and deletes it', async () => {
    const page = await openAs('admin', '/roles');
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog', { name: 'New role' });
    await page.setViewportSize({ width: 1366, height: 600 }); // the dialog is higher, and keeps its buttons
    const save = (await dialog.getByRole('button', { name: 'Create role' }).boundingBox())!;
    expect(save.y + save.height).toBeLessThanOrEqual(600);
    await page.setViewportSize({ width: 390, height: 844 });
    const readOnly = (await dialog.getByRole('combobox', { name: 'Read-only properties' }).boundingBox())!;
    expect(readOnly.x + readOnly.width).toBeLessThanOrEqual(371); // not wider than the dialog
    await page.setViewportSize({ width: 1366, height: 820 });
    await pick(page, dialog.getByRole('combobox', { name: 'Saved queries' }), 'All, also later ones');
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Name').fill('own films');
    const grant = dialog.getByRole('region', { name: 'Grant 1' });
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await grant.getByText('Choose a type, or * for all').waitFor();
    await pick(page, grant.getByRole('combobox', { name: 'Type (* for all)' }), 'Film');
    await grant.getByRole('button', { name: 'Add a condition' }).click();
    await pick(page, grant.getByRole('combobox', { name: 'Property of condition 1' }), 'released');
    await grant.getByLabel('Operator of condition 1').selectOption('gte');
    await grant.getByLabel('Value of condition 1').fill('soon');
    await grant.getByText('Write a whole number').waitFor();
    await grant.getByLabel('Value of condition 1').fill('2015');
    await grant.getByRole('button', { name: 'Add a condition' }).click();
    await grant.getByRole('combobox', { name: 'Property of condition 2' }).fill('owner');
    await grant.getByLabel('Compared with, condition 2').selectOption('attribute');
    await grant.getByLabel('Attribute of condition 2').fill('team');
    await grant.getByRole('combobox', { name: 'Hidden properties' }).fill('tagline');
    await page.keyboard.press('Enter');
    const json = dialog.getByLabel('Grants as JSON');
    await expect.poll(() => json.inputValue()).toContain('"$user": "attributes.team"');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('row', { name: /own films.* 1 nodes: Film, if.*all saved queries/ }).waitFor();
    expect((await readRole('own films')).grants).toEqual([
      {
        kind: 'node',
        type: 'Film',
        actions: ['read'],
        where: { owner: { eq: { $user: 'attributes.team' } }, released: { gte: 2015 } },
        hidden: ['tagline'],
      },
    ]);

    // The JSON is edited; the form follows. Only the grants are sent.
    await page.getByRole('button', { name: 'Edit own films' }).click();
    const edit = page.getByRole('dialog', { name: 'Role own films' });
    const editJson = edit.getByLabel('Grants as JSON');
    const text = await editJson.inputValue();
    await editJson.fill('[{');
    await expect.poll(() => editJson.getAttribute('aria-invalid')).toBe('true');
    await editJson.fill(text.replace('"read"', '"read", "edit"').replace(/"owner"[^}]*\}[^}]*\},?/, ''));
    await expect.poll(() => edit.getByRole('region', { name: 'Grant 1' }).getByLabel('edit', { exact: true }).isChecked()).toBe(true);
    expect(await edit.getByLabel('Property of condition 2').count()).toBe(0);
    await reportBodies(page);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await edit.getByRole('button', { name: 'Save' }).click();
    expect(Object.keys((await sent).postDataJSON() as object)).toEqual(['grants']);
    await edit.waitFor({ state: 'detached' });

    // An error of the service is shown at the condition.
    await page.getByRole('button', { name: 'Edit own films' }).click();
    await edit.getByRole('button', { name: 'Add a condition' }).click();
    await edit.getByLabel('Property of condition 2').fill('home');
    await edit.getByLabel('Operator of condition 2').selectOption('lt');
    await edit.getByLabel('Value of condition 2').fill('{"$type":"Point","_value":"SRID=4326;POINT (1 2)"}');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit
      .getByRole('alert')
      .getByText(/nothing else has an order/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();

    const admin = await connect(base);
    await admin('POST', '/api/admin/users', { username: 'rita', password: userPassword, roles: ['own films'] });
    await page.reload();
    await page.getByRole('button', { name: 'Delete own films' }).click();
    await page.getByRole('dialog').getByText('rita loses it at once').waitFor();
    await page.getByRole('button', { name: 'Delete role' }).click();
    await page.getByRole('heading', { name: 'No roles' }).waitFor();
    await admin('DELETE', '/api/admin/users/rita');
  });
});

describe('access', () => {
  test('roles and attributes of a user, the effective rights, and why the user sees a node or does not', async () => {
    const admin = await connect(base);
    await admin('POST', '/api/admin/roles', {
      name: 'team',
      grants: [
        {
          kind: 'node',
          type: 'Film',
          actions: ['read', 'edit'],
          where: { released: { gte: { $user: 'attributes.since' } } },
          hidden: ['tagline'],
        },
        { kind: 'edge', type: 'DIRECTED', actions: ['read'] },
      ],
    });
    await admin('POST', '/api/admin/users', { username: 'rolf', password: userPassword });
    try {
      const page = await openAs('admin', '/users');
      const row = page.getByRole('row', { name: /^rolf/ });
      const openAccess = async () => {
        await row.getByRole('button', { name: 'More for rolf' }).click();
        await page.getByRole('menuitem', { name: 'Roles and attributes' }).click();
      };
      await openAccess();
      const dialog = page.getByRole('dialog', { name: 'Roles and attributes of rolf' });
      await pick(page, dialog.getByRole('combobox', { name: 'Roles' }), 'team');
      await page.keyboard.press('Tab'); // closes the list
      await dialog.getByRole('region', { name: 'Effective rights' }).getByText('Film, if released').first().waitFor();
      await dialog.getByRole('button', { name: 'Add an attribute' }).click();
      await dialog.getByRole('combobox', { name: 'Name of the new attribute' }).fill('since');
      await dialog.getByLabel('Type of since').selectOption('Integer');
      await dialog.getByLabel('Value of since').fill('2016');
      expect(await findings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByText('team').waitFor();
      await expect.poll(() => row.getByText('in part').count()).toBe(2);
      expect((await admin<{ attributes: object }>('GET', '/api/admin/users/rolf')).attributes).toEqual({ since: 2016 });
      await openAccess();
      await expect.poll(() => dialog.getByLabel('Value of since').inputValue()).toBe('2016');
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      // What the user may not do is not offered.
      const own = await openAs('rolf', `/explore?type=Film&open=node:${sample.films[4]}`);
      await own.getByRole('heading', { name: 'The Glass Orchard' }).waitFor();
      await own.getByRole('button', { name: 'Edit properties' }).waitFor();
      expect(await own.getByText('tagline').count()).toBe(0);
      expect(await own.getByRole('link', { name: 'Studio' }).count()).toBe(0);
      const offered = async (...names: string[]) =>
        Promise.all(
          names.map(
            async (name) =>
              (await own.getByRole('button', { name }).count()) +
              (await own.getByRole('link', { name, exact: true }).count()) +
              (await own.getByRole('tab', { name }).count()),
          ),
        );
      expect(
        await offered('Delete the node', 'Create a node', 'Create an edge from this node', 'Why can a user see', 'Administration'),
      ).toEqual([0, 0, 0, 0, 0]);
      await own.getByRole('button', { name: 'Edit properties' }).click();
      await own.getByLabel('Value of minutes').fill('100');
      await own.getByRole('button', { name: 'Save 1 change' }).click();
      await own.getByText('Saved').waitFor();
      await own.getByRole('button', { name: 'Undo' }).click(); // the grants allow it
      await own.getByText('Undone', { exact: true }).waitFor();
      await own.getByRole('link', { name: 'Changes', exact: true }).click();
      await own.getByRole('region', { name: 'Recorded changes' }).waitFor();

      // From the panel of an entity to the explanation.
      await page.goto(`${base}/explore?type=Film&open=node:${sample.films[2]}`);
      await page.getByRole('link', { name: 'Why can a user see this node, or not?' }).click();
      await page.getByRole('combobox', { name: 'User' }).fill('rolf');
      await expect.poll(() => page.getByLabel('ID', { exact: true }).inputValue()).toBe(sample.films[2]);
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: 'Refused: NOT_FOUND' }).waitFor();
      await page.getByRole('row', { name: /team 1 its condition where.released.gte is not met/ }).waitFor();
      await page.getByText(/visible failed/).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.getByLabel('ID', { exact: true }).fill(sample.films[4]!);
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: 'Allowed' }).waitFor();
      await page.getByLabel('Request', { exact: true }).selectOption('edit-node');
      await page.getByLabel('Body, as JSON').fill('{"properties":{"tagline":"x"}}');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: 'Refused: PERMISSION_DENIED' }).waitFor();
      await page.getByText(/allowed failed: .*tagline/).waitFor();
      await page.getByLabel('Body, as JSON').fill('{"properties":');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText(/is not JSON/).waitFor();
      await page.getByLabel('Request', { exact: true }).selectOption('see-node');
      await page.getByRole('combobox', { name: 'User' }).fill('nobody');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('must be the name of a user').waitFor();
      await page.getByRole('combobox', { name: 'User' }).fill('rolf');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('link', { name: 'team' }).first().click();
      await page.getByRole('dialog', { name: 'Role team' }).waitFor();
    } finally {
      await admin('DELETE', '/api/admin/users/rolf');
      await admin('DELETE', '/api/admin/roles/team');
    }
  });
});
