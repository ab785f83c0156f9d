// The properties of an entity as a form. Only values that differ from those read are sent.
import type { EntityKind, PropertyChanges, PropertyUse, Schema } from '../api/graph';
import type { Problem } from '../api/problem';
import { propertiesOf } from '../explore/columns';
import { draftOf, emptyDraft, isEmptyDraft, parseDraft, sameValue, type Draft } from '../values/draft';
import { sortedNames } from '../values/text';
import { kinds, type Kind, type Properties, type Value } from '../values/value';

export interface Field {
  key: number; // stable while the form is open
  name: string;
  draft: Draft;
  /** Whether the property exists, so that its name is fixed. */
  fixed: boolean;
  removed: boolean;
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

/** A new field, of the kind that the property has in other entities of the type. */
export function newField(name = '', use?: PropertyUse): Field {
  return { key: nextKey++, name, draft: draftForProperty(use), fixed: false, removed: false };
}

/**
 * The fields of a new entity of a type: empty ones for the properties that most entities of the type have, and what was filled in
 * before the type was chosen.
 */
export function fieldsOfType(schema: Schema, kind: EntityKind, type: string, before: Field[] = []): Field[] {
  const filled = filledFields(before);
  const common = propertiesOf(schema, kind, type).filter((use) => use.presence >= 0.5).slice(0, 12);
  const kept = common.map((use) => filled.find((f) => f.name === use.name) ?? newField(use.name, use));
  return [...kept, ...filled.filter((f) => !kept.includes(f))];
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
