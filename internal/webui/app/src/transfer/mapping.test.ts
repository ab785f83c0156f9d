import { expect, test } from 'vitest';
import type { Schema } from '../api/graph';
import { chunkValues } from './lookup';
import { detectForm } from './forms';
import { countMismatches, inferKind, parseCell } from './kinds';
import { findDuplicates } from './duplicates';
import { cellOfError, checkMapping, keyText, lineOf, mapRows, proposeMapping, type Mapping } from './mapping';
import { applyRecipe } from './recipes';
import { tableOf } from './tables';

const property = (name: string, type: string) => ({ name, types: [type], presence: 1, unique: false, indexed: false });
const schema = {
  node_types: [{ type: 'Film', properties: [property('rating', 'Float'), property('title', 'String')] }],
  edge_types: [],
} as unknown as Schema;
const noEnds = { source: () => '', target: () => '' };

test('the type of a column is the narrowest that all its cells have', () => {
  expect(inferKind(['1', '', '-20'])).toBe('Integer');
  expect(inferKind(['1', '2.5'])).toBe('Float');
  expect(inferKind(['true', 'false'])).toBe('Boolean');
  expect(inferKind(['2024-05-01'])).toBe('Date');
  expect(inferKind(['2024-05-01T10:00:00', '2024-05-01T10:00:00.5'])).toBe('LocalDateTime');
  expect(inferKind(['2024-05-01T10:00:00Z'])).toBe('OffsetDateTime');
  expect(inferKind(['007', '12'])).toBe('String');
  expect(inferKind(['9223372036854775808', '1e400'])).toBe('String');
  expect(inferKind(['', ''])).toBe('String');
});

test('numbers and dates are read as the file is said to write them; text stays as it is', () => {
  const table = tableOf([
    ['price', 'count', 'on', 'at', 'open', 'code'],
    ['1.234,50', '1.234', '31.12.2024', '1.2.2024 9:05', 'ja', '1,5a'],
    ['0,99', '-7', '29.02.2024', '31.12.2024 23:59:01', 'nein', '12'],
  ]);
  const m = proposeMapping(table, 'node', 'Other', schema, 'comma');
  expect(m.columns.map((c) => c.kind)).toEqual(['Float', 'Integer', 'Date', 'LocalDateTime', 'Boolean', 'String']);
  const { rows, errors } = mapRows(table, m, noEnds);
  expect(errors).toEqual([]);
  expect(rows[0]!.properties).toEqual({
    price: 1234.5,
    count: 1234n,
    on: { $type: 'Date', _value: '2024-12-31' },
    at: { $type: 'LocalDateTime', _value: '2024-02-01T09:05:00' },
    open: true,
    code: '1,5a',
  });
  expect(proposeMapping(table, 'node', 'Other', schema).columns.map((c) => c.kind)).toEqual([
    ...['String', 'Float', 'String', 'String', 'String', 'String'],
  ]);
  expect(detectForm(table.rows)).toBe('comma');
  expect(
    detectForm([
      ['1,5', '31.12.2024'],
      ['', 'soon'],
    ]),
  ).toBe('plain');
  const wrong = tableOf([['on'], ['30.02.2022']]);
  const dates: Mapping = { ...proposeMapping(wrong, 'node', 'Other', schema, 'comma') };
  dates.columns[0] = { ...dates.columns[0]!, kind: 'Date' };
  expect(mapRows(wrong, dates, noEnds).errors[0]!.message).toBe('There is no day 30.02.2022');
});

test.each(['plain', 'comma', 'point'] as const)('what a message says to write is read in the form %s', (form) => {
  for (const kind of ['Integer', 'Float', 'Boolean', 'Date', 'LocalDateTime', 'OffsetDateTime', 'Duration'] as const) {
    const wrong = parseCell(kind, 'vielleicht', form);
    const message = 'error' in wrong ? wrong.error : '';
    expect(message).toMatch(/^Write /);
    const examples = message.match(/(?<= (as|or) )\w[\w.,:+-]*( \d\d:\d\d:\d\d)?/g) ?? [];
    for (const example of examples)
      expect([kind, example, parseCell(kind, example.replace(/,$/, ''), form)]).toEqual([kind, example, { value: expect.anything() }]);
    // In another form than that of programs, the message has the days, numbers and words of the form.
    if (form !== 'plain' && ['Boolean', 'Date', 'LocalDateTime'].includes(kind)) expect(message).toMatch(/31\.12\.2024|yes or no, ja/);
  }
  const number = parseCell('Float', 'abc', form);
  expect(number).toEqual({ error: expect.stringContaining(form === 'comma' ? 'such as 1234,5' : 'such as 1.5') });
});

