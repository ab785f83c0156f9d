// What the declarations of its types say about a property, for the form.
import type { Declared, JSONSchema } from './check';
import { partsOf, schemasOf, strings } from './check';
import { isTagged, kindOf, kinds, type Kind, type Scalar } from '../values/value';

export interface ValueType {
  kind: Kind;
  list: boolean;
}

export interface DeclaredField {
  name: string;
  required: boolean;
  /** The types that a value may have; empty for any. */
  types: ValueType[];
  /** The values of an enumeration; null if there is none. */
  choices: Scalar[] | null;
  /** What else a value must be, for the user. */
  hint: string;
}

const jsonKinds: Record<string, Kind[]> = { string: ['String'], integer: ['Integer'], number: ['Integer', 'Float'], boolean: ['Boolean'] };
const listTypes = (of: readonly Kind[]): ValueType[] => of.filter((kind) => kind !== 'Base64').map((kind) => ({ kind, list: true }));

function namedTypes(name: string): ValueType[] {
  const inner = /^List(?:<(.+)>)?$/.exec(name);
  if (inner) return listTypes(inner[1] === undefined ? kinds : kinds.filter((kind) => kind === inner[1]));
  // Neo4j calls a date and time with an offset a zoned one.
  return kinds
    .filter((kind) => kind === name || (name === 'ZonedDateTime' && kind === 'OffsetDateTime'))
    .map((kind) => ({ kind, list: false }));
}

function typesOf(schema: JSONSchema): ValueType[] {
  const named = strings(schema['neo4jType']).flatMap(namedTypes);
  if (named.length > 0) return named;
  return strings(schema['type']).flatMap((type) => {
    if (type !== 'array') return (jsonKinds[type] ?? []).map((kind) => ({ kind, list: false }));
    const items = schema['items'];
    const inner = typeof items === 'object' && items !== null ? typesOf(items as JSONSchema).filter((t) => !t.list) : [];
    return listTypes(inner.length > 0 ? inner.map((t) => t.kind) : kinds);
  });
}

// A form offers a choice only between values that one select can show.
const isScalar = (value: unknown): value is Scalar => ['string', 'boolean', 'bigint', 'number'].includes(typeof value) || isTagged(value);

function choicesOf(schema: JSONSchema): Scalar[] | null {
  const all = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : 'const' in schema ? [schema['const']] : [];
  const scalars = all.filter(isScalar);
  return scalars.length > 0 && scalars.length === all.length && scalars.length <= 100 ? scalars : null;
}

const number = (schema: JSONSchema, keyword: string) =>
  ['bigint', 'number'].includes(typeof schema[keyword]) ? String(schema[keyword]) : null;

function hintsOf(schema: JSONSchema): string[] {
  const bound = (keyword: string, text: (n: string) => string) => {
    const n = number(schema, keyword);
    return n === null ? [] : [text(n)];
  };
  return [
    ...(typeof schema['description'] === 'string' ? [schema['description']] : []),
    ...bound('minimum', (n) => `${n} or more`),
    ...bound('maximum', (n) => `${n} or less`),
    ...bound('exclusiveMinimum', (n) => `more than ${n}`),
    ...bound('exclusiveMaximum', (n) => `less than ${n}`),
    ...bound('multipleOf', (n) => `a multiple of ${n}`),
    ...bound('minLength', (n) => `${n} or more characters`),
    ...bound('maxLength', (n) => `at most ${n} characters`),
    ...(typeof schema['pattern'] === 'string' ? [`matches ${schema['pattern']}`] : []),
    ...(typeof schema['format'] === 'string' ? [`in the form ${schema['format']}`] : []),
    ...bound('minItems', (n) => `${n} or more items`),
    ...bound('maxItems', (n) => `at most ${n} items`),
    ...(schema['uniqueItems'] === true ? ['no item twice'] : []),
  ];
}

/** What the schema of one value says about it, for a form. */
export function schemaField(name: string, schema: JSONSchema): DeclaredField {
  return { name, required: false, types: typesOf(schema), choices: choicesOf(schema), hint: hintsOf(schema).join(', ') };
}

/** The declared properties of these types, required ones first. */
export function declaredFields(declarations: Declared[]): DeclaredField[] {
  const required = new Set(
    declarations.filter((d) => d.level !== 'none').flatMap((d) => partsOf(d).flatMap((part) => strings(part['required']))),
  );
  const described = declarations.flatMap((d) =>
    partsOf(d).flatMap((part) => Object.keys((part['properties'] as JSONSchema | undefined) ?? {})),
  );
  return [...new Set([...required, ...described])].map((name) => {
    const schemas = declarations.flatMap((d) => schemasOf(d, name)).filter((schema) => schema !== false);
    const choices = schemas.map(choicesOf).find((found) => found !== null) ?? null;
    const types =
      schemas.map(typesOf).find((found) => found.length > 0) ??
      [...new Set(choices?.map((value) => kindOf(value)))].map((kind) => ({ kind, list: false }));
    const key = declarations.flatMap((d) => d.unique).find((names) => names.includes(name));
    const unique =
      key === undefined ? [] : [key.length === 1 ? 'unique' : `unique together with ${key.filter((other) => other !== name).join(', ')}`];
    return { name, required: required.has(name), types, choices, hint: [...new Set([...schemas.flatMap(hintsOf), ...unique])].join(', ') };
  });
}

/** Whether the declarations allow no other properties than theirs. */
export function isClosed(declarations: Declared[]): boolean {
  return declarations.some(
    (d) =>
      d.level !== 'none' && partsOf(d).some((part) => part['additionalProperties'] === false && part['patternProperties'] === undefined),
  );
}
