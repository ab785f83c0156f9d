// @long
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { base, openAs, sample } from './browser';
import { connect } from './api';

async function chooseTable(page: Page, name: string, text: string) {
  await page.getByRole('button', { name: 'Export and import' }).click();
  await page.getByRole('menuitem', { name: 'Import a file…' }).click();
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('region', { name: 'Columns' }).waitFor();
  return dialog;
}

describe('a CSV file', () => {
  test('becomes nodes: types are proposed, wrong rows are named before anything is written, and the import is undone', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const dialog = await chooseTable(
      page,
      'harbours.csv',
      'name;code;depth;opened\nLeixões;007;12.5;1892-01-01\nSines;008;17;1978-05-05\nFaro;009;deep;\n',
    );
    await dialog.getByLabel('Type', { exact: true }).fill('Harbour');
    await dialog.getByLabel('Type of depth').selectOption('Float');
    await expect.poll(() => dialog.getByLabel('Type of code').inputValue()).toBe('String');
    await expect.poll(() => dialog.getByLabel('Type of opened').inputValue()).toBe('Date');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save as recipe' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('harbours');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('2 rows can be imported, 1 cannot.').waitFor();
    await dialog.getByRole('row', { name: '4 depth deep Write a number' }).waitFor();
    const call = await connect(base);
    expect((await call<unknown[]>('GET', '/api/nodes?type=Harbour')).length).toBe(0);
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByRole('row', { name: 'Nodes 2 0 0 0' }).waitFor();
    await dialog.getByText('Rows of the file: 3. 2 made, 1 left out by the check.').waitFor();
    const made = await call<{ properties: object }[]>('GET', '/api/nodes?type=Harbour&sort=code');
    expect(made[0]!.properties).toEqual({ name: 'Leixões', code: '007', depth: 12.5, opened: { $type: 'Date', _value: '1892-01-01' } });
    await dialog.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByRole('button', { name: 'Undo 2 changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await call<unknown[]>('GET', '/api/nodes?type=Harbour')).length).toBe(0);
  });

  test('with duplicates and wrong values: the check reports them, and rows left out are saved with reasons and mended here', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const dialog = await chooseTable(page, 'quays.csv', 'name,depth\nA,1.5\nB,2\nA,1.5\nC,deep\n');
    await dialog.getByLabel('Type', { exact: true }).fill('Quay');
    await dialog.getByLabel('Type of depth').selectOption('Float');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('1 row: 4 is equal to 2.').waitFor();
    await dialog.getByLabel('Leave out rows that are equal to an earlier row').check();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByText('Rows of the file: 4. 2 made, 2 left out by the check.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save them with their reasons (CSV)' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('quays-not-imported.csv');
    expect((await readFile(await file.path())).toString()).toMatch(
      /^name,depth,reason:IGNORE\r\nA,1.5,Row 4: Row 2 is equal\r\nC,deep,"Row 5: depth: Write a number.*"\r\n$/,
    );
    await dialog.getByRole('button', { name: 'Mend them here' }).click();
    await dialog.getByLabel('depth of row 5').fill('3');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import 1 row', exact: true }).click();
    await dialog.getByText('Rows of the file: 1. 1 made.').waitFor();
    const call = await connect(base);
    const made = await call<{ id: string; properties: { depth: number } }[]>('GET', '/api/nodes?type=Quay&sort=depth');
    expect(made.map((n) => n.properties.depth)).toEqual([1.5, 2, 3]);
    for (const each of made) await call('DELETE', `/api/nodes/${each.id}`);
  });

  test('changes the nodes with the same value of a property, makes the others, and can be imported again', async () => {
    const call = await connect(base);
    const marked = 'a\u202eb'; // turns what follows around
    const properties = { code: 'P-1', depth: 1.5, owner: 'A', [marked]: 'x' };
    const old = await call<{ id: string }>('POST', '/api/nodes', { type: 'Pier', properties });
    for (const depth of [1, 2]) await call('POST', '/api/nodes', { type: 'Pier', properties: { code: 'P-3', depth } });
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const dialog = await chooseTable(page, 'piers.csv', `code,depth,owner,${marked}\nP-1,2.5,,\nP-2,3,B,\nP-3,4,C,\nP-2,5,D,\n,6,E,\n`);
    await dialog.getByLabel('Type', { exact: true }).fill('Pier');
    const key = dialog.getByLabel('Rows change nodes with the same');
    await key.selectOption('code');
    expect(await key.locator('option').allTextContents()).toEqual(['None: all rows are new', 'code', 'depth', 'owner', 'a\\u202eb']);
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await dialog.getByLabel('code is', { exact: true }).boundingBox())!.width).toBeGreaterThanOrEqual(100);
    await page.setViewportSize({ width: 683, height: 384 });
    await dialog.getByRole('button', { name: 'Check' }).focus();
    await page.keyboard.press('Enter');
    await dialog
      .getByText('2 rows can be imported, 3 cannot. 1 row of them will change a node that exists. The service has checked the first 2')
      .waitFor();
    for (const seen of [dialog.getByText('2 rows can be imported, 3 cannot.'), dialog.getByRole('button', { name: 'Import 2 rows' })]) {
      const at = (await seen.boundingBox())!;
      expect(at.y).toBeGreaterThanOrEqual(0);
      expect(at.y + at.height).toBeLessThanOrEqual(384);
    }
    await page.setViewportSize({ width: 1366, height: 820 });
    await dialog.getByRole('row', { name: '4 code P-3 2 nodes of type Pier have this code' }).waitFor();
    await dialog.getByRole('row', { name: '5 code P-2 Row 3 has the same code, which must be unique' }).waitFor();
    await dialog.getByRole('row', { name: '6 code is empty, and rows are found by it' }).waitFor();
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByText('Rows of the file: 5. 1 made, 1 merged, 3 left out by the check.').waitFor();
    const piers = () => call<{ id: string; properties: object }[]>('GET', '/api/nodes?type=Pier&sort=depth');
    const after = await piers();
    expect(after.map((n) => n.properties)).toEqual([
      { code: 'P-3', depth: 1 },
      { code: 'P-3', depth: 2 },
      { code: 'P-1', depth: 2.5, owner: 'A', [marked]: 'x' },
      { code: 'P-2', depth: 3, owner: 'B' },
    ]);
    expect(after[2]!.id).toBe(old.id);
    // The same rows again make nothing.
    await dialog.getByRole('button', { name: 'Mend them here' }).click();
    await dialog.getByLabel('code of row 6').fill('P-2');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('1 row of them will change a node that exists').waitFor();
    await dialog.getByRole('button', { name: 'Import 1 row', exact: true }).click();
    await dialog.getByRole('row', { name: 'Nodes 0 1 0 0' }).waitFor();
    expect((await piers()).length).toBe(4);
    for (const { id } of after) await call('DELETE', `/api/nodes/${id}`);
  });

  test('becomes edges, whose ends are found by a property; a recipe maps the next file', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const rows = 'film,city,days\nThe Glass Orchard,Lisbon,3\nThe Glass Orchard,Atlantis,4\n';
    const dialog = await chooseTable(page, 'shot.csv', rows);
    await dialog.getByText('Edges', { exact: true }).click();
    await dialog.getByLabel('Type', { exact: true }).fill('FILMED_NEAR');
    await dialog.getByLabel('film is', { exact: true }).selectOption('source');
    await dialog.getByLabel('city is', { exact: true }).selectOption('target');
    await dialog.getByLabel('Source is found by').selectOption('Film');
    await dialog.getByLabel('Property of the source').selectOption('title');
    await dialog.getByLabel('Target is found by').selectOption('City');
    await dialog.getByLabel('Property of the target').selectOption('name');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('row', { name: '3 city Atlantis No City has this name' }).waitFor();
    await dialog.getByRole('button', { name: 'Save as recipe' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('filmed near');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Import 1 row', exact: true }).click();
    await dialog.getByRole('row', { name: 'Edges 1 0 0 0' }).waitFor();
    await dialog.getByRole('button', { name: 'Import another file' }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'more.csv', mimeType: 'text/csv', buffer: Buffer.from('days,city,film\n5,Kyoto,The Glass Orchard\n') });
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('Recipe', { exact: true }).selectOption('filmed near');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import 1 row', exact: true }).click();
    await dialog.getByRole('row', { name: 'Edges 1 0 0 0' }).waitFor();
    const call = await connect(base);
    const edges = await call<{ id: string; source_id: string; properties: { days: number } }[]>(
      'GET',
      '/api/edges?type=FILMED_NEAR&sort=days',
    );
    expect(edges.map((e) => e.properties.days)).toEqual([3, 5]);
    expect(edges[0]!.source_id).toBe(sample.films[4]);
    for (const edge of edges) await call('DELETE', `/api/edges/${edge.id}`);
  });

  test('with decimal commas, days first and yes or no is read so, and the form is shown', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const dialog = await chooseTable(
      page,
      'umsatz.csv',
      'Kunde;Umsatz;Datum;Bezahlt\r\nMüller;1.234,50;31.12.2024;ja\r\nJörg;0,99;01.02.2024;nein\r\nWrong;5;30.02.2022;ja\r\n',
    );
    const form = dialog.getByLabel('Numbers and dates');
    await expect.poll(() => form.inputValue()).toBe('comma');
    await form.selectOption('plain');
    await expect.poll(() => dialog.getByLabel('Type of Umsatz').inputValue()).toBe('String');
    await form.selectOption('comma');
    await expect.poll(() => dialog.getByLabel('Type of Umsatz').inputValue()).toBe('Float');
    await dialog.getByLabel('Type of Datum').selectOption('Date');
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel('Type', { exact: true }).fill('Umsatz');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('row', { name: '4 Datum 30.02.2022 There is no day 30.02.2022' }).waitFor();
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByRole('row', { name: 'Nodes 2 0 0 0' }).waitFor();
    const call = await connect(base);
    const made = await call<{ id: string; properties: object }[]>('GET', '/api/nodes?type=Umsatz&sort=Umsatz');
    expect(made[1]!.properties).toEqual({
      Kunde: 'Müller',
      Umsatz: 1234.5,
      Datum: { $type: 'Date', _value: '2024-12-31' },
      Bezahlt: true,
    });
    for (const each of made) await call('DELETE', `/api/nodes/${each.id}`);
  });

  test('is mended row by row: each value stays in its row, and one click checks it', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    const dialog = await chooseTable(page, 'guests.csv', 'n,d\nAnna,30.02.2020\nBob,31.04.2021\nEve,01.05.2020\n');
    await dialog.getByLabel('Numbers and dates').selectOption('comma');
    await dialog.getByLabel('Type', { exact: true }).fill('Guest');
    await dialog.getByLabel('Type of d').selectOption('Date');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('1 row can be imported, 2 cannot.').waitFor();
    // As with a hand: the press takes the focus from the field, the release is at the same place.
    const check = async (row: number, text: string) => {
      await dialog.getByLabel(`d of row ${row}`).fill(text);
      const { x, y, width, height } = (await dialog.getByRole('button', { name: 'Check' }).boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.up();
    };
    await check(2, '28.02.2020');
    await dialog.getByText('2 rows can be imported, 1 cannot.').waitFor();
    expect(await dialog.getByLabel('d of row 3').inputValue()).toBe('31.04.2021');
    await dialog.getByLabel('d of row 3').focus();
    await page.keyboard.press('Tab');
    await dialog.getByText('2 rows can be imported, 1 cannot.').waitFor(); // still what was checked
    await check(3, '30.04.2021');
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click();
    await dialog.getByRole('row', { name: 'Nodes 3 0 0 0' }).waitFor();
    const call = await connect(base);
    const made = await call<{ id: string; properties: { d: { _value: string } } }[]>('GET', '/api/nodes?type=Guest&sort=n');
    expect(made.map((n) => n.properties.d._value)).toEqual(['2020-02-28', '2021-04-30', '2020-05-01']);
    for (const each of made) await call('DELETE', `/api/nodes/${each.id}`);
  });

  test('of an export becomes equal nodes again, and a node is found by an integer of 19 digits', async () => {
    const call = await connect(base);
    const properties = [
      String.raw`{"type":"007","id":1050118621198921728,"phone":"+49 30 1234","small":-1.5e-7,"tags":["a;b","=1"]}`,
      String.raw`{"type":"-1.5","id":1050118621198921729,"phone":"a;=1+1","small":2.0,"text":"two\r\nlines"}`,
    ];
    for (const each of properties) await call('POST', '/api/nodes', `{"type":"Ledger","properties":${each}}`);
    const values = async () => (await call<{ properties: object }[]>('GET', '/api/nodes?type=Ledger&sort=id')).map((n) => n.properties);
    const before = await values();
    const page = await openAs('keeper', '/explore?type=Ledger');
    await page.getByRole('row', { name: /a;=1/ }).waitFor();
    await page.getByRole('button', { name: /^Export/ }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Rows (CSV)' }).click()]);
    const text = (await readFile(await file.path())).toString();
    for (const each of await call<{ id: string }[]>('GET', '/api/nodes?type=Ledger')) await call('DELETE', `/api/nodes/${each.id}`);
    const dialog = await chooseTable(page, 'again.csv', text);
    await dialog.getByLabel(':ID is', { exact: true }).selectOption('ignore');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
    await dialog.getByRole('row', { name: 'Nodes 2 0 0 0' }).waitFor();
    expect(await values()).toEqual(before);
    await dialog.getByRole('button', { name: 'Import another file' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('source;target\n1050118621198921728;1050118621198921729\n'),
    });
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByText('Edges', { exact: true }).click();
    await dialog.getByLabel('Type', { exact: true }).fill('LINKED');
    for (const end of ['Source', 'Target']) {
      await dialog.getByLabel(`${end} is found by`).selectOption('Ledger');
      await dialog.getByLabel(`Property of the ${end.toLowerCase()}`).selectOption('id');
    }
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import 1 row', exact: true }).click();
    await dialog.getByRole('row', { name: 'Edges 1 0 0 0' }).waitFor();
    const nodes = await call<{ id: string }[]>('GET', '/api/nodes?type=Ledger&sort=id');
    const [edge] = await call<{ source_id: string; target_id: string }[]>('GET', '/api/edges?type=LINKED');
    expect([edge!.source_id, edge!.target_id]).toEqual(nodes.map((n) => n.id));
    for (const each of nodes) await call('DELETE', `/api/nodes/${each.id}`);
  });

  test('that is not a table is an error with its reason', async () => {
    const page = await openAs('keeper', '/explore?type=City');
    await page.getByRole('row', { name: /Lisbon/ }).waitFor();
    await page.getByRole('button', { name: 'Export and import' }).click();
    await page.getByRole('menuitem', { name: 'Import a file…' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'a.xlsx', mimeType: 'text/csv', buffer: Buffer.from('a,b') });
    const dialog = page.getByRole('dialog', { name: 'Import', exact: true });
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('alert').getByText('not a workbook').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByLabel('File').waitFor();
  });
});
