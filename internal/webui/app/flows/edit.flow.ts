import { describe, expect, test } from 'vitest';
import { base, openAs, reportBodies, sample } from './browser';
import { connect, cypher } from './api';

const person = (n: number) => `/explore?type=Person&open=node:${sample.people[n]}`;

describe('editing', () => {
  test('only exact changes are sent, with the ETag of the version read, and can be undone', async () => {
    const page = await openAs('keeper', person(0));
    await page
      .getByRole('definition')
      .filter({ hasText: /^9007199254740993$/ })
      .waitFor();
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of fans').fill('9223372036854775807');
    await page.getByLabel('Value of height').fill('2');
    await page.getByRole('textbox', { name: 'Item 1 of scores' }).fill('9.25');
    await page.getByRole('button', { name: 'Remove badge' }).click();
    await page.getByRole('button', { name: 'Add a property' }).click();
    await page.getByRole('combobox', { name: 'Name of the new property' }).fill('met');
    await page.getByLabel('Type of met').selectOption('LocalDateTime');
    await page.getByLabel('Value of met').fill('2026-05-01T09:30:00');
    await reportBodies(page);
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.method() === 'PUT'),
      page.getByRole('button', { name: 'Save 5 changes' }).click(),
    ]);
    const body = request.postData() ?? '';
    for (const part of ['"fans":9223372036854775807', '"height":2.0', '"scores":[9.25,2.5,3.0]', '"badge":null', '"$type":"LocalDateTime"'])
      expect(body).toContain(part);
    expect(body).not.toContain('"name"');
    expect(request.headers()['if-match']).toMatch(/^"/);
    await page
      .getByRole('definition')
      .filter({ hasText: /^9223372036854775807$/ })
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: /^9007199254740993$/ })
      .waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: /^aGVsbG8=$/ })
      .waitFor();
  });

  test('validation errors of the page and of the service are shown at the field', async () => {
    const page = await openAs('editor', person(1));
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of height').fill('tall');
    await page.getByText('Write a number such as 1.5').waitFor();
    await page.getByLabel('Value of height').fill('1.5');
    await page.getByLabel('Value of born').fill('2024-02-31');
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await expect.poll(() => page.getByLabel('Value of born').getAttribute('aria-invalid')).toBe('true');
  });

  test("a concurrent change is shown beside the user's own", async () => {
    const page = await openAs('editor', person(2));
    await page.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Value of height').fill('1.99');
    const other = await connect(base);
    await other('PUT', `/api/nodes/${sample.people[2]}`, { properties: { height: 1.11, born: null } });
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    const both = page.getByRole('dialog', { name: /Changed by another user/ });
    await both.getByText('1.99').waitFor();
    await both.getByText('1.11').waitFor();
    await both.getByText('not set').waitFor();
    await both.getByRole('button', { name: 'Save mine' }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: /^1.99$/ })
      .waitFor();
    const now = await other<{ properties: Record<string, unknown> }>('GET', `/api/nodes/${sample.people[2]}`);
    expect(now.properties['height']).toBe(1.99);
    expect(now.properties['born']).toBeUndefined();
  });

  test('nodes and edges are created; a delete shows how many edges it deletes and can be undone', async () => {
    const page = await openAs('keeper', '/explore?type=Studio');
    await page.getByRole('button', { name: 'Create a node', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Value of name').fill('Harbour Lights');
    await page.getByRole('button', { name: 'Create node' }).click();
    await page.getByRole('heading', { name: 'Harbour Lights' }).waitFor();
    await page.getByRole('row', { name: /Harbour Lights/ }).waitFor();
    const id = /open=node%3A([0-9a-f-]+)/.exec(page.url())?.[1] ?? '';

    await page.getByRole('button', { name: 'Create an edge from this node' }).click();
    const dialog = page.getByRole('dialog', { name: 'New edge' });
    await dialog.getByRole('combobox', { name: 'Type', exact: true }).fill('OWNS');
    await dialog.getByLabel('Target: node').fill(sample.studios[1]!);
    await page
      .getByRole('option', { name: new RegExp(`${sample.studios[1]}|Meridian`) })
      .first()
      .click();
    await dialog.getByRole('button', { name: 'Create edge' }).click();
    await page.getByRole('heading', { name: 'OWNS' }).waitFor();
    await page.goBack();

    await page.getByRole('heading', { name: 'Harbour Lights' }).waitFor();
    await page.getByRole('button', { name: 'Delete the node' }).click();
    await page.getByText('1 edge will be deleted with it.').waitFor();
    await page.getByRole('button', { name: 'Delete with 1 edge' }).click();
    await page.getByText('1 edge deleted with it.').waitFor();
    const admin = await connect(base);
    await expect(admin('GET', `/api/nodes/${id}`)).rejects.toThrow('NOT_FOUND');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Harbour Lights/ }).waitFor();
    const edges = await admin<{ type: string }[]>('GET', '/api/edges?type=OWNS');
    expect(edges).toHaveLength(1);
  });

  test('a node can be copied as Cypher that runs, and as curl without the token', async () => {
    const page = await openAs('viewer', person(0));
    await page.getByRole('heading', { name: 'Ada Lindqvist' }).waitFor();
    const copy = async (label: string) => {
      await page.getByRole('complementary', { name: 'Node' }).getByRole('button', { name: 'Copy as…' }).click();
      await page.getByRole('menuitem', { name: label, exact: true }).click();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const text = await copy('Cypher');
    const [, id] = /^:param id => '(.+)'\n/.exec(text) ?? [];
    const found = await cypher(text.replace(/^:param .*\n/, ''), { id });
    expect(JSON.stringify(found)).toContain('Ada Lindqvist');
    const curl = await copy('curl');
    expect(curl).toContain(`/api/nodes/${sample.people[0]}`);
    expect(curl).toContain('$TOKEN');
    expect(curl).not.toContain('eyJ');
  });
});
