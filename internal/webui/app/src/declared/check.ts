// Checks properties by the declarations of their types, in the words of the service (internal/declared). It checks a part of JSON Schema
// only, and never rejects what the service accepts: the service checks every request again, and its errors are shown at the same fields.
import { bodyText } from '../api/json';
import type { EntityKind, Schema } from '../api/graph';
import type { components } from '../api/openapi';
import { isTagged, type Properties, type Value } from '../values/value';

export type Declared = components['schemas']['DeclaredAs'] & { type: string };

/** A JSON Schema; its numbers may be bigints. */
export type JSONSchema = Record<string, unknown>;

/** The declarations of these types, as far as the user may see them. */
export function declarationsOf(schema: Schema, kind: EntityKind, types: readonly string[]): Declared[] {
  const all = kind === 'node' ? schema.node_types : schema.edge_types;
  return all.flatMap(({ type, declared }) => (declared && types.includes(type) ? [{ ...declared, type }] : []));
}

/** The declarations that apply to a change of an entity: not those for new entities only, and no moderate one that it violated before. */
export function declarationsOnChange(schema: Schema, kind: EntityKind, types: readonly (string | null)[], before: Properties): Declared[] {
  const named = types.filter((type) => type !== null);
  return declarationsOf(schema, kind, named).map((d) =>
    d.level === 'new' || (d.level === 'moderate' && findViolations([d], before).size > 0) ? { ...d, level: 'none' } : d,
  );
}

const isObject = (schema: unknown): schema is JSONSchema => typeof schema === 'object' && schema !== null && !Array.isArray(schema);

function resolve(root: JSONSchema, reference: string): unknown {
  let at: unknown = root;
  for (const token of reference.replace(/^#/, '').split('/').slice(1)) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/** A schema with those that it refers to and those of allOf, all of which apply. The service accepts no recursive references. */
function flatten(root: JSONSchema, schema: unknown): (JSONSchema | false)[] {
  if (schema === false) return [false];
  if (!isObject(schema)) return [];
  const referred = typeof schema['$ref'] === 'string' ? flatten(root, resolve(root, schema['$ref'])) : [];
  const all = Array.isArray(schema['allOf']) ? schema['allOf'].flatMap((part) => flatten(root, part)) : [];
  return [schema, ...referred, ...all];
}

/** The parts of the declaration itself that apply to all properties together. */
export const partsOf = (declared: Declared): JSONSchema[] => flatten(declared.schema, declared.schema).filter((part) => part !== false);

/** The schemas that apply to a property. */
export function schemasOf(declared: Declared, property: string): (JSONSchema | false)[] {
  return partsOf(declared).flatMap((part) => {
    const properties = part['properties'];
    return isObject(properties) && Object.hasOwn(properties, property) ? flatten(declared.schema, properties[property]) : [];
  });
}

export const strings = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** What the declarations of the types do not allow, by property: the first reason for each. */
export function findViolations(declarations: Declared[], properties: Properties): Map<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, reason: string | null) => reason !== null && !found.has(name) && found.set(name, reason);
  for (const declared of declarations) {
    if (declared.level === 'none') continue;
    const parts = partsOf(declared);
    for (const part of parts) {
      for (const name of strings(part['required'])) if (!Object.hasOwn(properties, name)) add(name, 'is required');
      const dependent = isObject(part['dependentRequired']) ? part['dependentRequired'] : {};
      for (const [given, names] of Object.entries(dependent)) {
        if (Object.hasOwn(properties, given))
          for (const name of strings(names)) if (!Object.hasOwn(properties, name)) add(name, `is required where ${given} is given`);
      }
      if (part['additionalProperties'] !== false || part['patternProperties'] !== undefined) continue;
      const described = isObject(part['properties']) ? part['properties'] : {};
      for (const name of Object.keys(properties))
        if (!Object.hasOwn(described, name)) add(name, `is not a declared property of ${declared.type}`);
    }
    for (const [name, value] of Object.entries(properties)) {
      for (const schema of schemasOf(declared, name)) add(name, violationOf(declared.schema, schema, value));
    }
  }
  return found;
}

/** What a valid value must be, or null for a value that is valid. */
function violationOf(root: JSONSchema, schema: JSONSchema | false, value: Value): string | null {
  if (schema === false) return 'is not allowed';
  return (
    typeViolation(schema, value) ??
    choiceViolation(schema, value) ??
    numberViolation(schema, value) ??
    textViolation(schema, value) ??
    listViolation(root, schema, value)
  );
}

// In the order in which the service lists them.
const typeTexts = new Map([
  ['null', 'absent'],
  ['boolean', 'true or false'],
  ['number', 'a number'],
  ['integer', 'an integer such as 1, without a fraction'],
  ['string', 'a text'],
  ['array', 'a list'],
  ['object', 'a value in typed JSON'],
]);

const typeExamples: Record<string, string> = {
  Float: '1.0',
  Date: '{"$type":"Date","_value":"2024-05-01"}',
  Time: '{"$type":"Time","_value":"12:30:00+02:00"}',
  LocalTime: '{"$type":"LocalTime","_value":"12:30:00"}',
  LocalDateTime: '{"$type":"LocalDateTime","_value":"2024-05-01T12:30:00"}',
  ZonedDateTime: '{"$type":"ZonedDateTime","_value":"2024-05-01T12:30:00+02:00[Europe/Berlin]"}',
  Duration: '{"$type":"Duration","_value":"P1DT2H"}',
  Point: '{"$type":"Point","_value":"SRID=4326;POINT (13.4 52.5)"}',
};

/** The name of a value's type in JSON Schema. */
function jsonType(value: Value): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return isTagged(value) ? 'object' : typeof value;
}

