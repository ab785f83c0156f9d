// A form for the JSON Schema of a declared type. The text is the only state: the form shows what is in it, and each edit of the form is a
// new text, in which keywords that the form does not show stay as they are.
import { bodyText, parseExact } from '../api/json';
import { kindLabels, kinds, type Kind } from '../values/value';
import type { JSONSchema } from './check';

const isObject = (value: unknown): value is JSONSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the text of a schema; null if it is no JSON object, or has no properties that a form could show. */
export function parseSchema(text: string): JSONSchema | null {
  try {
    const schema = parseExact(text);
    if (!isObject(schema)) return null;
    const { properties = {}, required = [] } = schema;
    return isObject(properties) && Array.isArray(required) && required.every((name) => typeof name === 'string') ? schema : null;
  } catch {
    return null;
  }
}

export const schemaText = (schema: JSONSchema) => bodyText(schema, 2);

/** The keywords that the form shows, with the kinds of types that they apply to. */
export const bounds = [
  { keyword: 'minimum', label: 'Minimum', of: 'number' },
  { keyword: 'maximum', label: 'Maximum', of: 'number' },
  { keyword: 'minLength', label: 'Shortest length', of: 'text' },
  { keyword: 'maxLength', label: 'Longest length', of: 'text' },
  { keyword: 'minItems', label: 'Fewest items', of: 'list' },
  { keyword: 'maxItems', label: 'Most items', of: 'list' },
] as const;
export type Bound = (typeof bounds)[number]['keyword'];

/** The kind of the values of a schema: numbers, texts, lists, or something without further keywords. */
type Family = 'number' | 'text' | 'list' | 'other';

interface PropertyType {
  value: string;
  label: string;
  family: Family;
  schema: JSONSchema;
}

// JSON Schema has these types itself; all others are Neo4j's.
const plain: Partial<Record<Kind, JSONSchema>> = { String: { type: 'string' }, Integer: { type: 'integer' }, Boolean: { type: 'boolean' } };
const familyOf = (kind: Kind): Family => (kind === 'String' ? 'text' : kind === 'Integer' || kind === 'Float' ? 'number' : 'other');
const scalars = kinds.filter((kind) => kind !== 'OffsetDateTime' && kind !== 'Base64');

/** The types that a property may have. The first one allows every value. */
export const propertyTypes: PropertyType[] = [
  { value: 'any', label: 'Any value', family: 'other', schema: {} },
  ...scalars.map((kind): PropertyType => ({
    value: kind,
    label: kindLabels[kind],
    family: familyOf(kind),
    schema: plain[kind] ?? { neo4jType: kind },
  })),
  { value: 'number', label: 'Integer or float', family: 'number', schema: { type: 'number' } },
  ...scalars.map((kind): PropertyType => ({
    value: `List<${kind}>`,
    label: `List of ${kindLabels[kind]}`,
    family: 'list',
    schema: plain[kind] ? { type: 'array', items: plain[kind] } : { neo4jType: `List<${kind}>` },
  })),
];

const typeKeywords = ['type', 'neo4jType', 'items'];
const pick = (schema: JSONSchema, names: readonly string[]): JSONSchema =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(schema, name) ? [[name, schema[name]]] : [])));

/** The type that a property's schema allows; null if the form has none such. */
export function typeOf(schema: JSONSchema): PropertyType | null {
  const text = bodyText(pick(schema, typeKeywords));
  const listType = typeof schema['neo4jType'] === 'string' ? schema['neo4jType'] : null;
  return (
    propertyTypes.find((type) => bodyText(pick(type.schema, typeKeywords)) === text) ??
    // A text, an integer or a list may be named in Neo4j's terms too.
    (listType !== null && Object.keys(pick(schema, typeKeywords)).length === 1
      ? (propertyTypes.find((type) => type.value === listType) ?? null)
      : null)
  );
}

export interface Rule {
  name: string;
  required: boolean;
  /** null if the property is only required, or has a schema that is no object. */
  schema: JSONSchema | null;
  /** Keywords that only the text shows. */
  others: string[];
}

const shownKeywords: string[] = [...typeKeywords, 'enum', 'pattern', 'description', ...bounds.map(({ keyword }) => keyword)];
const propertiesOf = (schema: JSONSchema) => (schema['properties'] as JSONSchema | undefined) ?? {};
const requiredOf = (schema: JSONSchema) => (schema['required'] as string[] | undefined) ?? [];

/** The properties of a schema, in their order; those that are only required come last. */
export function rulesOf(schema: JSONSchema): Rule[] {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  return [...new Set([...Object.keys(properties), ...required])].map((name) => {
    const own = Object.hasOwn(properties, name) && isObject(properties[name]) ? properties[name] : null;
    return {
      name,
      required: required.includes(name),
      schema: own,
      others: own ? Object.keys(own).filter((keyword) => !shownKeywords.includes(keyword)) : [],
    };
  });
}

