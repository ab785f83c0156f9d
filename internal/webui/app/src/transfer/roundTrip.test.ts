// @vitest-environment node
import { expect, test, vi } from 'vitest';
import type { GraphEdge, GraphNode, Schema } from '../api/graph';
import { bodyText } from '../api/json';
import type { Properties, Value } from '../values/value';
import { edgesCsv, nodesCsv } from './csv';
import { inferKind, parseCell } from './kinds';
import { checkMapping, lineOf, mapRows, proposeMapping } from './mapping';
import { readTable } from './tables';
import { formatHeader, isFormula, parseHeader } from './typedHeaders';

vi.mock('../api/client', () => ({}));

const schema = {
  node_types: [{ type: 'A', properties: [{ name: 'code', types: ['Integer'], presence: 1, unique: false, indexed: false }] }],
  edge_types: [],
} as unknown as Schema;
const byCell = (cell: string) => ({ id: cell });

const tagged = ($type: string, _value: string) => ({ $type, _value });
const texts = [
  ...['a', '1', '007', '-1.5e-7', '+49 30 1234', '=1+1', "'=1", "'", '"', '""', 'a;=1+1', 'a;"=1', 'a, -b', 'x\r\ny', 'x\ry', '\n', '\t'],
  ...[
    '',
    ' ',
    ' a ',
    'true',
    '2024-05-01',
    'NaN',
    '[1]',
    '{"$type":"Date"}',
    '\\N',
    'Zoë 👩‍👩‍👧',
    '\ufeffa',
    '@x',
    '-',
    'a|b\tc',
    '\u0000',
    'a;b',
  ],
];
const values: Value[] = [
  ...texts,
  ...[0n, -1n, 9223372036854775807n, -9223372036854775808n, 1050118621198921729n],
  ...[0, -0, 1, 1e21, -1.5e-7, 0.1, 5e-324, tagged('Float', 'NaN'), tagged('Float', '-Infinity'), true, false],
  ...[tagged('Date', '2024-05-01'), tagged('Date', '-0044-03-15'), tagged('LocalTime', '12:30:00.5'), tagged('Time', '12:30:00+02:00')],
  ...[tagged('LocalDateTime', '2024-05-01T12:30:00'), tagged('OffsetDateTime', '2024-05-01T12:30:00Z')],
  ...[tagged('ZonedDateTime', '2024-05-01T12:30:00+02:00[Europe/Berlin]'), tagged('Duration', 'P1Y2M3DT4H5M6.5S')],
  ...[tagged('Point', 'SRID=4326;POINT (13.4 52.5)'), tagged('Point', 'SRID=9157;POINT Z (-1.0 2.5 1e-7)')],
  ...[tagged('Base64', ''), tagged('Base64', 'Af8=')],
  ...[[], [''], ['a;b', '=1'], [1n, -2n], [1, tagged('Float', 'NaN')], [tagged('Date', '2024-05-01')], [true]],
];
const names = ['id', 'type', ':ID', 'a:int', 'n,"m"', '=cmd', 'x;=1', ' x ', '"q"', 'a{b}', '__proto__', 'b[]', '-1', 'é', 'a;b;c;d;e;f'];

const node = (id: string, properties: Properties): GraphNode => ({ id, type: 'A', labels: ['A', 'B'], properties });
const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** One property for each value, one for each type with all its values, and one with all values. */
function sampleNodes(): GraphNode[] {
  return values.map((value, at) => {
    const kind = Array.isArray(value) ? 'list' : typeof value === 'object' ? value.$type : typeof value;
    const properties = Object.create(null) as Properties;
    properties[`one ${at}`] = value;
    properties[`all ${kind}`] = value;
    properties['mixed'] = value;
    properties[names[at % names.length]!] = value;
    if (typeof value === 'string' && /^\d+$/.test(value)) properties['code'] = value;
    return node(idOf(at), properties);
  });
}

const linesOf = (nodes: GraphNode[]) => nodes.map((n) => sortedLine(n.id, n.type, n.properties, n.labels));
const sortedLine = (id: string, type: string | null, properties: Properties, labels: string[]) =>
  bodyText({
    kind: 'node',
    id,
    type,
    labels,
    properties: Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))),
  });

test('nodes as CSV are imported with equal values, as the files of graphrest import expect them too', async () => {
  const nodes = sampleNodes();
  const text = nodesCsv(nodes);
  const table = await readTable(new File([text], 'a.csv'));
  const mapping = proposeMapping(table, 'node', '', schema);
  expect(checkMapping(mapping)).toBeNull();
  const { rows, errors } = mapRows(table, mapping, { source: byCell, target: byCell });
  expect(errors).toEqual([]);
  expect(rows.map((row) => sortedLine(row.id!, row.types![0]!, row.properties, row.types!))).toEqual(linesOf(nodes));
  const data = '../../../../transfer/testdata';
  await expect(text).toMatchFileSnapshot(`${data}/web-nodes.csv`);
  await expect(`${linesOf(nodes).join('\n')}\n`).toMatchFileSnapshot(`${data}/web-nodes.ndjson`);
});

test('edges as CSV are imported with their ends, types and values', async () => {
  const edges: GraphEdge[] = [
    { id: idOf(1), type: 'KNOWS', source_id: idOf(2), target_id: idOf(3), properties: { source_id: 2n, type: '1' } },
    { id: idOf(4), type: 'LIKES', source_id: idOf(3), target_id: idOf(2), properties: { since: tagged('Date', '2024-05-01') } },
  ];
  const table = await readTable(new File([edgesCsv(edges)], 'a.csv'));
  const mapping = proposeMapping(table, 'edge', '', schema);
  expect(checkMapping(mapping)).toBeNull();
  const { rows, errors } = mapRows(table, mapping, { source: byCell, target: byCell });
  expect(errors).toEqual([]);
  expect(rows.map((row) => lineOf(mapping, row))).toEqual(
    edges.map(({ id: _, ...e }) =>
      bodyText({ kind: 'edge', type: e.type, source_id: e.source_id, target_id: e.target_id, properties: e.properties }),
    ),
  );
});

