// @long
// What Copy as Cypher writes, run as a shell does: one command a line that begins with a colon, and one statement.
import { expect, test } from 'vitest';
import { changeCypher, createEdgeCypher, createNodeCypher, edgeCypher, listCypher, nodeCypher } from '../src/copy/cypher';
import { connect, cypher } from './api';
import { startGateway } from './gateway';

/** Numbers from 0 to below n, the same at each run. */
function generator(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const pick = generator(7);

const pieces = [
  ...'\n\r\t\v\f\b\u0001\u001b\u001c\u007f\u0085\u00a0\u00ad\u200b\u2028\u2029\u202e\u2066\ufeff\u3000\u{E0001}\u{1F600}',
  ...'`\'"\\;:/$ {}é',
  ...['\\u0060', '\\u000A', '\\n', '//', '/*', '*/', '\n:param x => 1\n', '\nMATCH (x) DETACH DELETE x;\n', '\r\n', 'name', 'A'],
];

const hostile = () => Array.from({ length: 1 + pick(4) }, () => pieces[pick(pieces.length)]!).join('');

interface Row {
  fields: string[];
  values: unknown[][];
}

const run = async (statement: string, parameters = {}) => (await cypher(statement, parameters)) as Row;

/** Runs a copied text as cypher-shell does, and gives the first row. */
async function paste(text: string): Promise<unknown[]> {
  expect(text).not.toMatch(/(?![ \n])[\p{C}\p{Z}]/u);
  const lines = text.split('\n');
  const parameters: Record<string, unknown> = {};
  while (lines[0]!.startsWith(':')) {
    const [, name, value] = /^:param (\w+) => (.*)$/.exec(lines.shift()!)!;
    parameters[name!] = (await run(`RETURN ${value!}`)).values[0]![0];
  }
  expect(lines.filter((line) => line.startsWith(':'))).toEqual([]);
  return (await run(lines.join('\n'), parameters)).values[0]!;
}

const elementIds = async (statement: string, parameters: object) => (await run(statement, parameters)).values[0]! as string[];

const member = (entity: unknown, name: 'elementId' | 'labels' | 'type' | 'properties') => (entity as Record<string, unknown>)[name];
const propertiesOf = (entity: unknown) => member(entity, 'properties');

test('a copied text is one statement about the same entity, whatever the names are', async () => {
  for (let round = 0; round < 12; round++) {
    const label = `Copied ${hostile()}`;
    const type = `copied ${hostile()}`;
    const properties = Object.fromEntries(Array.from({ length: 3 }, () => [`k${hostile()}`, hostile()]));
    const [key, value] = Object.entries(properties)[0]!;
    const [a, r] = await elementIds(
      'CREATE (a:$($label))-[r:$($type)]->(b) SET a = $properties, r = $properties RETURN elementId(a), elementId(r)',
      { label, type, properties },
    );
    const conditions = [{ property: key, operator: 'eq' as const, kind: 'String' as const, text: value }];

    expect(member((await paste(nodeCypher(label, a!, 'uuid')))[0], 'elementId')).toBe(a);
    expect(member((await paste(edgeCypher(type, r!, 'uuid')))[1], 'elementId')).toBe(r);
    expect(member((await paste(listCypher({ kind: 'node', type: label, sort: key, conditions }, 10)))[0], 'elementId')).toBe(a);
    expect(member((await paste(listCypher({ kind: 'edge', type, sort: '', conditions }, 10)))[1], 'elementId')).toBe(r);
    const change = { [`k${hostile()}`]: hostile(), [key]: null };
    const changed = { ...properties, ...change };
    delete changed[key];
    expect(propertiesOf((await paste(changeCypher('node', label, a!, 'uuid', change)))[0])).toEqual(changed);
    const made = (await paste(createNodeCypher(label, properties)))[0];
    expect(member(made, 'labels')).toEqual([label]);
    expect(propertiesOf(made)).toEqual(properties);
    const edge = (await paste(createEdgeCypher({ type, source_id: a!, target_id: a!, properties }, 'uuid')))[1];
    expect(member(edge, 'type')).toBe(type);
    expect(propertiesOf(edge)).toEqual(properties);
    await run('MATCH (n:$($label)) OPTIONAL MATCH (n)-->(b) DETACH DELETE n, b', { label });
  }
});

test('a copied text finds an id in the property that the gateway uses for ids', async () => {
  const gateway = await startGateway(3600, { GRAPHREST_ID_PROPERTY: 'key' });
  try {
    const call = await connect(gateway.base);
    const { id_property } = await call<{ id_property: string }>('GET', '/api/schema');
    const made = await call<{ id: string }>('POST', '/api/nodes', { type: 'Keyed', properties: { n: 1 } });
    const [node] = await paste(nodeCypher('Keyed', made.id, id_property));
    expect(propertiesOf(node)).toEqual({ n: 1, key: made.id });
    await call('DELETE', `/api/nodes/${made.id}`);
  } finally {
    await gateway.stop();
  }
});
