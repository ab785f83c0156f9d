import { expect, test, vi } from 'vitest';
import type { GraphNode } from '../api/graph';
import { csvCell, nodesCsv } from './csv';
import { readTrailer, fileName, lineOf } from './exporting';
import { lineReader } from './importing';
import { parseHeader } from './typedHeaders';

vi.mock('../api/graph', () => ({}));
vi.mock('../api/client', () => ({}));

const node = (properties: GraphNode['properties']): GraphNode => ({ id: 'x', type: 'A', labels: ['A'], properties });

test('text from the graph cannot become a formula or a new cell', () => {
  expect(csvCell('a,"b"')).toBe('"a,""b"""');
  expect(nodesCsv([node({ a: '=1+1' })])).toBe(':ID,:LABEL,a:json\r\nx,A,"""=1+1"""\r\n');
  expect(nodesCsv([node({ a: 'a;=1+1' })])).toBe(':ID,:LABEL,a:json\r\nx,A,"""a;\\u003d1+1"""\r\n');
  expect(nodesCsv([node({ a: -5n, b: -1.5e-7 })])).toBe(':ID,:LABEL,a:int,b:float\r\nx,A,-5,-1.5e-7\r\n');
  expect(nodesCsv([node({ n: 9007199254740993n })])).toBe(':ID,:LABEL,n:int\r\nx,A,9007199254740993\r\n');
  expect(nodesCsv([node({ a: 'x' }), node({ constructor: 'y' })])).toBe(':ID,:LABEL,a,constructor\r\nx,A,x,\r\nx,A,,y\r\n');
});

test('what is beside the rows are columns that an import ignores, and no formulas', () => {
  const beside = { titles: ['TO → B', 'Source: b'], texts: [['Ann, Bob', '=1+1']] };
  const [head, row] = nodesCsv([node({ a: 1n })], beside).split('\r\n');
  expect(head).toBe(':ID,:LABEL,a:int,TO → B:IGNORE,"""Source: b"":IGNORE"');
  expect(row).toBe('x,A,1,"Ann, Bob",\'=1+1');
  expect(['TO → B:IGNORE', '"Source: b":IGNORE'].map(parseHeader)).toEqual([
    { name: 'TO → B', role: 'IGNORE' },
    { name: 'Source: b', role: 'IGNORE' },
  ]);
});

test('an exported line keeps the types of values', () => {
  expect(lineOf(node({ n: 9007199254740993n, f: 1 }))).toBe(
    '{"kind":"node","id":"x","type":"A","labels":["A"],"properties":{"n":9007199254740993,"f":1.0}}\n',
  );
});

test('each line is returned once, when it is complete', () => {
  const read = lineReader();
  expect(read('{"a"')).toEqual([]);
  expect(read('{"a":1}\n{"b"')).toEqual(['{"a":1}']);
  expect(read('{"a":1}\n{"b":2}\n{"c":3}\n')).toEqual(['{"b":2}', '{"c":3}']);
});

test('only an export with its last line is complete', () => {
  expect(readTrailer('cut}\n{"kind":"end","nodes":2,"edges":1}\n')).toEqual({ nodes: 2, edges: 1 });
  expect(() => readTrailer('{"kind":"node","id":"x"}\n{"kind":"no')).toThrow('too early');
  expect(() => readTrailer('{"kind":"error","error":{"code":"DATABASE_TIMEOUT","message":"It took too long"}}\n')).toThrow(
    'It took too long',
  );
});

test.each([
  ['Film', 'Film.csv'],
  ['../x/y', '_x_y.csv'],
  ['::', 'graph.csv'],
  ['Größe 1', 'Größe_1.csv'],
])('%s is saved as %s', (type, name) => expect(fileName(type, 'csv')).toBe(name));