test('12.5 is no number where 1.234 is a thousand and more', () => {
  const table = tableOf([
    ['on', 'height', 'code'],
    ['31.12.2024', '12.5', '1.5.7'],
    ['1.2.2024', '1.234', '2'],
  ]);
  expect(detectForm(table.rows)).toBe('point');
  const kindsIn = (form: 'comma' | 'point') => proposeMapping(table, 'node', 'Other', schema, form).columns.map((c) => c.kind);
  expect(kindsIn('point')).toEqual(['Date', 'Float', 'String']);
  expect(mapRows(table, proposeMapping(table, 'node', 'Other', schema, 'point'), noEnds).rows[1]!.properties.height).toBe(1.234);
  expect(kindsIn('comma')).toEqual(['Date', 'String', 'String']);
  expect(countMismatches('Float', ['12.5', '1.234', '1,5'], 'comma')).toBe(1);
});

test('an error has the row of the file, also below empty rows, which are not imported', () => {
  const table = tableOf([
    ['rating', 'title'],
    ['', ' '],
    ['soon', 'Ran'],
    ['', ''],
    ['8', 'Heat'],
    ['', ''],
  ]);
  const { rows, errors } = mapRows(table, proposeMapping(table, 'node', 'Film', schema), noEnds);
  expect(errors.map((e) => [e.row, cellOfError(table, e)])).toEqual([[3, 'soon']]);
  expect(rows.map((row) => row.row)).toEqual([5]);
});

test('a few wrong cells do not make a column text, so that they are errors of their rows', () => {
  const cells = Array.from({ length: 40 }, (_, i) => `${i}.5`);
  expect(inferKind([...cells, 'tall'])).toBe('Float');
  expect(countMismatches('Float', [...cells, '', 'tall'])).toBe(1);
  expect(inferKind([...cells.slice(0, 5), 'tall'])).toBe('String');
  expect(inferKind([...cells.slice(0, 5), ...Array.from({ length: 3000 }, () => 'x')])).toBe('String');
  const table = tableOf([['rating'], ['8'], ['unknown']]);
  expect(proposeMapping(table, 'node', 'Film', schema).columns[0]!.kind).toBe('Float');
  expect(proposeMapping(table, 'node', 'Other', schema).columns[0]!.kind).toBe('String');
});

test('an error names the cell', () => {
  const table = tableOf([
    ['title', 'rating'],
    ['Heat', '8'],
    ['Ran', 'soon'],
  ]);
  const { errors } = mapRows(table, proposeMapping(table, 'node', 'Film', schema), noEnds);
  expect(errors.map((e) => cellOfError(table, e))).toEqual(['soon']);
  expect(cellOfError(table, { row: 2, column: 'other', message: '' })).toBe('');
});

test('a property that the type has keeps its type if half of the cells fit', () => {
  const table = tableOf([
    ['title', 'rating', 'year'],
    ['1984', '8', '1984'],
    ['Heat', '', '1995'],
  ]);
  const kinds = (type: string) => proposeMapping(table, 'node', type, schema).columns.map((c) => c.kind);
  expect(kinds('Film')).toEqual(['String', 'Float', 'Integer']);
  expect(kinds('Other')).toEqual(['String', 'Integer', 'Integer']);
  const rated = (...cells: string[]) =>
    proposeMapping(tableOf([['rating'], ...cells.map((c) => [c])]), 'node', 'Film', schema).columns[0]!.kind;
  expect(rated('8.50', '1e1')).toBe('Float');
  expect(rated('8.5', '12345678901234567891')).toBe('String');
  expect(rated('8.5', '007')).toBe('String');
});

test('a column of one kind of time is not one of another that its property has', () => {
  const of = (known: string, ...cells: string[]) => {
    const property = { name: 'at', types: [known], presence: 1, unique: false, indexed: false };
    const ofAt = { node_types: [{ type: 'Event', properties: [property] }], edge_types: [] } as unknown as typeof schema;
    return proposeMapping(tableOf([['at'], ...cells.map((cell) => [cell])]), 'node', 'Event', ofAt).columns[0]!.kind;
  };
  expect(of('OffsetDateTime', '2024-03-31T12:00:00+02:00[Europe/Berlin]')).toBe('ZonedDateTime');
  expect(of('LocalDateTime', '2024-03-31T12:00:00+02:00')).toBe('OffsetDateTime');
  expect(of('OffsetDateTime', '2024-03-31T12:00+02:00', '2024-03-31T12:00:00.50+0200')).toBe('OffsetDateTime');
  expect(of('LocalTime', '12:30:00+02:00')).toBe('String');
});