/** The name of a value's type as GET /api/schema shows it. */
function neo4jType(value: Value): string {
  if (Array.isArray(value)) return value.length === 0 ? 'List' : `List<${neo4jType(value[0]!)}>`;
  if (isTagged(value)) return value.$type;
  return { string: 'String', boolean: 'Boolean', bigint: 'Integer', number: 'Float' }[typeof value as 'string'] ?? '';
}

function typeMatches(got: string, want: string): boolean {
  if (got === want) return true;
  if (got === 'Base64') return want === 'List<Integer>' || want === 'List';
  if (want === 'List' || got === 'List') return got.startsWith('List') && want.startsWith('List');
  return got.replaceAll('OffsetDateTime', 'ZonedDateTime') === want;
}

function typeViolation(schema: JSONSchema, value: Value): string | null {
  const types = strings(schema['type']);
  const got = jsonType(value);
  if (types.length > 0 && !types.includes(got) && !(got === 'integer' && types.includes('number'))) {
    // A float without a fraction is an integer in JSON Schema, but not in the database.
    if (types.length === 1 && types[0] === 'integer' && typeof value === 'number') return 'must be an integer such as 1, which 1.0 is not';
    return `must be ${joinOr([...typeTexts].flatMap(([name, text]) => (types.includes(name) ? [text] : [])))}`;
  }
  const names = strings(schema['neo4jType']);
  const of = neo4jType(value);
  if (names.length === 0 || names.some((want) => typeMatches(of, want))) return null;
  if (names.length === 1 && names[0] === 'Integer' && of === 'Float') return 'must be an integer such as 1, which 1.0 is not';
  return `must be of type ${joinOr(names.map((name) => (typeExamples[name] ? `${name}, such as ${typeExamples[name]}` : name)))}`;
}

