import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { openAs } from './browser';

describe('declared types', () => {
  test('an administrator generates a declaration from the data, lists its violations and deletes it', async () => {
    const page = await openAs('admin', '/declared-types');
    await page.getByRole('button', { name: 'Declare a type' }).click();
    const dialog = page.getByRole('dialog', { name: 'Declare a type' });
    await dialog.getByRole('combobox', { name: 'Type' }).fill('Studio');
    await dialog.getByRole('button', { name: 'Generate from data' }).click();
    const schema = dialog.getByLabel('Properties, as JSON Schema');
    await expect.poll(() => schema.inputValue()).toContain('"neo4jType": "Date"');
    const drafted = await schema.inputValue();
    expect(Object.keys((JSON.parse(drafted) as { properties: object }).properties)).toEqual(['name', 'employees', 'founded']);

    // The form and the text are in step.
    const form = dialog.getByRole('group', { name: 'Properties', exact: true });
    const employees = form.getByRole('group', { name: 'employees', exact: true });
    await expect.poll(() => employees.getByLabel('Type').inputValue()).toBe('Integer');
    await employees.getByLabel('Minimum').fill('fifty');
    await employees.getByLabel('Maximum').fill('100000');
    await employees.getByText('Write a number such as 1.5').waitFor();
    await employees.getByLabel('Minimum').fill('50');
    await employees.getByLabel('Minimum').press('Enter');
    await employees.getByLabel('Unique').check();
    await form.getByRole('button', { name: 'Add a property' }).click();
    const added = form.getByRole('group', { name: 'property', exact: true });
    await added.getByLabel('Type').selectOption('String');
    await added.getByLabel('Allowed values').fill('film');
    await added.getByLabel('Allowed values').press('Enter');
    await added.getByLabel('Required').check();
    await added.getByLabel('Name').fill('branch');
    await added.getByLabel('Name').press('Tab');
    const written = JSON.parse(await schema.inputValue()) as { properties: Record<string, unknown>; required: string[] };
    expect(written.properties['employees']).toEqual({ type: 'integer', minimum: 50, maximum: 100000 });
    expect(written.properties['branch']).toEqual({ type: 'string', enum: ['film'] });
    expect(written.required).toContain('branch');
    await dialog.getByText('employees', { exact: true }).first().waitFor(); // also among the unique keys
    expect(await findings(page)).toEqual([]);
    await employees.getByLabel('Unique').uncheck();
    await schema.fill('{"properties": {"only": {"type": "boolean"}}}');
    await expect.poll(() => form.getByRole('group').count()).toBe(1);
    await expect.poll(() => form.getByRole('group', { name: 'only', exact: true }).getByLabel('Type').inputValue()).toBe('Boolean');
    await employees.waitFor({ state: 'detached' });

    await schema.fill('{"properties": {');
    await dialog.getByText('The form follows the JSON beside it').waitFor();
    await dialog.getByRole('button', { name: 'Declare', exact: true }).click();
    await dialog.getByText(/is not JSON/).waitFor();
    await schema.fill('{"properties": {"employees": {"type": "whole"}}}');
    await dialog.getByRole('button', { name: 'Declare', exact: true }).click();
    await expect.poll(() => schema.getAttribute('aria-invalid')).toBe('true');
    await schema.fill(drafted.replace(/"employees": \{/, '"employees": {"minimum": 50,'));
    await dialog.getByLabel('Level').selectOption('moderate');
    await dialog.getByRole('button', { name: 'Declare', exact: true }).click();
    await page.getByRole('row', { name: /Studio.*moderate.*name/ }).waitFor();

    await page.getByRole('button', { name: 'Edit Studio' }).click();
    const edit = page.getByRole('dialog', { name: 'Declaration of Studio' });
    await expect.poll(() => edit.getByLabel('Properties, as JSON Schema').inputValue()).toMatch(/"minimum": 50\b(?!\.)/);
    await edit.getByLabel('Level').selectOption('strict');
    await edit.getByRole('button', { name: 'Declare', exact: true }).click();
    await page.getByRole('row', { name: /Studio.*strict/ }).waitFor();

    await page.getByRole('button', { name: 'Violations of Studio' }).click();
    const violations = page.getByRole('dialog', { name: 'Violations of Studio' });
    await violations.getByText('1 node:').waitFor();
    await violations.getByText(/employees .*50/).waitFor();
    await violations.getByRole('link', { name: 'Kite & Anchor' }).click();
    await page.getByRole('heading', { name: 'Kite & Anchor' }).waitFor();

    await page.goBack();
    await page.getByRole('button', { name: 'Delete Studio' }).click();
    await page.getByRole('button', { name: 'Delete declaration' }).click();
    await page.getByRole('heading', { name: 'No declared types' }).waitFor();
  });

  test('other users cannot open the page', async () => {
    const page = await openAs('keeper', '/declared-types');
    await page.getByRole('heading', { name: 'For administrators' }).waitFor();
    expect(await page.getByRole('link', { name: 'Declared types', exact: true }).count()).toBe(0);
  });
});
