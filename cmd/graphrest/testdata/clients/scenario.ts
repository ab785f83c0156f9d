// Runs the generated TypeScript client against a gateway: argv has its address, a token, and the values as JSON.

import { Client, DateValue, Float, GraphrestError, Path, PointValue, Tagged, ZonedDateTimeValue } from './graphrest-client.js';
import type { Edge, Integer, Node, PersonNodeProperties, Value } from './graphrest-client.js';

declare const process: { argv: string[]; exitCode: number };
declare const console: { log(text: string): void };

const [url, token, values] = process.argv.slice(2) as [string, string, string];
const client = new Client(url, token);

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

function equal(got: unknown, want: unknown, what: string): void {
  const shown = (value: unknown) => JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v));
  check(shown(got) === shown(want), `${what}: ${shown(got)} is not ${shown(want)}`);
}

/** A request without the client; the properties stay text, so that 2.0 and 2 differ. */
async function raw(path: string, body?: string): Promise<{ id: string; properties: string }> {
  const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, body === undefined ? { headers } : { method: 'POST', body, headers });
  const text = await response.text();
  check(response.ok, text);
  return { id: /"id":"([^"]+)"/.exec(text)![1]!, properties: text.slice(text.indexOf('"properties":'), text.lastIndexOf(',"meta"')) };
}

async function failure(call: () => Promise<unknown>): Promise<GraphrestError> {
  try {
    await call();
  } catch (error) {
    check(error instanceof GraphrestError, String(error));
    return error;
  }
  throw new Error('no error');
}

async function everyValue(): Promise<void> {
  const created = await raw('/api/nodes', `{"type":"Value","properties":${values}}`);
  const node = await client.getNode(created.id);
  const p = node.properties;
  equal([p['one'], p['big'], p['largest'], p['smallest']], [1, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)], 'integers');
  equal([p['whole'], p['half'], p['integers']], [2, 0.5, [1, 2n ** 53n + 1n]], 'numbers');
  check(Number.isNaN(p['nan']) && p['infinite'] === -Infinity && Object.is(p['minus_zero'], -0), 'special floats');
  check(
    p['date'] instanceof DateValue && p['point'] instanceof PointValue && p['zoned_date_time'] instanceof ZonedDateTimeValue,
    'classes',
  );
  check((p['dates'] as Tagged[])[0] instanceof DateValue && Object.hasOwn(p, '__proto__') && p['$type'] === 'x', 'names');
  const again = await client.updateNode(node, p);
  equal((await raw('/api/nodes/' + node.id)).properties, created.properties, 'unchanged properties go back as they came');
  equal(again.etag, node.etag, 'the same content');
  const copy = await client.createNode('Value', { ...p });
  equal((await raw('/api/nodes/' + copy.id)).properties, created.properties, 'a copy is the same');
  // a number stays a float where one was read, and an integer an integer
  await client.updateNode(copy, { ...p, whole: 3, one: 4, floats: [1, 2], integers: [5] });
  const changed = (await raw('/api/nodes/' + copy.id)).properties;
  for (const text of ['"whole":3.0', '"one":4', '"floats":[1.0,2.0]', '"integers":[5]', '"thousand":1000.0'])
    check(changed.includes(text), text + ' in ' + changed);
  const made = await client.createNode('Made', { float: new Float(2), integer: 2, long: 2n ** 60n, list: [new Float(1), 2.5] });
  const text = (await raw('/api/nodes/' + made.id)).properties;
  for (const part of ['"float":2.0', '"integer":2,', '"long":1152921504606846976', '"list":[1.0,2.5]'])
    check(text.includes(part), part + ' in ' + text);
}

