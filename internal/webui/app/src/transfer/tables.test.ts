// @vitest-environment node
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { isTable, maxWorkbookBytes, readTable, sheetTexts, tableOf } from './tables';

const file = (content: BlobPart, name: string) => new File([content], name);

test('a table is known by the name of its file', () => {
  expect(['a.csv', 'A.TSV', 'b.c.xlsx'].map(isTable)).toEqual([true, true, true]);
  expect(['a.ndjson', 'csv', 'a.xls'].map(isTable)).toEqual([false, false, false]);
});

test('CSV is read with any of the usual separators, quotes and a byte order mark', async () => {
  const table = await readTable(file('\ufeffname;note\r\n"Ann; B";"two\nlines"\r\n\r\nBob\r\n', 'people.csv'));
  expect(table).toEqual({
    columns: ['name', 'note'],
    rows: [
      ['Ann; B', 'two\nlines'],
      ['', ''], // so that Bob is in the row of the file
      ['Bob', ''],
    ],
    firstRow: 2,
  });
});

test('CSV is read as spreadsheets and scripts write it', async () => {
  for (const [firstRow, text] of [
    [3, 'sep=;\r\na;b\r\n1;2\r\n'],
    [3, '"sep=~"\na~b\n1~2\n'],
    [2, 'a,b\r\r\n1,2\r\r\n'],
    [2, 'a,b\r1,2\r'],
    [2, '\ufeff\ufeffa,b\n1,2\n'],
    [4, '\n,\na,b\n1,2\n\n,\n'],
    [4, '\n;\na;b\n1;2\n\n;\n'],
  ] as const)
    expect(await readTable(file(text, 'a.csv'))).toEqual({ columns: ['a', 'b'], rows: [['1', '2']], firstRow });
});

test('CSV is read in UTF-16 with a byte order mark', async () => {
  const text = '\ufeffname\tborn\r\nZoë\t1960';
  for (const bigEndian of [false, true]) {
    const bytes = new Uint8Array(
      [...text].flatMap((c) => (bigEndian ? [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255] : [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8])),
    );
    expect(await readTable(new File([bytes], 'a.csv'))).toEqual({ columns: ['name', 'born'], rows: [['Zoë', '1960']], firstRow: 2 });
  }
});
test('a file that is not in UTF-8 is rejected, not read wrongly', async () => {
  await expect(readTable(file(new Uint8Array([0x61, 0x0a, 0xe9, 0x0a]), 'a.csv'))).rejects.toThrow('UTF-8');
});

test('the error of an invalid table has its reason', () => {
  expect(() => tableOf([])).toThrow('names of its columns');
  expect(() => tableOf([['a']])).toThrow('no rows');
  expect(() => tableOf([['a', 'b', 'a'], ['1']])).toThrow('Two columns have the name a');
  expect(() => tableOf([['a'], ['1'], ['1', '2']])).toThrow('Row 3 has more cells');
  expect(() => tableOf([[''], ['', ''], ['a'], ['1'], ['1', '2']])).toThrow('Row 5 has more cells');
  expect(tableOf([['a'], ['1', '']]).rows).toEqual([['1']]);
});

test('a sheet of Excel is read, with numbers and dates as text', async () => {
  const sheet =
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
    '<row r="1"><c r="A1" t="inlineStr"><is><t>code</t></is></c><c r="B1" t="inlineStr"><is><t>height</t></is></c></row>' +
    '<row r="2"><c r="A2" t="inlineStr"><is><t>TLV</t></is></c><c r="B2"><v>1.5</v></c></row>' +
    '</sheetData></worksheet>';
  const parts = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ' +
      'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
      'Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
      'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
      '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ' +
      'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" ' +
      'Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  };
  const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
  expect(await readTable(file(new Uint8Array(bytes), 'a.xlsx'))).toEqual({
    columns: ['code', 'height'],
    rows: [['TLV', '1.5']],
    firstRow: 2,
  });
  await expect(readTable(file('no zip', 'a.xlsx'))).rejects.toThrow('workbook');
  const [midnight, noon] = [new Date('2024-05-01T00:00:00Z'), new Date('2024-05-01T12:30:00Z')];
  expect(
    sheetTexts([
      [midnight, noon, true],
      [midnight, midnight, 2, null],
    ]),
  ).toEqual([
    ['2024-05-01', '2024-05-01T12:30:00', 'true'],
    ['2024-05-01', '2024-05-01T00:00:00', '2', ''],
  ]);
});

test('a workbook that claims too many bytes is not unpacked', async () => {
  const bytes = zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') });
  const header = bytes.findIndex((_, at) => bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 1 && bytes[at + 3] === 2);
  new DataView(bytes.buffer).setUint32(header + 24, maxWorkbookBytes + 1, true); // its size when it is unpacked
  await expect(readTable(file(new Uint8Array(bytes), 'a.xlsx'))).rejects.toThrow('more than 256 MiB when it is unpacked');
});
