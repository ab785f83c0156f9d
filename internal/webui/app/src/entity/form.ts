// The properties of an entity as a form. Only values that differ from those read are sent.
import type { Entity, EntityKind, PropertyChanges, PropertyUse, Schema } from '../api/graph';
import type { Problem } from '../api/problem';
import { declarationsOf, declarationsOnChange, findViolations, type Declared } from '../declared/check';
import { declaredFields, isClosed, type DeclaredField } from '../declared/fields';
import { propertiesOf } from '../explore/columns';
import { draftOf, emptyDraft, isEmptyDraft, parseDraft, sameValue, type Draft } from '../values/draft';
import { sortedNames } from '../values/text';
import { kindOf, kinds, type Kind, type Properties, type Value } from '../values/value';

export interface Field {
  key: number; // stable while the form is open
  name: string;
  draft: Draft;
  /** Whether the property exists, so that its name is fixed. */
  fixed: boolean;
  removed: boolean;
  /** Whether the form itself has added the field, because the property is declared: empty, it is no property. */
  offered?: boolean;
}

let nextKey = 0;

export function fieldsOf(properties: Properties): Field[] {
  return sortedNames(properties).map((name) => ({ key: nextKey++, name, draft: draftOf(properties[name]!), fixed: true, removed: false }));
}

/** The fields with changes that have been made before, such as those that are proposed. */
export function changedFieldsOf(properties: Properties, changes: PropertyChanges): Field[] {
  const value = (name: string) => (Object.hasOwn(changes, name) ? changes[name] : undefined);
  const fields = fieldsOf(properties).map((field) => {
    const changed = value(field.name);
    return changed === undefined ? field : changed === null ? { ...field, removed: true } : { ...field, draft: draftOf(changed) };
  });
  const added = Object.keys(changes).filter((name) => value(name) !== null && !Object.hasOwn(properties, name));
  return [...fields, ...added.map((name) => ({ ...newField(name), draft: draftOf(value(name)!) }))];
}

/** The fields of an edit: the properties with the changes made before, and empty ones for declared properties. */
export function editFields(schema: Schema, { kind, entity }: Entity, changes: PropertyChanges): Field[] {
  const fields = changedFieldsOf(entity.properties, changes);
  const declared = declaredFields(declarationsOnChange(schema, kind, kind === 'node' ? entity.labels : [entity.type], entity.properties));
  const missing = declared.filter(({ name }) => !fields.some((f) => f.name === name));
  return [...fields, ...offeredFields(missing, propertiesOf(schema, kind, entity.type))];
}

/** Puts a field in the place of the one with its name, or at the end. */
export function withField(fields: Field[], field: Field): Field[] {
  return fields.some((f) => f.name === field.name) ? fields.map((f) => (f.name === field.name ? field : f)) : [...fields, field];
}

/** A new field, of the kind that the property has in other entities of the type. */
export function newField(name = '', use?: PropertyUse): Field {
  return { key: nextKey++, name, draft: draftForProperty(use), fixed: false, removed: false };
}

/**
 * The fields of a new entity of a type: empty ones for the declared properties and for those that most entities of the type have, and what
 * was filled in before the type was chosen.
 */
export function fieldsOfType(schema: Schema, kind: EntityKind, type: string, before: Field[] = []): Field[] {
  const filled = filledFields(before);
  const declarations = declarationsOf(schema, kind, [type]);
  const known = propertiesOf(schema, kind, type);
  const offered = offeredFields(declaredFields(declarations), known);
  const common = isClosed(declarations)
    ? []
    : known.filter((use) => use.presence >= 0.5 && !offered.some((f) => f.name === use.name)).slice(0, 12);
  const kept = [...offered, ...common.map((use) => newField(use.name, use))].map((field) => {
    const earlier = filled.find((f) => f.name === field.name);
    return earlier ? { ...earlier, offered: field.offered ?? false } : field;
  });
  return [...kept, ...filled.filter((f) => !kept.some((k) => k.name === f.name))];
}

