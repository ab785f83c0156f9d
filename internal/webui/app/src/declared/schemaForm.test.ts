import { expect, test } from 'vitest';
import {
  addRule,
  changeRule,
  changeType,
  choicesOf,
  enumOf,
  parseBound,
  parseSchema,
  propertyTypes,
  removeRule,
  renameRule,
  rulesOf,
  schemaText,
  setRequired,
  typeOf,
} from './schemaForm';

const typeNamed = (value: string) => propertyTypes.find((type) => type.value === value)!;
const text = `{
  "title": "A film",
  "properties": {
    "code": {"type": "string", "pattern": "^[A-Z]{3}$", "title": "Kept"},
    "rating": {"neo4jType": "Float", "minimum": 0.0, "maximum": 10},
    "year": {"type": "integer", "enum": [2011, 9007199254740993]},
    "born": {"neo4jType": ["Date", "LocalDateTime"]}
  },
  "required": ["code", "studio"],
  "additionalProperties": false
}`;
const schema = () => parseSchema(text)!;

test('the form shows types, what is required and what only the text shows', () => {
  expect(rulesOf(schema()).map(({ name, required, schema: own, others }) => [name, required, own && typeOf(own)?.value, others])).toEqual([
    ['code', true, 'String', ['title']],
    ['rating', false, 'Float', []],
    ['year', false, 'Integer', []],
    ['born', false, undefined, []],
    ['studio', true, null, []],
  ]);
});

test('the text of an unchanged schema means the same, with integers and floats', () => {
  expect(schemaText(schema())).toContain('"minimum": 0.0');
  expect(schemaText(schema())).toContain('9007199254740993');
  expect(parseSchema(schemaText(schema()))).toEqual(schema());
});

test('an edit leaves everything else as it is', () => {
  const edited = changeRule(setRequired(schema(), 'year', true), 'code', { minLength: 3n, pattern: undefined });
  expect(edited).toEqual({
    ...schema(),
    required: ['code', 'studio', 'year'],
    properties: { ...(schema()['properties'] as object), code: { type: 'string', title: 'Kept', minLength: 3n } },
  });
});

test('another type takes the keywords that do not apply with it', () => {
  const properties = changeType(schema(), 'rating', typeNamed('Integer'))['properties'] as Record<string, unknown>;
  expect(properties['rating']).toEqual({ type: 'integer', minimum: 0, maximum: 10n });
  expect((changeType(schema(), 'rating', typeNamed('String'))['properties'] as Record<string, unknown>)['rating']).toEqual({
    type: 'string',
  });
  expect((changeType(schema(), 'year', typeNamed('any'))['properties'] as Record<string, unknown>)['year']).toEqual({});
});

test.each(propertyTypes.map((type) => type.value))('%s is read back as the type that was chosen', (value) => {
  const changed = changeType(schema(), 'code', typeNamed(value));
  expect(typeOf(rulesOf(parseSchema(schemaText(changed))!)[0]!.schema!)?.value).toBe(value);
});

test('properties are added, renamed and removed, with what requires them', () => {
  expect(rulesOf(renameRule(schema(), 'code', 'iata')).map(({ name, required }) => `${name} ${required}`)).toContain('iata true');
  expect(renameRule(schema(), 'code', 'year')).toEqual(schema());
  expect(renameRule(schema(), 'code', '')).toEqual(schema());
  expect(rulesOf(removeRule(schema(), 'studio')).map(({ name }) => name)).not.toContain('studio');
  expect(rulesOf(addRule(addRule(parseSchema('{}')!))).map(({ name }) => name)).toEqual(['property', 'property2']);
});

test('a property may have any name', () => {
  const odd = changeRule(parseSchema('{"properties": {}}')!, '__proto__', { type: 'string' });
  expect(rulesOf(parseSchema(schemaText(odd))!).map(({ name }) => name)).toEqual(['__proto__']);
});

test.each([
  ['minimum', '-1.5', -1.5],
  ['maximum', '9007199254740993', 9007199254740993n],
  ['minLength', '3', 3n],
  ['minLength', '-3', undefined],
  ['minItems', '1.5', undefined],
  ['minimum', 'x', undefined],
  ['maximum', ' ', undefined],
] as const)('the bound %s of %s', (keyword, given, expected) => expect(parseBound(keyword, given)).toBe(expected));

test('enumerations are of the property’s type', () => {
  expect(enumOf(typeNamed('Integer'), ['1', '1.5', 'x', '9007199254740993'])).toEqual([1n, 9007199254740993n]);
  expect(enumOf(typeNamed('Float'), ['1', '2.5'])).toEqual([1, 2.5]);
  expect(enumOf(typeNamed('String'), [])).toBeUndefined();
  expect(choicesOf({ neo4jType: 'Float', enum: [1, 2.5] })).toEqual(['1.0', '2.5']);
  expect(choicesOf({ type: 'string', enum: ['a', null] })).toBeNull();
});

test.each(['{', '[]', '{"properties": []}', '{"required": "code"}', 'true'])('%s is not shown as a form', (given) =>
  expect(parseSchema(given)).toBeNull(),
);