async function nodesAndEdges(): Promise<[Node<PersonNodeProperties>, string]> {
  const ann = await client.createNode('Person', { name: 'Ann', born: 1960, height: 2 });
  check((await raw('/api/nodes/' + ann.id)).properties.includes('"height":2.0'), 'the type says that height is a float');
  const born: Integer | undefined = (await client.getNode(ann.id, { type: 'Person' })).properties.born;
  const other: Value | undefined = ann.properties['other'];
  equal([born, other, ann.labels, typeof ann.etag], [1960, undefined, ['Person'], 'string'], 'what was created');
  // @ts-expect-error: a text is no height
  await failure(() => client.createNode('Person', { height: 'tall', name: { no: 'map' } }));
  const ben = await client.createNode('Person', { name: 'Ben', born: 1970 });
  const edge = await client.createEdge('KNOWS', ann, ben, { since: new DateValue('2020-01-01') });
  equal([edge.sourceId, edge.targetId, edge.properties.since], [ann.id, ben.id, new DateValue('2020-01-01')], 'an edge');
  equal((await client.updateEdge(edge, { since: null, weight: 2.5 })).properties, { weight: 2.5 }, 'null removes');
  equal(
    (await client.listEdges('KNOWS', { source: ann }).all()).map((e) => e.id),
    [edge.id],
    'edges from a node',
  );
  equal(
    (await client.listNodeEdges(ben, { direction: 'in' }).all()).map((e) => e.id),
    [edge.id],
    'edges of a node',
  );
  equal([(await client.getDegree(ann))['out'], (await client.getEdge(edge)).type], [1, 'KNOWS'], 'degree');
  equal(
    [(await client.findPaths(ann, ben)).paths, (await client.getNeighbors(ann)).nodes.length],
    [[[ann.id, edge.id, ben.id]], 2],
    'paths',
  );
  return [ann, edge.id];
}

async function pagesAndErrors(ann: Node<PersonNodeProperties>): Promise<void> {
  await client.batch(Array.from({ length: 7 }, (_, n) => ({ op: 'create_node' as const, type: 'Page', properties: { n, text: 'a,b' } })));
  const pages = client.listNodes('Page', { sort: ['-n'], pageSize: 3, count: 'exact' });
  const found: unknown[] = [];
  for await (const node of pages) found.push(node.properties['n']);
  equal(found, [6, 5, 4, 3, 2, 1, 0], 'all pages');
  const sizes: unknown[] = [];
  for await (const page of pages.pages()) sizes.push([page.items.length, page.total]);
  equal(
    sizes,
    [
      [3, 7],
      [3, 7],
      [1, 7],
    ],
    'pages',
  );
  const either = await client
    .listNodes('Page', { filter: { n: { gt: 0 } }, any: [{ n: 5, text: 'a' }, { n: { lt: 3 }, text: 'a,b' }], sort: ['n'] })
    .all();
  equal(
    either.map((n) => n.properties['n']),
    [1, 2],
    'alternatives',
  );
  const filtered = await client.listNodes('Page', { filter: { n: { in: [1, 2] }, text: 'a,b' }, sort: ['n'], fields: ['n'] }).all();
  equal(
    filtered.map((n) => n.properties),
    [{ n: 1 }, { n: 2 }],
    'a filter',
  );
  equal(await client.listNodes('Nothing').first(), undefined, 'nothing');

  const invalid = await failure(() => client.createNode('Other', { name: [1, 'a'] }));
  equal(
    [invalid.code, invalid.status, invalid.details.length, typeof invalid.requestId],
    ['VALIDATION_ERROR', 400, 1, 'string'],
    'an error',
  );
  const quick = new Client('http://127.0.0.1:1', 't', { retries: 0 });
  const codes = [];
  for (const call of [
    () => client.getNode('none'),
    () => client.getNode(ann, { type: 'Page' }),
    () => client.updateNode(ann, { born: 1 }, { ifMatch: '"other"' }),
    () => new Client(url, 'nonsense').me(),
    () => quick.me(),
  ])
    codes.push((await failure(call)).code);
  equal(codes, ['NOT_FOUND', 'NOT_FOUND', 'PRECONDITION_FAILED', 'INVALID_TOKEN', 'NETWORK'], 'codes');
}