/** Empty fields for declared properties, of the type that other entities have, if it is declared. */
export function offeredFields(declared: DeclaredField[], known: PropertyUse[]): Field[] {
  return declared.map(({ name, types, choices }) => {
    const observed = draftForProperty(known.find((use) => use.name === name));
    const [first] = types;
    const choice = choices?.[0];
    const isDeclared = types.some((t) => t.kind === observed.kind && t.list === observed.list);
    const draft =
      choice !== undefined ? emptyDraft(kindOf(choice)) : first === undefined || isDeclared ? observed : emptyDraft(first.kind, first.list);
    return { ...newField(name), draft, offered: true };
  });
}

/** Omits fields that are not filled in, so that they are not stored as empty texts. */
export function filledFields(fields: Field[]): Field[] {
  return fields.filter((f) => !isEmptyDraft(f.draft));
}

export function draftForProperty(use?: PropertyUse): Draft {
  const known = use?.types[0] ?? 'String';
  const list = /^(?:List<(.+?)>|(.+)Array)$/.exec(known);
  const kind = (list?.[1] ?? list?.[2] ?? known) as Kind;
  return emptyDraft(kinds.includes(kind) ? kind : 'String', list !== null && kinds.includes(kind));
}

export interface FormResult {
  change: PropertyChanges;
  values: Properties;
  errors: Map<number, string>;
  /** How many properties have changed. */
  count: number;
}

/** Parses the form: returns the changes relative to the original, and the errors by field key. */
export function parseForm(fields: Field[], original: Properties): FormResult {
  const change = new Map<string, Value | null>();
  const values = new Map<string, Value>();
  const errors = new Map<number, string>();
  const names = new Set<string>();
  for (const field of fields) {
    if (field.removed) {
      if (Object.hasOwn(original, field.name)) change.set(field.name, null);
      continue;
    }
    if (field.offered && isEmptyDraft(field.draft)) continue;
    if (field.name === '') errors.set(field.key, 'A property needs a name');
    else if (names.has(field.name)) errors.set(field.key, 'Another property has this name');
    names.add(field.name);
    const parsed = parseDraft(field.draft);
    if ('error' in parsed) {
      errors.set(field.key, parsed.error);
      continue;
    }
    values.set(field.name, parsed.value);
    const before = Object.hasOwn(original, field.name) ? original[field.name] : undefined;
    if (!sameValue(before, parsed.value)) change.set(field.name, parsed.value);
  }
  return { change: Object.fromEntries(change), values: Object.fromEntries(values), errors, count: change.size };
}

/** What the declarations do not allow: the errors by field key, and those of properties without a field. */
export function checkForm(
  fields: Field[],
  values: Properties,
  declarations: Declared[],
): { errors: Map<number, string>; others: string[] } {
  const errors = new Map<number, string>();
  const others: string[] = [];
  for (const [name, reason] of findViolations(declarations, values)) {
    const field = fields.find((f) => f.name === name);
    if (field) errors.set(field.key, reason);
    else others.push(`${name} ${reason}`);
  }
  return { errors, others };
}

/** Assigns the service's validation errors about the values of a member of the body to the fields, by field key. */
export function assignProblem(fields: Field[], problem: Problem, member = 'properties'): Map<number, string> {
  const errors = new Map<number, string>();
  for (const detail of problem.details) {
    const field = fields.find((f) => detail.field === `${member}.${f.name}` || detail.field.startsWith(`${member}.${f.name}[`));
    if (field) errors.set(field.key, detail.message);
  }
  return errors;
}

/** The change that restores the original: old values, and null for new properties. */
export function reverseChanges(change: PropertyChanges, original: Properties): PropertyChanges {
  return Object.fromEntries(Object.keys(change).map((name) => [name, Object.hasOwn(original, name) ? original[name]! : null]));
}
