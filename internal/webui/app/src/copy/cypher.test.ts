// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { curl, shellQuote } from './curl';
import { changeCypher, edgeCypher, listCypher, literal, nodeCypher, quoteName, quoteText } from './cypher';

test('quoted names cannot end their quotes', () => {
  expect(quoteName('a`b')).toBe('`a``b`');
  expect(quoteName('x\\u0060) DELETE n')).toBe('`x\\u005Cu0060) DELETE n`');
});

test('quoted texts cannot end their quotes', () => {
  expect(quoteText("it's\n")).toBe("'it\\'s\\n'");
  expect(quoteText('\\u0027')).toBe("'\\u005C\\u005Cu0027'");
});

test('what has no visible form is escaped, so that a shell reads one statement', () => {
  expect(quoteName('a\nb\r\u2028c\u0085\u202Ed e')).toBe('`a\\u000ab\\u000d\\u2028c\\u0085\\u202ed e`');
  expect(quoteName('\u{E0001}\u00a0\u{1F600}\ud800')).toBe('`\\udb40\\udc01\\u00a0\u{1F600}\\ud800`');
  expect(quoteText('a\r\n\u0000\u2029')).toBe("'a\\u000d\\n\\u0000\\u2029'");
  const text = curl({ method: 'POST', path: '/api/nodes', body: { properties: { 'a\n\u0085': 'b\u202E\u007f' } } });
  expect(text).toContain(`-d '{"properties":{"a\\n\\u0085":"b\\u202e\\u007f"}}'`);
});

test('values are written as Cypher literals', () => {
  expect(literal(9007199254740993n)).toBe('9007199254740993');
  expect(literal(2)).toBe('2.0');
  expect(literal({ $type: 'Date', _value: '2024-05-01' })).toBe("date('2024-05-01')");
  expect(literal({ $type: 'ZonedDateTime', _value: '2024-05-01T12:00:00+02:00[Europe/Berlin]' })).toBe(
    "datetime('2024-05-01T12:00:00+02:00[Europe/Berlin]')",
  );
  expect(literal({ $type: 'ZonedDateTime', _value: '1935-07-01T10:40:28Z[Europe/Amsterdam]' })).toBe(
    "datetime({datetime: datetime('1935-07-01T10:40:28Z'), timezone: 'Europe/Amsterdam'})",
  );
  expect(literal({ $type: 'Point', _value: 'SRID=4326;POINT (13.4 52.5)' })).toBe('point({srid: 4326, x: 13.4, y: 52.5})');
  expect(literal(['a', 'b'])).toBe("['a', 'b']");
});

test('a list has its conditions and its order', () => {
  const text = listCypher(
    {
      kind: 'node',
      type: 'A`b',
      sort: '-born',
      conditions: [
        { property: 'born', operator: 'gte', kind: 'Integer', text: '1960' },
        { property: 'name', operator: 'in', kind: null, text: "Ann, O'Neil" },
        { property: 'home', operator: 'exists', kind: null, text: 'false' },
      ],
    },
    100,
  );
  expect(text).toBe(
    [
      ':param p0 => 1960',
      ":param p1 => ['Ann', 'O\\'Neil']",
      ':param limit => 100',
      'MATCH (n:`A``b`)',
      'WHERE n.`born` >= $p0 AND n.`name` IN $p1 AND n.`home` IS NULL',
      'RETURN n',
      'ORDER BY n.`born` DESC',
      'LIMIT toInteger($limit)',
    ].join('\n'),
  );
});

test('a value without a type is what the service reads', () => {
  const condition = (operator: 'eq' | 'contains', text: string) => ({ property: 'p', operator, kind: null, text });
  const conditions = [condition('eq', '007'), condition('eq', '7e0'), condition('eq', '-7'), condition('contains', '12')];
  const text = listCypher({ kind: 'node', type: null, sort: '', conditions }, 100);
  expect(text).toContain(":param p0 => '007'\n:param p1 => 7.0\n:param p2 => -7\n:param p3 => '12'\n");
});

test('a list of edges has conditions and keys of its ends', () => {
  const text = listCypher(
    {
      kind: 'edge',
      type: 'ACTED_IN',
      sort: 'source:name,-edge:target:x',
      conditions: [
        { property: 'target:title', operator: 'contains', kind: null, text: 'x' },
        { property: 'source.name', operator: 'exists', kind: null, text: 'true' },
      ],
    },
    100,
  );
  expect(text).toContain(
    'WHERE b.`title` CONTAINS $p0 AND r.`source.name` IS NOT NULL\nRETURN a, r, b\nORDER BY a.`name`, r.`target:x` DESC\n',
  );
});

test('an id is a parameter: one in the id property, of any form, or an element id', () => {
  expect(nodeCypher('Person', 'k-1', 'key')).toContain('(n:`Person` {`key`: $id})');
  expect(edgeCypher('KNOWS', '5:0-a:7', 'uuid')).toContain('elementId(r) = $id');
  expect(nodeCypher('Person', '01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d', 'uuid')).toBe(
    ":param id => '01938c3e-0b7a-7c3e-9d0a-5f0c6a1b2c3d'\nMATCH (n:`Person` {`uuid`: $id})\nRETURN n",
  );
  expect(nodeCypher(null, '4:ab:7', 'uuid')).toContain('WHERE elementId(n) = $id');
  expect(changeCypher('node', 'A', '4:ab:7', 'uuid', { gone: null, n: 1n })).toContain(':param changes => {`gone`: null, `n`: 1}');
});

test('curl quotes for the shell and never contains the token', () => {
  expect(shellQuote("a'b")).toBe("'a'\\''b'");
  const text = curl({ method: 'PUT', path: '/api/nodes/x', body: { properties: { n: 9007199254740993n, t: "it's" } }, ifMatch: '"e"' });
  expect(text).toContain('9007199254740993');
  expect(text).toContain("it'\\''s");
  expect(text).toContain('-H "Authorization: Bearer $TOKEN"');
});
