// The settings of a saved query, as the dialog that saves it edits them.
import { draftOf, parseDraft, type Draft } from '../values/draft';
import { draftFor, schemaOf, type Drafts } from './parameters';
import type { ParameterSchema, QueryDefinition } from './queries';

/** Where the value of a parameter comes from: whoever runs the query, or a member of the caller's account. A fixed one is no parameter. */
export type Source = 'caller' | 'fixed' | '$user.username' | '$user.id' | 'attribute';

export const sources: { value: Source; label: string }[] = [
  { value: 'caller', label: 'entered by whoever runs it' },
  { value: '$user.username', label: 'the user name of the caller' },
  { value: '$user.id', label: 'the ID of the caller' },
  { value: 'attribute', label: 'an attribute of the caller' },
];

const attributePrefix = '$user.attributes.';

export interface ParameterSettings {
  description: string;
  source: Source;
  /** The name of the attribute, of that source. */
  attribute: string;
  /** The saved query that lists the values; empty for none. */
  choices: string;
  /** The value without an entry; null if the parameter is required. */
  preset: Draft | null;
}

export const newParameter: ParameterSettings = { description: '', source: 'caller', attribute: '', choices: '', preset: null };

export interface QuerySettings {
  description: string;
  timeout: string;
  maxRows: number | string;
  cacheSeconds: number | string;
  allow: string[];
  parameters: Record<string, ParameterSettings>;
}

export const newSettings: QuerySettings = { description: '', timeout: '', maxRows: '', cacheSeconds: '', allow: [], parameters: {} };

/** The settings of parameters whose defaults are what was entered for them. */
export const withDefaults = (names: string[], drafts: Drafts): QuerySettings => ({
  ...newSettings,
  parameters: Object.fromEntries(names.map((name) => [name, { ...newParameter, preset: draftFor(drafts, name) }])),
});

function parameterOf({ description, from, choices, default: preset }: ParameterSchema): ParameterSettings {
  const attribute = from?.startsWith(attributePrefix) ? from.slice(attributePrefix.length) : '';
  const source = attribute !== '' ? 'attribute' : from === '$user.username' || from === '$user.id' ? from : 'caller';
  return {
    description: description ?? '',
    source,
    attribute,
    choices: choices ?? '',
    preset: preset === undefined || preset === null ? null : draftOf(preset),
  };
}

/** The settings of a definition. */
export function settingsOf(definition: QueryDefinition): QuerySettings {
  const { description, timeout, max_rows, cache_seconds, allow, parameters } = definition;
  return {
    description,
    timeout: timeout === undefined ? '' : typeof timeout === 'string' ? timeout : `${timeout}s`,
    maxRows: max_rows === undefined ? '' : Number(max_rows),
    cacheSeconds: cache_seconds ? Number(cache_seconds) : '',
    allow: allow ?? [],
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, schema]) => [name, parameterOf(schema)])),
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The settings of an earlier version, where the user has entered none: where they are those that the form began with. */
export function keepEntered(entered: QuerySettings, earlier: QuerySettings, begun = newSettings): QuerySettings {
  const parameters = { ...earlier.parameters };
  for (const [name, settings] of Object.entries(entered.parameters))
    if (!Object.hasOwn(earlier.parameters, name) || !isSame(settings, begun.parameters[name] ?? newParameter)) parameters[name] = settings;
    // The value of a question's condition is the question's.
    else if (settings.preset !== null) parameters[name] = { ...parameters[name]!, preset: settings.preset };
  const { parameters: _, ...members } = entered;
  const changed = Object.entries(members).filter(([key, value]) => !isSame(value, newSettings[key as keyof QuerySettings]));
  return { ...earlier, ...Object.fromEntries(changed), parameters };
}

/** The schema of a parameter whose type is that of a draft. A value that cannot be parsed is an error of the form. */
export function schemaOfParameter(type: Draft, settings: ParameterSettings): ParameterSchema {
  const { description, source, attribute, choices, preset } = settings;
  const schema: ParameterSchema = { ...schemaOf(type), ...(description.trim() ? { description: description.trim() } : {}) };
  if (source !== 'caller') return { ...schema, from: source === 'attribute' ? attributePrefix + attribute.trim() : source };
  if (choices) schema.choices = choices;
  const parsed = preset && parseDraft(preset);
  return parsed && 'value' in parsed ? { ...schema, default: parsed.value } : schema;
}

/** What is wrong with the default of a parameter; undefined if nothing is. */
export function presetError({ source, preset }: ParameterSettings): string | undefined {
  if (source !== 'caller' || preset === null) return undefined;
  const parsed = parseDraft(preset);
  return 'error' in parsed ? parsed.error : undefined;
}
