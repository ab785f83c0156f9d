// @long
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, userPassword, waitForCount, type Call } from './api';
import { findings } from './axe';
import { base, openAs } from './browser';

let admin: Call;
const made: string[] = [];
beforeAll(async () => {
  admin = await connect(base);
  for (const team of ['blue', 'blue', 'red'])
    made.push((await admin<{ id: string }>('POST', '/api/nodes', { type: 'Sailor', properties: { team } })).id);
  await admin('POST', '/api/admin/users', { username: 'sailor', password: userPassword, attributes: { team: 'blue' } });
  await admin('POST', '/api/admin/roles', {
    name: 'sailors',
    grants: [{ kind: 'node', type: 'Sailor', actions: ['read'], where: { team: { eq: { $user: 'attributes.team' } } } }],
  });
  await waitForCount(base, 'nodes', 'Sailor', 3);
});
afterAll(async () => {
  for (const id of made) await admin('DELETE', `/api/nodes/${id}`);
  await admin('DELETE', '/api/admin/users/sailor');
  await admin('DELETE', '/api/admin/roles/sailors');
});

test('the editor counts what the role in the form shows, saved or not', async () => {
  const page = await openAs('admin', '/roles?role=sailors');
  const preview = page.getByRole('region', { name: 'Preview' });
  const sailors = preview.getByRole('row', { name: /^Sailor/ });
  await preview.getByRole('button', { name: 'Count' }).click();
  await sailors.getByRole('cell', { name: '0', exact: true }).waitFor();
  await preview.getByLabel('For the attributes of').fill('sailor');
  await preview.getByText('The form has changed since').waitFor();
  await preview.getByRole('button', { name: 'Count' }).click();
  await sailors.getByRole('cell', { name: '2', exact: true }).waitFor();
  await sailors.getByRole('cell', { name: '3', exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);

  // What is not saved yet counts.
  const json = page.getByLabel('Grants as JSON');
  await json.fill('[{"kind":"node","type":"Sailor","actions":["read"]}]');
  await preview.getByRole('button', { name: 'Count' }).click();
  await sailors.getByRole('cell', { name: 'all 3', exact: true }).waitFor();
  await preview.getByLabel('For the attributes of').fill('nobody at all');
  await preview.getByRole('button', { name: 'Count' }).click();
  await preview.getByText('must be the name of a user').waitFor();
  await json.fill('[');
  await expect.poll(() => preview.getByRole('button', { name: 'Count' }).isDisabled()).toBe(true);
  expect((await admin<{ grants: { where?: object }[] }>('GET', '/api/admin/roles/sailors')).grants[0]?.where).toBeDefined();
});
