import { describe, expect, test } from 'vitest';
import type { PropertyUse, Schema } from '../api/graph';
import { listedName, parseName } from './endNames';
import { namingPropertyAt, propertiesAt } from './endProperties';

describe('names of properties of edges and their ends', () => {
  test('have the notation of the service', () => {
    for (const [name, end, property] of [
      ['km', null, 'km'],
      ['source.name', null, 'source.name'],
      ['source:name', 'source', 'name'],
      ['target:a:b', 'target', 'a:b'],
      ['edge:source:name', null, 'source:name'],
      ['edge:edge:target:x', null, 'edge:target:x'],
      ['edge:name', null, 'edge:name'],
    ] as const) {
      expect(parseName(name)).toEqual({ end, property });
      if (end === null) expect(listedName('edge', property)).toBe(name);
    }
    expect(listedName('node', 'source:name')).toBe('source:name');
  });
});

const propertyUse = (name: string, presence = 1, types = ['String']): PropertyUse => ({
  name,
  types,
  presence,
  indexed: false,
  unique: false,
});
const type = (name: string, properties: PropertyUse[]) => ({ type: name, count: 1, labels: [name], managed: true, properties });
const schema = {
  as_of: '',
  id_property: 'uuid',
  constraints: [],
  indexes: [],
  node_types: [
    type('Film', [propertyUse('code', 1, ['Integer']), propertyUse('title')]),
    type('Person', [propertyUse('born', 1, ['Integer']), propertyUse('name', 0.9), propertyUse('nick')]),
    type('Company', [propertyUse('name')]),
    type('Place', [propertyUse('area', 1, ['Float'])]),
  ],
  edge_types: [
    { ...type('ACTED_IN', []), connections: [{ source_type: 'Person', target_type: 'Film', count: 1 }] },
    {
      ...type('MADE', []),
      connections: [
        { source_type: 'Person', target_type: 'Film', count: 1 },
        { source_type: 'Company', target_type: 'Place', count: 1 },
      ],
    },
  ],
} as unknown as Schema;

describe('the ends of an edge type', () => {
  test('are sorted by the property that names all their nodes', () => {
    expect(namingPropertyAt(schema, 'ACTED_IN', 'source')).toBe('name');
    expect(namingPropertyAt(schema, 'ACTED_IN', 'target')).toBe('title');
    expect(namingPropertyAt(schema, 'MADE', 'source')).toBe('name');
    expect(namingPropertyAt(schema, 'MADE', 'target')).toBeUndefined();
    expect(namingPropertyAt(schema, 'OTHER', 'source')).toBeUndefined();
  });

  test('have the properties of all types there', () => {
    expect(propertiesAt(schema, 'ACTED_IN', 'source').map(({ name }) => name)).toEqual(['source:name', 'source:born', 'source:nick']);
    expect(
      propertiesAt(schema, 'MADE', 'target')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['target:area', 'target:code', 'target:title']);
    expect(propertiesAt(schema, null, 'source')).toEqual([]);
  });
});