const withProperties = (schema: JSONSchema, entries: [string, unknown][]): JSONSchema => ({
  ...schema,
  properties: Object.fromEntries(entries),
});

/** Sets keywords of a property; undefined removes one. */
export function changeRule(schema: JSONSchema, name: string, keywords: JSONSchema): JSONSchema {
  const properties = propertiesOf(schema);
  const before = Object.hasOwn(properties, name) && isObject(properties[name]) ? properties[name] : {};
  const after = Object.fromEntries(Object.entries({ ...before, ...keywords }).filter(([, value]) => value !== undefined));
  const entries = Object.entries(properties).map(([key, value]): [string, unknown] => [key, key === name ? after : value]);
  return withProperties(schema, Object.hasOwn(properties, name) ? entries : [...entries, [name, after]]);
}

/** Gives a property another type, and removes the keywords that do not apply to it. */
export function changeType(schema: JSONSchema, name: string, to: PropertyType): JSONSchema {
  const from = Object.hasOwn(propertiesOf(schema), name) ? propertiesOf(schema)[name] : undefined;
  const family = isObject(from) ? typeOf(from)?.family : undefined;
  const lost = Object.fromEntries(
    [...typeKeywords, 'enum', ...(family === to.family ? [] : ['pattern', ...bounds.map(({ keyword }) => keyword)])].map((keyword) => [
      keyword,
      undefined,
    ]),
  );
  return changeRule(schema, name, { ...lost, ...to.schema });
}

export function setRequired(schema: JSONSchema, name: string, required: boolean): JSONSchema {
  const names = requiredOf(schema).filter((other) => other !== name);
  return { ...schema, required: required ? [...names, name] : names };
}

export function removeRule(schema: JSONSchema, name: string): JSONSchema {
  return setRequired(
    withProperties(
      schema,
      Object.entries(propertiesOf(schema)).filter(([key]) => key !== name),
    ),
    name,
    false,
  );
}

/** Renames a property; the schema stays as it is if the name is taken or empty. */
export function renameRule(schema: JSONSchema, name: string, to: string): JSONSchema {
  if (to === '' || rulesOf(schema).some((rule) => rule.name === to)) return schema;
  const renamed = withProperties(
    schema,
    Object.entries(propertiesOf(schema)).map(([key, value]) => [key === name ? to : key, value]),
  );
  return requiredOf(schema).includes(name)
    ? { ...renamed, required: requiredOf(schema).map((other) => (other === name ? to : other)) }
    : renamed;
}

/** Adds a property of any value, with a name that is not taken. */
export function addRule(schema: JSONSchema): JSONSchema {
  const taken = new Set(rulesOf(schema).map(({ name }) => name));
  const name = ['property', ...Array.from({ length: taken.size + 1 }, (_, i) => `property${i + 2}`)].find((free) => !taken.has(free))!;
  return changeRule(schema, name, {});
}

/** A bound as it is written in the form; undefined if it is no valid one. */
export function parseBound(keyword: Bound, text: string): bigint | number | undefined {
  const isWhole = /^-?\d+$/.test(text);
  if (isWhole) return keyword === 'minimum' || keyword === 'maximum' || BigInt(text) >= 0n ? BigInt(text) : undefined;
  const n = Number(text);
  return (keyword === 'minimum' || keyword === 'maximum') && text.trim() !== '' && Number.isFinite(n) ? n : undefined;
}

/** The values of an enumeration as texts; null if the form does not show them. */
export function choicesOf(schema: JSONSchema): string[] | null {
  const { enum: values } = schema;
  if (values === undefined) return [];
  const family = typeOf(schema)?.family;
  if (!Array.isArray(values)) return null;
  if (family === 'text') return values.every((value) => typeof value === 'string') ? values : null;
  return family === 'number' && values.every((value) => typeof value === 'bigint' || typeof value === 'number')
    ? values.map((value) => bodyText(value))
    : null;
}

/** The enumeration of these texts; undefined without any. Numbers that are not valid are left out. */
export function enumOf(type: PropertyType, texts: string[]): unknown[] | undefined {
  if (texts.length === 0) return undefined;
  if (type.family === 'text') return texts;
  const numbers = texts.flatMap((text) => {
    const n = parseBound('minimum', text.trim());
    if (n === undefined) return [];
    return type.value === 'Integer' ? (typeof n === 'bigint' ? [n] : []) : [type.value === 'Float' ? Number(n) : n];
  });
  return numbers.length > 0 ? numbers : undefined;
}