test('no cell begins a formula, whatever divides cells', () => {
  const text = nodesCsv(
    sampleNodes().filter((n) => Object.values(n.properties).some((value) => typeof value === 'string' || Array.isArray(value))),
  );
  for (const delimiter of [';', '\t', '|']) {
    const cells = text.split('\r\n').flatMap((line) => line.split(delimiter));
    expect(cells.filter((cell) => /^["'\s]*[=@]/.test(cell))).toEqual([]);
  }
});

test('ids and types that a spreadsheet would run are refused, and values with a type are JSON', () => {
  const edge: GraphEdge = { id: 'e', type: 'KNOWS', source_id: '-1', target_id: '+49 30', properties: {} };
  expect(edgesCsv([edge])).toContain('e,KNOWS,-1,+49 30');
  const run = '=HYPERLINK("http://x")';
  for (const part of [{ id: run }, { type: run }, { source_id: run }, { target_id: '-1-1' }])
    expect(() => edgesCsv([{ ...edge, ...part }])).toThrow(`${Object.values(part)[0]}; export it as NDJSON`);
  expect(() => nodesCsv([node(run, {})])).toThrow(`CSV cannot have the id ${run}`);
  expect(() => nodesCsv([{ ...node('a', {}), labels: ['@B'] }])).toThrow('CSV cannot have the type @B');
  const text = nodesCsv([
    node('a', { b: tagged('Base64', '+/8='), d: tagged('Date', '-0044-03-15'), f: tagged('Float', '-Infinity'), i: -1n }),
  ]);
  expect(text).toContain('b:json,d:json,f:float,i:int');
  expect(text).toContain('-Infinity,-1');
});

test('a name of a column is read as it was written', () => {
  for (const name of [...names, ...texts.filter((text) => text !== '')]) {
    expect(parseHeader(formatHeader(name, 'Integer'))).toEqual({ name, kind: 'Integer' });
    expect(parseHeader(formatHeader(name, 'String')).name).toBe(name);
    expect(isFormula(formatHeader(name, 'String'))).toBe(false);
  }
});

test('a proposed type prints every cell back as it was', () => {
  const cells = [
    ...['0', '-0', '007', '+5', '12', '-7', '1e5', '1E5', '1.0', '1.50', '.5', '5.', '-0.0', '0.1', '1e400', 'Infinity', 'NaN', '1,5'],
    ...['12345678901234567891', '9223372036854775807', '9223372036854775808', '+4930123456', '9007199254740993.0', '0x10', ' 1', '1 '],
    ...['true', 'TRUE', 'False', 'yes', '2024-05-01', '2024-02-30', '+2024-05-01', '2024-05-01T10:00', '2024-05-01T10:00:00'],
    ...['2024-05-01T10:00:00.500', '2024-05-01T10:00:00Z', '2024-05-01T10:00:00+00:00', '2024-05-01T10:00:00+0200', '2024-05-01T25:00:00'],
    ...['2024-05-01T10:00Z', '2024-05-01T10:00:00+02:00[Europe/Berlin]', '2024-05-01T10:00+02:00[Europe/Berlin]'],
  ];
  const print = (value: Value, cell: string): string =>
    typeof value === 'number' && cell === String(value) && !Object.is(value, -0)
      ? cell
      : typeof value === 'object'
        ? (JSON.parse(bodyText(value)) as { _value: string })._value
        : typeof value === 'string'
          ? value
          : bodyText(value);
  for (const a of cells)
    for (const b of cells) {
      const kind = inferKind([a, b]);
      const withSeconds = (text: string) => (kind === 'String' ? text : text.replace(/T\d\d:\d\d(?!:)/, '$&:00'));
      for (const cell of [a, b]) {
        const parsed = parseCell(kind, cell);
        expect('value' in parsed && withSeconds(print(parsed.value, cell)), `${cell} as ${kind}`).toBe(withSeconds(cell));
      }
    }
  const kinds = (...column: string[]) => inferKind(column);
  expect(kinds('12345678901234567891', '1')).toBe('String');
  expect(kinds('+4930123456')).toBe('String');
  expect(kinds('1.50')).toBe('String');
  expect(kinds(...Array.from({ length: 40 }, (_, i) => String(i)), '99999999999999999999')).toBe('String');
  expect(kinds('2024-02-30')).toBe('String');
  expect(kinds('2024-05-01T10:00:00+02:00')).toBe('OffsetDateTime');
  expect(kinds('2024-05-01T10:00+02:00', '2024-05-01T10:00:30Z')).toBe('OffsetDateTime');
  expect(kinds('2024-03-31T12:00:00+02:00[Europe/Berlin]', '2024-03-31T12:00+02:00[Europe/Berlin]')).toBe('ZonedDateTime');
  expect(kinds('2024-03-31T12:00', '2024-03-31T12:00:01')).toBe('LocalDateTime');
  expect(kinds('2024-03-31T12:00:00+02:00[Europe/Berlin]', '2024-03-31T12:00:00+02:00')).toBe('String');
  expect(kinds('2024-03-31T12', '2024-03-31T12:0')).toBe('String');
});
