import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { base, openAs, sample } from './browser';
import { connect } from './api';

async function download(page: Page, item: string): Promise<string> {
  await page.getByRole('button', { name: /^Export/ }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
  return (await readFile(await file.path())).toString();
}

const chooseFile = (page: Page, lines: object[]) =>
  page.locator('input[type=file]').setInputFiles({
    name: 'some.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
  });

describe('export', () => {
  test('has the filtered rows in their order, and complete types that can be imported', async () => {
    const page = await openAs('viewer', '/explore?type=Film&sort=-rating&filter%5Brating%5D%5Bgte%3Afloat%5D=8');
    await page.getByRole('row', { name: /Glass Orchard/ }).waitFor();
    const rows = (await download(page, 'Rows (CSV)')).trim().split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[0]).toContain(':ID,:LABEL,');
    expect(rows[1]).toContain('The Glass Orchard');
    expect(rows[3]).toContain(',8.0,');
    const lines = (await download(page, 'Rows (NDJSON)')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([sample.films[4], sample.films[1], sample.films[7]]);
    const whole = (await download(page, 'All Film nodes and the edges between them (NDJSON)')).trim().split('\n');
    expect(JSON.parse(whole.at(-1)!)).toEqual({ kind: 'end', nodes: 12, edges: 0 });
    await page.getByText('Film.ndjson saved').last().waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'The whole graph (NDJSON)' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Import a file…' }).count()).toBe(0);
  });
});

describe('import', () => {
  test('accounts for every line that failed, also beyond the first hundred, and saves them', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    await page.getByRole('button', { name: 'Export and import' }).click();
    await page.getByRole('menuitem', { name: 'Import a file…' }).click();
    const lines = Array.from({ length: 150 }, (_, i) => ({ kind: 'edge', type: 'TWIN', source_ref: `no ${i}`, target_ref: 'nowhere' }));
    await chooseFile(page, [{ kind: 'node', type: 'FailedLine', properties: {} }, ...lines]);
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('The first 100 failed lines').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save these lines (NDJSON)' }).click(),
    ]);
    expect((await readFile(await saved.path())).toString()).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const [reasons] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save the reasons (CSV)' }).click(),
    ]);
    const rows = (await readFile(await reasons.path())).toString().trim().split('\r\n');
    expect(rows).toHaveLength(151);
    expect(rows.at(-1)).toMatch(/^151,/);
    const call = await connect(base);
    for (const { id } of await call<{ id: string }[]>('GET', '/api/nodes?type=FailedLine')) await call('DELETE', `/api/nodes/${id}`);
  });

  test('shows the result of every line; duplicate ids can be merged', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const open = async () => {
      await page.getByRole('button', { name: 'Export and import' }).click();
      await page.getByRole('menuitem', { name: 'Import a file…' }).click();
    };
    await open();
    const porto = { kind: 'node', id: '01900000-0000-7000-8000-00000000c1f1', type: 'City', properties: { name: 'Porto' } };
    const lines = [
      porto,
      { kind: 'edge', type: 'TWIN', source_id: porto.id, target_ref: 'nowhere' },
      { kind: 'edge', type: 'SHOT_IN', source_id: sample.films[0], target_id: porto.id },
    ];
    await chooseFile(page, lines);
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('row', { name: 'Total 2 0 0 1' }).waitFor();
    await dialog
      .getByRole('region', { name: 'Errors' })
      .getByRole('row', { name: /^2 .*target_ref/ })
      .waitFor();
    await dialog.getByRole('button', { name: 'Import another file' }).click();
    await chooseFile(page, [{ ...porto, properties: { name: 'Porto', rank: 2 } }]);
    await dialog.getByLabel('Merge').click();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('row', { name: 'Nodes 0 1 0 0' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row', { name: /Porto/ }).waitFor();
    const call = await connect(base);
    expect((await call<{ properties: { rank: number } }>('GET', `/api/nodes/${porto.id}`)).properties.rank).toBe(2);
    await call('DELETE', `/api/nodes/${porto.id}`);
  });

  test('is available with only the create permission, but without merging', async () => {
    const page = await openAs('writer');
    await page.getByRole('button', { name: 'Import a file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await expect.poll(() => dialog.getByLabel('Merge').isDisabled()).toBe(true);
    await chooseFile(page, [{ kind: 'node', type: 'Note', properties: { text: 'from a file' } }]);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('row', { name: 'Nodes 1 0 0 0' }).waitFor();
  });
});
