import { StringStream } from '@codemirror/language';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../api/graph';
import { parseExact } from '../api/json';
import { answerCsv, answerNdjson, answerOf, cellText, defaultChart, entityOf, namesOf, pointsOf, type Answer } from './answer';
import { offersAfter } from './completion';
import { cypherParser } from './cypherLanguage';
import { parseConsole, serializeConsole, type ConsoleState } from './link';
import { parameterNames, parseParameters, schemaOf } from './parameters';

const answer = answerOf(
  parseExact(`{"data":{"columns":[{"name":"n","types":["Node"]},{"name":"count","types":["Integer"]}],
    "rows":[[{"$node":"a"},9223372036854775807],[null,-1]],
    "nodes":[{"id":"a","type":"Person","labels":["Person"],"properties":{"name":"Ann"}}],
    "edges":[{"id":"e","type":"KNOWS","source_id":"a","target_id":"a","properties":{}}]},
    "meta":{"elapsed_ms":1.5,"truncated":"rows"}}`),
);

describe('an answer', () => {
  test('keeps integers exact and says what cut it', () => {
    expect(answer.rows[0]![1]).toBe(9223372036854775807n);
    expect(answer).toMatchObject({ elapsed: 1.5, truncated: 'rows' });
  });
  test.each([
    [null, ''],
    [{ $node: 'a' }, 'Ann'],
    [{ $node: 'other' }, 'other'],
    [{ $edge: 'e' }, 'KNOWS'],
    [{ $path: ['a', 'e', 'a'] }, 'Ann - KNOWS - Ann'],
    [[1n, 'x', null, { $node: 'a' }], '[1, "x", null, Ann]'],
    [{ b: 1.0, a: { $type: 'Date', _value: '2024-05-01' } }, '{b: 1.0, a: 2024-05-01}'],
    [{ $type: 'Map', _value: { $node: 'a' } }, '{$node: a}'],
    [{ $type: 'Unsupported', _value: 'VECTOR(3, FLOAT32)' }, 'VECTOR(3, FLOAT32)'],
  ] as [unknown, string][])('a cell is shown as text %#', (cell, text) => expect(cellText(cell, namesOf(answer))).toBe(text));
  test('a map that looks like an entity is none', () => {
    expect(entityOf({ $type: 'Map', _value: { $node: 'a' } })).toBeNull();
    expect(entityOf({ $node: 'a' })).toEqual({ kind: 'node', id: 'a' });
  });
  test('is exported as CSV that no spreadsheet runs, and as NDJSON', () => {
    const rows: Answer = {
      ...answer,
      rows: [
        [{ $node: 'a' }, -5n],
        ['=1+1', [1n, 2.0]],
        ['a "b"', null],
      ],
    };
    expect(answerCsv(rows)).toBe(`n,count\r\na,-5\r\n'=1+1,"[1,2.0]"\r\n"a ""b""",\r\n`);
    expect(answerNdjson(rows)).toBe('{"n":{"$node":"a"},"count":-5}\n{"n":"=1+1","count":[1,2.0]}\n{"n":"a \\"b\\"","count":null}\n');
  });
  test('has no formula in CSV, whatever divides cells, and signed numbers as they are', () => {
    const plain = ['-1.5e-7', '+49 30 1234', '-1', '-1.5', '+.5e10', 'a - b'];
    const computed = ['+49-30-1234', '-1-1', '-2/3', '-1(2)', '-1 -1', '+e5', '-1e5-1'];
    const texts = ['=1', 'a;=1+1', 'a,"=1', 'a|@x', '\t=1', 'a\r\n=1', '"=1', 'x;-cmd|1', '-', ...plain, ...computed];
    const lists: Answer['rows'] = [
      [['a;=1'], ['=1']],
      [{ $type: 'Map', _value: { 'a;=1': 'b|=1' } }, null],
    ];
    const text = answerCsv({ ...answer, rows: [...texts.map((each) => [each, null]), ...lists] });
    for (const delimiter of [',', ';', '\t', '|']) {
      const cells = text.split(/\r?\n/).flatMap((line) => line.split(delimiter));
      expect(cells.filter((cell) => /^["\s]*([=@]|[+-](?![\d\s,.e-]*$))/.test(cell))).toEqual([]);
    }
    for (const each of plain) expect(text).toContain(`\r\n${each},\r\n`);
    for (const each of computed) expect(text).toContain(`\r\n'${each},\r\n`);
  });
  test('has no formula in CSV in ids and values with a type', () => {
    const tagged = ($type: string, _value: string) => ({ $type, _value });
    const cells = [
      { $node: '=HYPERLINK(1)' },
      { $edge: '@e' },
      tagged('Base64', '+/8='),
      tagged('Date', '-0044-03-15'),
      tagged('Duration', 'P-1D'),
    ];
    expect(answerCsv({ ...answer, rows: [...cells.map((cell) => [cell, -1.5]), [-5n, -1e21]] })).toBe(
      `n,count\r\n'=HYPERLINK(1),-1.5\r\n'@e,-1.5\r\n'+/8=,-1.5\r\n'-0044-03-15,-1.5\r\nP-1D,-1.5\r\n-5,-1e+21\r\n`,
    );
  });
  test('has a chart if a column has numbers', () => {
    const chart = defaultChart(answer)!;
    expect(chart).toEqual({ kind: 'bar', x: 'n', y: 'count' });
    expect(pointsOf(answer, chart)[1]).toEqual({ label: '', x: undefined, y: -1 });
    expect(defaultChart({ ...answer, columns: [answer.columns[0]!] })).toBeNull();
  });
});

describe('parameters', () => {
  test('are found outside of texts, comments and quoted names', () => {
    expect(
      parameterNames('MATCH (n {a: $a, b: \'$no\', `$no`: $`b c`}) // $no\n/* $no */ WHERE n.x = "$no\\"" + $a + $é1 RETURN $0'),
    ).toEqual(['a', 'b c', 'é1', '0']);
  });
  test('are exact values, and null where a field that is no text is empty', () => {
    const drafts = {
      i: { kind: 'Integer' as const, list: false, texts: ['9007199254740993'] },
      d: { kind: 'Date' as const, list: false, texts: [''] },
    };
    expect(parseParameters(['i', 'd', 'new'], drafts)).toEqual({ values: { i: 9007199254740993n, d: null, new: '' }, errors: {} });
    expect(parseParameters(['i'], { i: { kind: 'Integer', list: false, texts: ['x'] } }).errors).toEqual({ i: 'Write a whole number' });
  });
  test('have a schema with the type that the database has', () => {
    expect(schemaOf({ kind: 'Integer', list: false, texts: [''] })).toEqual({ type: 'integer', neo4jType: 'Integer' });
    expect(schemaOf({ kind: 'Date', list: true, texts: [] })).toEqual({ type: 'array', neo4jType: 'List<Date>' });
  });
});

describe('a link', () => {
  const state: ConsoleState = {
    cypher: "MATCH (n)\nWHERE n.name = $name // & ? #\nRETURN n + 'ä'",
    drafts: { name: { kind: 'String', list: false, texts: ['a&b=c'] }, ids: { kind: 'Integer', list: true, texts: ['1', '2'] } },
    view: 'chart',
    chart: { kind: 'line', x: 'a', y: 'b' },
  };
  test('reopens text, parameters and view', () => expect(parseConsole(serializeConsole(state))).toEqual(state));
  test.each(['', '#', '#cypher', '#view=other&parameters=%7B&chart=3', '#parameters=%7B%22a%22%3A%7B%22kind%22%3A%22X%22%7D%7D'])(
    '%s is the empty console',
    (hash) => expect(parseConsole(hash)).toEqual({ cypher: '', drafts: {}, view: 'table', chart: null }),
  );
});

describe('completion', () => {
  const schema = {
    node_types: [{ type: 'Person', properties: [{ name: 'name' }, { name: 'full name' }] }],
    edge_types: [{ type: 'ACTED_IN', properties: [{ name: 'role' }] }],
  } as unknown as Schema;
  test.each([
    ['MATCH (n:', ['Person']],
    ['MATCH (n:Person|Pe', ['Person']],
    ['MATCH (n)-[r:', ['ACTED_IN']],
    ['MATCH (n)-[:ACTED_IN|', ['ACTED_IN']],
    ['MATCH (n) WHERE n.', ['full name', 'name', 'role']],
    ['MATCH (n {', ['full name', 'name', 'role']],
    ['RETURN $', []],
  ])('after %s', (text, labels) => expect(offersAfter(text, schema).map(({ label }) => label)).toEqual(labels));
  test('quotes names that need it', () =>
    expect(offersAfter('RETURN n.', schema)[0]).toMatchObject({ label: 'full name', apply: '`full name`' }));
  test('offers keywords, functions and the variables of the text', () => {
    const labels = offersAfter('MATCH (person) RETURN pe', schema).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['WHERE', 'toUpper', 'person']));
  });
});

/** The tokens of a text, as pairs of text and kind. */
function tokensOf(text: string): [string, string | null][] {
  const state = cypherParser.startState!(2);
  return text.split('\n').flatMap((line) => {
    const stream = new StringStream(line, 2, 2);
    const found: [string, string | null][] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = cypherParser.token(stream, state);
      if (stream.current().trim() !== '') found.push([stream.current(), kind]);
    }
    return found;
  });
}

test.each([
  ['MATCH', 'keyword'],
  ['person', 'variableName'],
  ['Person', 'typeName'],
  ['name', 'propertyName'],
  ["'Ann \\' x'", 'string'],
  ['KNOWS', 'typeName'],
  ['toUpper', 'function'],
  ['$p', 'atom'],
  ['1_000.5e3', 'number'],
  ['null', 'bool'],
  ['`odd name`', 'variableName'],
])('%s is a token', (text, kind) => {
  const tokens = tokensOf(
    "MATCH (person:Person {age: 1_000.5e3})-[:KNOWS]->() WHERE person.name = 'Ann \\' x' RETURN toUpper($p), null, `odd name`",
  );
  expect(tokens).toContainEqual([text, kind]);
});

test('comments and texts may have several lines', () => {
  expect(tokensOf("/* a\nb */ RETURN 'x\ny'")).toEqual([
    ['/* a', 'comment'],
    ['b */', 'comment'],
    ['RETURN', 'keyword'],
    ["'x", 'string'],
    ["y'", 'string'],
  ]);
});