test('ids and ends are found by the names of their columns', () => {
  const edges = proposeMapping(
    tableOf([
      ['from', 'to', 'since', ''],
      ['a', 'b', '1', 'x'],
    ]),
    'edge',
    'KNOWS',
    schema,
  );
  expect(edges.columns.map((c) => c.use)).toEqual(['source', 'target', 'property', 'ignore']);
  expect(checkMapping(edges)).toBeNull();
  expect(checkMapping({ ...edges, columns: edges.columns.slice(1) })).toContain('source');
  const uuid = '01900000-0000-7000-8000-00000000c1f1';
  expect(proposeMapping(tableOf([['id'], [uuid]]), 'node', 'Film', schema).columns[0]!.use).toBe('id');
  expect(proposeMapping(tableOf([['id'], ['17']]), 'node', 'Film', schema).columns[0]!.use).toBe('property');
});

test('a type that only the command reads is no part of a name, and a prefix of a vocabulary is no role', () => {
  const propose = (...columns: string[]) => proposeMapping(tableOf([columns, columns.map(() => '1')]), 'node', 'Film', schema);
  for (const unread of ['tags:string[]', 'at:datetime{timezone:Europe/Stockholm}', 'p:point{crs:WGS-84}[]', 'c:CHAR', 'n:', '"a:b":char']) {
    const mapping = propose(':ID', unread);
    expect(checkMapping(mapping)).toContain(`The type of ${unread} is not read here`);
    mapping.columns[1]!.property = 'tags';
    expect(checkMapping(mapping)).toBeNull();
    expect(checkMapping(propose('name', unread)), 'no column says that names have types').toBeNull();
  }
  expect(checkMapping(propose(':ID{id-type:int}', 'tags:string[]'))).toContain('tags:string[]');
  const several = propose(':ID', 'tags:string[] ', 'more:int[]', 'initial:char', 'born:date ');
  expect(several.columns[4]).toMatchObject({ property: 'born', kind: 'Date' });
  for (const [at, unread] of ['tags:string[]', 'more:int[]', 'initial:char'].entries()) {
    expect(checkMapping(several)).toContain(`The type of ${unread} is not read here`);
    several.columns[at + 1]!.property = `${unread} `;
    expect(checkMapping(several), 'a space is no other name').toContain(unread);
    several.columns[at + 1]!.property = `p${at}`;
  }
  expect(checkMapping(several)).toBeNull();
  expect(propose('uri', 'rdf:type', 'rdfs:label', 'n').columns.map((c) => [c.use, c.property, c.kind])).toEqual([
    ['property', 'uri', 'Integer'],
    ['property', 'rdf:type', 'Integer'],
    ['property', 'rdfs:label', 'Integer'],
    ['property', 'n', 'Integer'],
  ]);
});

test('rows become lines; an empty cell is no property, and errors name row and column', () => {
  const table = tableOf([
    ['title', 'year', '__proto__'],
    ['Heat', '1995', 'x'],
    ['Alien', 'soon', ''],
    ['Ran', '', ''],
  ]);
  const m: Mapping = { ...proposeMapping(table, 'node', 'Film', schema) };
  m.columns[1] = { ...m.columns[1]!, kind: 'Integer' };
  const { rows, errors } = mapRows(table, m, noEnds);
  expect(rows.map((row) => lineOf(m, row))).toEqual([
    '{"kind":"node","type":"Film","properties":{"title":"Heat","year":1995,"__proto__":"x"}}',
    '{"kind":"node","type":"Film","properties":{"title":"Ran"}}',
  ]);
  expect(errors).toEqual([{ row: 3, column: 'year', message: 'Write a whole number' }]);
});

test('an end that is missing, ambiguous or empty is an error of its row', () => {
  const table = tableOf([
    ['from', 'to'],
    ['a', 'b'],
    ['a', 'x'],
    ['', 'b'],
  ]);
  const m = proposeMapping(table, 'edge', 'KNOWS', schema);
  const ends = {
    source: (cell: string) => ({ id: `id ${cell}` }),
    target: (cell: string) => (cell === 'x' ? 'No Film has this title' : { id: `id ${cell}` }),
  };
  const { rows, errors } = mapRows(table, m, ends);
  expect(lineOf(m, rows[0]!)).toBe('{"kind":"edge","type":"KNOWS","source_id":"id a","target_id":"id b","properties":{}}');
  expect(errors).toEqual([
    { row: 3, column: 'to', message: 'No Film has this title' },
    { row: 4, column: 'from', message: 'is empty' },
  ]);
});

