// Used with the types that openapi-typescript makes of a gateway's description: see TestOtherGeneratorsForTypeScript.
import createClient from 'openapi-fetch';
import type { components, paths } from './api';

const [, , url, token] = process.argv;
const client = createClient<paths>({ baseUrl: url ?? '', headers: { Authorization: `Bearer ${token ?? ''}` } });

// The description has a schema for each type that the caller sees.
const properties: components['schemas']['Node.Person']['properties'] = { name: 'Eve', born: 1990 };
const made = await client.POST('/api/nodes', { body: { type: 'Person', properties } });
if (!made.data) throw new Error(made.error.error.code);
const { id } = made.data.data;
const read = await client.GET('/api/nodes/{node_id}', { params: { path: { node_id: id } } });
if (read.data?.data.properties['name'] !== 'Eve') throw new Error(JSON.stringify(read));
const list = await client.GET('/api/nodes', { params: { query: { type: 'Person', sort: '-born', limit: 1 } } });
if (list.data?.data[0]?.id !== id) throw new Error(JSON.stringify(list));
const missing = await client.DELETE('/api/nodes/{node_id}', { params: { path: { node_id: 'nothing' } } });
if (missing.error?.error.code !== 'NOT_FOUND') throw new Error(JSON.stringify(missing));
const table = await client.POST('/api/queries/born_after/run', { body: { parameters: { year: 1980 } } });
if (JSON.stringify(table.data?.data.rows) !== '[["Eve"]]') throw new Error(JSON.stringify(table));
console.log('openapi-typescript works');