async function batchesAndUndo(ann: Node<PersonNodeProperties>, edge: string): Promise<void> {
  const dry = await client.batch([{ op: 'delete_node', id: ann.id }], { dryRun: true });
  check(!dry.applied && (await client.getNode(ann)).id === ann.id, 'a dry run');
  const done = await client.batch([
    { op: 'create_node', ref: 'c', type: 'Person', properties: { name: 'Cleo', height: 3 } },
    { op: 'create_edge', type: 'KNOWS', source_id: { ref: 'c' }, target_id: ann.id },
    { op: 'update_node', id: ann.id, properties: { born: 1971 } },
  ]);
  equal(
    done.results.map((r) => [r.op, r.ref]),
    [
      ['create_node', 'c'],
      ['create_edge', undefined],
      ['update_node', undefined],
    ],
    'results',
  );
  check((await raw('/api/nodes/' + done.results[0]!.id)).properties.includes('"height":3.0'), 'floats in a batch');
  const requestId = done.requestId!;
  equal((await client.undo({ requestId }, { dryRun: true })).undone, 3, 'a dry run of an undo');
  equal([(await client.undo({ requestId })).undone, (await client.getNode(ann, { type: 'Person' })).properties.born], [3, 1960], 'an undo');
  equal(
    (await client.listNodeHistory(ann).all()).map((c) => c.action),
    ['update', 'update', 'create'],
    'history',
  );
  const gone = await client.deleteNode(ann);
  equal([gone.deleted, gone.deletedEdges], [true, 1], 'a deletion');
  check(
    (await client.listTrash({ type: 'Person' }).all()).some((t) => t['id'] === ann.id),
    'the trash',
  );
  equal(
    [(await client.undo({ requestId: gone.requestId! })).undone, (await client.getEdge(edge)).properties],
    [2, { weight: 2.5 }],
    'restored',
  );
  equal((await client.readChanges('0', { pageSize: 1 })).items[0]!.action, 'create', 'the feed');
}

async function retries(): Promise<void> {
  const keys: (string | undefined)[] = [];
  const losing = async (target: string, init: RequestInit): Promise<Response> => {
    keys.push((init.headers as Record<string, string>)['Idempotency-Key']);
    if (keys.length === 2) return new Response('', { status: 503, headers: { 'Retry-After': '0' } });
    const response = await fetch(target, init);
    if (keys.length === 1) throw new TypeError('the answer is lost');
    return response;
  };
  const once = await new Client(url, token, { fetch: losing }).createNode('Once', { n: 1 });
  equal([keys.length, new Set(keys).size], [3, 1], 'one key for all attempts');
  equal(
    (await client.listNodes('Once').all()).map((n) => n.id),
    [once.id],
    'one node',
  );
}

async function questions(ann: Node<PersonNodeProperties>): Promise<void> {
  const match = [[{ as: 'p', type: 'Person', id: ann.id }, { edge: 'KNOWS', as: 'k' }, { as: 'f' }]];
  const found = await client.match({ match, columns: ['p', 'k', 'f.name'] });
  const [node, edge, name] = found.rows[0]!;
  equal([found.columns.map((c) => c.name), name], [['p', 'k', 'f.name'], 'Ben'], 'a pattern');
  check((node as Node).id === ann.id && (edge as Edge).sourceId === ann.id, 'nodes and edges in cells');
  equal((await client.matchPages({ match: [[{ as: 'n', type: 'Page' }]], limit: 3 }).all()).length, 7, 'pages of a pattern');

  const administer = async (method: string, path: string, body: unknown): Promise<void> => {
    const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    check(response.ok, await response.text());
  };
  const user = (await client.me())['username'] as string;
  await administer('PATCH', '/api/admin/users/' + user, { permissions: ['read', 'create', 'edit', 'delete', 'query'] });
  await administer('POST', '/api/admin/queries', {
    name: 'who_is_born',
    description: 'People by year',
    parameters: { since: { type: 'integer' } },
    cypher: 'MATCH path = (p:Person)-[:KNOWS]->() WHERE p.born >= $since RETURN path, {`$type`: 1.0} AS m, 9007199254740993 AS big',
  });
  const answer = await client.run('who_is_born', { since: 1960 });
  const [path, map, big] = answer.rows[0]!;
  check(path instanceof Path && path.entities.length === 3, 'a path');
  equal([map, big], [{ $type: 1 }, 9007199254740993n], 'a map and an integer');
}

await everyValue();
const [ann, edge] = await nodesAndEdges();
await pagesAndErrors(ann);
await batchesAndUndo(ann, edge);
await questions(ann);
await retries();
check(typeof (await client.me())['username'] === 'string' && Array.isArray((await client.getSchema())['node_types']), 'me and schema');
console.log('the TypeScript client works');
