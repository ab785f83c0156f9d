import { expect, test, vi } from 'vitest';
import type { Schema } from '../api/graph';
import { checkEnd, endTypesOf, likelyEdgeType } from './ends';

vi.mock('../api/graph', () => ({}));
vi.mock('../changesets/proposal', () => ({}));
vi.mock('../session/session', () => ({}));

const connection = (source_type: string, target_type: string) => ({ source_type, target_type, count: 1 });
const declared = (level: string) => ({ level, schema: {}, unique: [], source_types: ['Film'], target_types: [] });
const schema = {
  node_types: [],
  edge_types: [
    { type: 'ACTED_IN', connections: [connection('Person', 'Film'), connection('Animal', 'Film')] },
    { type: 'PRODUCED_BY', connections: [connection('Film', 'Studio')], declared: declared('strict') },
    { type: 'LOOSE', connections: [], declared: declared('none') },
  ],
} as unknown as Schema;

test('the types of an end are the declared ones, or else those observed', () => {
  expect(endTypesOf(schema, 'ACTED_IN', 'source')).toEqual({ types: ['Animal', 'Person'], declared: false });
  expect(endTypesOf(schema, 'PRODUCED_BY', 'source')).toEqual({ types: ['Film'], declared: true });
  expect(endTypesOf(schema, 'PRODUCED_BY', 'target')).toEqual({ types: ['Studio'], declared: false });
  expect(endTypesOf(schema, 'LOOSE', 'source')).toEqual({ types: [], declared: false });
  expect(endTypesOf(schema, 'NEW', 'target').types).toEqual([]);
});

test('a node of another type is an error where the types are declared, and a warning where they were observed', () => {
  expect(checkEnd(schema, 'PRODUCED_BY', 'source', ['Person'])).toEqual({ error: 'must be a node of type Film' });
  expect(checkEnd(schema, 'PRODUCED_BY', 'source', ['Person', 'Film'])).toEqual({});
  expect(checkEnd(schema, 'ACTED_IN', 'target', ['Person']).warning).toContain('end at nodes of type Film only');
  expect(checkEnd(schema, 'ACTED_IN', 'target', undefined)).toEqual({});
});

test('the edge type that is offered first connects the ends', () => {
  expect(likelyEdgeType(schema, ['Film'], undefined)).toBe('PRODUCED_BY');
  expect(likelyEdgeType(schema, ['Person'], ['Film'])).toBe('ACTED_IN');
  expect(likelyEdgeType(schema, ['City'], undefined)).toBe('ACTED_IN');
});