test('rows that find a node by a property change it, others are new; an empty or ambiguous key is an error', () => {
  const table = tableOf([
    ['code', 'title'],
    ['1', 'Found'],
    ['2', 'New'],
    ['', 'Nameless'],
    ['3', 'Twice'],
    ['1', 'Again'],
    ['  ', 'Blank'],
  ]);
  const m: Mapping = { ...proposeMapping(table, 'node', 'Film', schema), existing: 'code' };
  expect(checkMapping(m)).toBeNull();
  const existing = (cell: string) =>
    cell === '1' ? { id: 'id 1', value: 1 } : cell === '3' ? '2 nodes of type Film have this code' : null;
  const { rows, errors } = mapRows(table, m, { ...noEnds, existing });
  expect(rows.map((row) => [row.row, row.id])).toEqual([
    [2, 'id 1'],
    [3, undefined],
    [6, 'id 1'],
  ]);
  expect(rows.map((row) => row.properties.code)).toEqual([1, '2', 1]); // a node that is found keeps the type of its key
  expect(errors).toEqual([
    { row: 4, column: 'code', message: 'is empty, and rows are found by it' },
    { row: 5, column: 'code', message: '2 nodes of type Film have this code' },
    { row: 7, column: 'code', message: 'is empty, and rows are found by it' },
  ]);
  expect(findDuplicates(m, rows, { ...schema, constraints: [] }).errors.map((e) => [e.row, e.column])).toEqual([[6, 'code']]);
  const without = { ...m, columns: m.columns.filter((c) => c.property !== 'code') };
  expect(checkMapping(without)).toBe('No column is the property code, by which rows are found');
  expect(checkMapping({ ...m, existing: '' })).toBe('Choose the column of the ID, by which rows are found');
});

test('numbers are equal as keys whatever their type, texts are not numbers', () => {
  expect(keyText(1n)).toBe(keyText(1));
  expect(keyText(1050118621198921729n)).not.toBe(keyText(1050118621198921728n));
  expect(keyText(2n ** 60n)).toBe(keyText(2 ** 60));
  expect(keyText('1')).not.toBe(keyText(1n));
});

test('times are equal as keys however their seconds and the offset zero are written', () => {
  const at = ($type: 'OffsetDateTime' | 'LocalTime' | 'Date', _value: string) => keyText({ $type, _value });
  for (const same of ['2024-01-02T10:00Z', '2024-01-02T10:00:00.000+00:00', '2024-01-02T10:00:00+00:00'])
    expect(at('OffsetDateTime', same)).toBe(at('OffsetDateTime', '2024-01-02T10:00:00Z'));
  expect(at('LocalTime', '10:00:00.50')).toBe(at('LocalTime', '10:00:00.5'));
  expect(at('OffsetDateTime', '2024-01-02T10:00:00.05Z')).not.toBe(at('OffsetDateTime', '2024-01-02T10:00:00.5Z'));
  expect(at('OffsetDateTime', '2024-01-02T10:00:00+01:00')).not.toBe(at('OffsetDateTime', '2024-01-02T10:00:00Z'));
});

test('durations and points are equal as keys if the database says so', () => {
  const key = ($type: 'Duration' | 'Point') => (_value: string) => keyText({ $type, _value });
  const duration = key('Duration');
  for (const [one, other] of [
    ['P1Y', 'P12M'],
    ['P2W', 'P14D'],
    ['PT90S', 'PT1M30S'],
    ['PT-1.5S', '-PT1.5S'],
    ['PT0.50S', 'PT0.5S'],
  ] as const)
    expect(duration(one)).toBe(duration(other));
  expect(duration('P1D')).not.toBe(duration('PT24H'));
  expect(duration('P1M')).not.toBe(duration('PT1M'));
  expect(duration('PT-0.5S')).not.toBe(duration('PT0.5S'));
  expect(duration('P0.5D')).toBe(duration('P0.5D'));
  const point = key('Point');
  expect(point('SRID=4326;POINT(13.40 52.5)')).toBe(point('SRID=4326;POINT (13.4 52.5)'));
  expect(point('SRID=9157;POINT Z (-0.0 2 1e1)')).toBe(point('SRID=9157; POINT Z (0.0 2.0 10.0)'));
  expect(point('SRID=7203;POINT (1 2)')).not.toBe(point('SRID=4326;POINT (1 2)'));
});

test('values of a look-up are split so that each URL stays short', () => {
  const values = Array.from({ length: 1000 }, (_, i) => `${'x'.repeat(40)}${i}`);
  const chunks = chunkValues(values);
  expect(chunks.flat()).toEqual(values);
  expect(chunks.length).toBeGreaterThan(5);
  expect(Math.max(...chunks.map((chunk) => encodeURIComponent(JSON.stringify(chunk)).length))).toBeLessThan(6000);
});

test('a recipe applies to a table with its columns, whatever their order, and ignores others', () => {
  const m = proposeMapping(
    tableOf([
      ['title', 'year'],
      ['Heat', '1995'],
    ]),
    'node',
    'Film',
    schema,
  );
  const applied = applyRecipe(
    m,
    tableOf([
      ['more', 'year', 'title'],
      ['a', '1', 'b'],
    ]),
  );
  expect(applied?.columns.map((c) => `${c.column} ${c.use}`)).toEqual(['more ignore', 'year property', 'title property']);
  expect(applyRecipe(m, tableOf([['title'], ['Heat']]))).toBeNull();
});
