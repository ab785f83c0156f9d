import { expect, test } from 'vitest';
import type { Schema } from '../api/graph';
import { edgeRequests } from './between';

const edgeType = (type: string, count: number | null, ...connections: [string, string][]) => ({ type, count, connections: connections.map(([source_type, target_type]) => ({ source_type, target_type, count: 1 })) });
const schema = (...edge_types: ReturnType<typeof edgeType>[]) => ({ edge_types }) as unknown as Schema;
const ofPeople = new Set(['Person']);

test('few edges are read with one request', () => {
  expect(edgeRequests(ofPeople, schema(edgeType('KNOWS', 400, ['Person', 'Person']), edgeType('LIKES', 500, ['Person', 'Person'])))).toEqual({ types: [undefined], omitted: [] });
  expect(edgeRequests(ofPeople, schema(edgeType('KNOWS', 10, ['Person', 'Person']), edgeType('OWNS', 10, ['Person', 'Car'])))).toEqual({ types: ['KNOWS'], omitted: [] });
});

test('beside a type with many edges, the others are still read, and it is named', () => {
  const large = schema(edgeType('CALLED', 3_000_000, ['Person', 'Person']), edgeType('KNOWS', 400, ['Person', 'Person']), edgeType('LIKES', 900, ['Person', 'Person']), edgeType('OWNS', 1, ['Person', 'Car']));
  expect(edgeRequests(ofPeople, large)).toEqual({ types: ['KNOWS', 'LIKES'], omitted: ['CALLED'] });
});

test('a type of which the user sees only some edges is read', () => expect(edgeRequests(ofPeople, schema(edgeType('KNOWS', null)))).toEqual({ types: ['KNOWS'], omitted: [] }));
