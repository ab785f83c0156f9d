import { expect, test } from 'vitest';
import { Problem } from '../api/problem';
import type { Properties } from '../values/value';
import type { Schema } from '../api/graph';
import { declarationsOf, declarationsOnChange, type Declared } from '../declared/check';
import { declaredFields } from '../declared/fields';
import {
  changedFieldsOf,
  checkForm,
  fieldsOf,
  fieldsOfType,
  filledFields,
  reverseChanges,
  newField,
  assignProblem,
  parseForm,
} from './form';

const original: Properties = { name: 'Ann', born: 1960n, height: 1.5, tags: ['a'] };

test('nothing is sent when nothing changed', () => expect(parseForm(fieldsOf(original), original).count).toBe(0));

test('only what changed is sent, and removal is null', () => {
  const fields = fieldsOf(original).map((f) => {
    if (f.name === 'born') return { ...f, draft: { ...f.draft, texts: ['1961'] } };
    if (f.name === 'height') return { ...f, removed: true };
    return f;
  });
  const { change } = parseForm([...fields, { ...newField('email'), draft: { kind: 'String', list: false, texts: ['x'] } }], original);
  expect(change).toEqual({ born: 1961n, height: null, email: 'x' });
  expect(reverseChanges(change, original)).toEqual({ born: 1960n, height: 1.5, email: null });
});

test('another type with the same text is a change', () => {
  const fields = fieldsOf(original).map((f) => (f.name === 'born' ? { ...f, draft: { ...f.draft, kind: 'Float' as const } } : f));
  expect(parseForm(fields, original).change).toEqual({ born: 1960 });
});

test('a missing or a duplicate name is an error', () => {
  const fields = [...fieldsOf(original), newField(''), { ...newField('name') }];
  expect(parseForm(fields, original).errors.size).toBe(2);
});

test('a validation error is assigned to its field', () => {
  const fields = fieldsOf(original);
  const problem = new Problem('VALIDATION_ERROR', 'Invalid input', 400, [{ field: 'properties.tags[0]', message: 'no' }]);
  expect([...assignProblem(fields, problem)]).toEqual([[fields.find((f) => f.name === 'tags')!.key, 'no']]);
});

test('names of built-in object members are ordinary names', () => {
  const odd = JSON.parse('{"__proto__":"a","constructor":"b"}') as Properties;
  const { change } = parseForm(fieldsOf(odd), {});
  expect(Object.keys(change)).toEqual(['__proto__', 'constructor']);
});

test('fields with earlier changes give the same changes', () => {
  const changes = { born: 1961n, height: null, email: 'x' };
  expect(parseForm(changedFieldsOf(original, changes), original).change).toEqual(changes);
});

const propertyUse = (name: string, type: string) => ({ name, types: [type], presence: 1, indexed: false, unique: false });
const schema = {
  node_types: [
    { type: 'A', count: 1, properties: [propertyUse('on', 'Boolean'), propertyUse('name', 'String'), propertyUse('x', 'Integer')] },
    { type: 'B', count: 1, properties: [propertyUse('name', 'String'), propertyUse('y', 'Float')] },
  ],
  edge_types: [],
  indexes: [],
  constraints: [],
  as_of: '',
  id_property: 'uuid',
} as unknown as Schema;

test('a Boolean that nobody touched is not stored', () => {
  const fields = fieldsOfType(schema, 'node', 'A');
  expect(fields.map((f) => f.name)).toEqual(['name', 'on', 'x']);
  expect(filledFields(fields)).toEqual([]);
  expect(
    parseForm(
      fields.filter((f) => f.name === 'on'),
      {},
    ).errors.size,
  ).toBe(1);
});

test('another type has its own fields, and keeps only what was filled in', () => {
  const fields = fieldsOfType(schema, 'node', 'A').map((f) =>
    f.name === 'name' || f.name === 'x' ? { ...f, draft: { ...f.draft, texts: ['7'] } } : f,
  );
  expect(fieldsOfType(schema, 'node', 'B', fields).map((f) => [f.name, f.draft.texts[0]])).toEqual([
    ['name', '7'],
    ['y', ''],
    ['x', '7'],
  ]);
});

const declaration = {
  level: 'strict',
  unique: [['code']],
  source_types: [],
  target_types: [],
  schema: {
    properties: { code: { type: 'string', pattern: '^[A-Z]+$' }, size: { enum: ['S', 'L'] }, x: { type: 'number', minimum: 5n } },
    required: ['size'],
    additionalProperties: false,
  },
};
const withDeclaration = (level: Declared['level']) =>
  ({
    ...schema,
    node_types: [{ ...schema.node_types[0], declared: { ...declaration, level } }, schema.node_types[1]],
  }) as unknown as Schema;

test('the fields of a declared type are its properties, required ones first, with what their values must be', () => {
  const strict = withDeclaration('strict');
  const fields = fieldsOfType(strict, 'node', 'A');
  expect(fields.map((f) => [f.name, f.draft.kind, f.offered])).toEqual([
    ['size', 'String', true],
    ['code', 'String', true],
    ['x', 'Integer', true],
  ]);
  expect(parseForm(fields, {})).toMatchObject({ count: 0, values: {} });
  expect(
    declaredFields(declarationsOf(strict, 'node', ['A'])).map((f) => [f.name, f.required, f.types.map((t) => t.kind).join(), f.hint]),
  ).toEqual([
    ['size', true, 'String', ''],
    ['code', false, 'String', 'matches ^[A-Z]+$, unique'],
    ['x', false, 'Integer,Float', '5 or more'],
  ]);
});

test('what a declaration does not allow is an error of its field', () => {
  const strict = withDeclaration('strict');
  const fields = fieldsOfType(strict, 'node', 'A', [
    { ...newField('code'), draft: { kind: 'String', list: false, texts: ['low'] } },
    { ...newField('other'), draft: { kind: 'String', list: false, texts: ['?'] } },
  ]);
  const found = checkForm(fields, parseForm(filledFields(fields), {}).values, declarationsOf(strict, 'node', ['A']));
  const errorOf = (name: string) => found.errors.get(fields.find((f) => f.name === name)!.key);
  expect([errorOf('size'), errorOf('code'), errorOf('other'), found.others]).toEqual([
    'is required',
    'must match the pattern ^[A-Z]+$',
    'is not a declared property of A',
    [],
  ]);
});

test('a change is checked as far as the level requires', () => {
  const levels = (level: Declared['level'], before: Properties) =>
    declarationsOnChange(withDeclaration(level), 'node', ['A'], before).map((d) => d.level);
  expect([levels('new', { size: 'S' }), levels('moderate', { size: 'S' }), levels('moderate', {}), levels('strict', {})]).toEqual([
    ['none'],
    ['moderate'],
    ['none'],
    ['strict'],
  ]);
});