/** Whether two values are equal as JSON; undefined if that depends on how a date or a similar value is written. */
function jsonEqual(a: unknown, b: unknown): boolean | undefined {
  if (isTagged(a) && isTagged(b)) return a.$type === b.$type && a._value === b._value ? true : undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    const items = a.length === b.length ? a.map((item, i) => jsonEqual(item, b[i])) : [false];
    return items.includes(false) ? false : items.includes(undefined) ? undefined : true;
  }
  const number = (v: unknown) => typeof v === 'bigint' || typeof v === 'number';
  // 1 and 1.0 are equal in JSON Schema.
  return number(a) && number(b) ? a == b : a === b;
}

function choiceViolation(schema: JSONSchema, value: Value): string | null {
  for (const choices of [schema['enum'], 'const' in schema ? [schema['const']] : undefined]) {
    if (Array.isArray(choices) && choices.every((choice) => jsonEqual(choice, value) === false))
      return `must be ${joinOr(choices.map((choice) => shorten(bodyText(choice))))}`;
  }
  return null;
}

const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

function numberViolation(schema: JSONSchema, value: Value): string | null {
  if (typeof value !== 'bigint' && typeof value !== 'number') return null;
  const bound = (keyword: string) =>
    typeof schema[keyword] === 'bigint' || typeof schema[keyword] === 'number' ? schema[keyword] : undefined;
  const [minimum, maximum, above, below, step] = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(bound);
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  if (above !== undefined && value <= above) return `must be more than ${above}`;
  if (below !== undefined && value >= below) return `must be less than ${below}`;
  if (typeof value === 'bigint' && step !== undefined && Number.isInteger(Number(step)) && value % BigInt(step) !== 0n)
    return `must be a multiple of ${step}`;
  return null;
}

function textViolation(schema: JSONSchema, value: Value): string | null {
  if (typeof value !== 'string') return null;
  const length = [...value].length;
  const [minimum, maximum] = [schema['minLength'], schema['maxLength']];
  if (minimum !== undefined && length < Number(minimum)) return `must have ${count(minimum, 'character')} or more`;
  if (maximum !== undefined && length > Number(maximum)) return `must have ${count(maximum, 'character')} or fewer`;
  const pattern = schema['pattern'];
  return typeof pattern === 'string' && matchesPattern(pattern, value) === false ? `must match the pattern ${pattern}` : null;
}

/**
 * Whether a text matches a pattern in the syntax of RE2; undefined if JavaScript could judge otherwise, or take long. Syntax that RE2 alone
 * has is an error in JavaScript with the flag u. Both differ in which characters are white space or end a line.
 */
function matchesPattern(pattern: string, text: string): boolean | undefined {
  const repeatsGroup = /\)[*+{]/.test(pattern);
  const repetitions = pattern.match(/[*+]|\{\d+,/g)?.length ?? 0;
  if (repeatsGroup || repetitions > 2 || text.length > 500 || /[^\S\t\n\f ]/.test(text)) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

function listViolation(root: JSONSchema, schema: JSONSchema, value: Value): string | null {
  if (!Array.isArray(value)) return null;
  const [minimum, maximum] = [schema['minItems'], schema['maxItems']];
  if (minimum !== undefined && value.length < Number(minimum)) return `must have ${count(minimum, 'element')} or more`;
  if (maximum !== undefined && value.length > Number(maximum)) return `must have ${count(maximum, 'element')} or fewer`;
  if (schema['uniqueItems'] === true && value.some((item, i) => value.slice(0, i).some((other) => jsonEqual(item, other))))
    return 'must not contain a value twice';
  if (schema['prefixItems'] !== undefined) return null;
  for (const part of flatten(root, schema['items'])) {
    for (const [index, item] of value.entries()) {
      const reason = violationOf(root, part, item);
      if (reason !== null) return `element ${index} ${reason}`;
    }
  }
  return null;
}

const count = (n: unknown, what: string) => `${String(n)} ${what}${Number(n) === 1 ? '' : 's'}`;

function joinOr(all: string[]): string {
  return all.length > 20 ? `one of ${all.slice(0, 20).join(', ')} and ${all.length - 20} more` : all.join(' or ');
}
