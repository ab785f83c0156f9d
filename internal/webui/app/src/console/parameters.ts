// The parameters of a query: their names in its text, and what the user enters for them.
import type { JSONSchema } from '../declared/check';
import { emptyDraft, isEmptyDraft, parseDraft, type Draft } from '../values/draft';
import type { Kind } from '../values/value';
import type { Parameters } from './queries';

// Comments, texts and quoted names come first: a parameter inside of them is none.
const parts =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\[\s\S]|[^'\\])*'?|"(?:\\[\s\S]|[^"\\])*"?|`(?:[^`]|``)*`?|\$(?:`((?:[^`]|``)+)`|([\p{L}\p{N}_]+))/gu;

/** The names of the parameters of a text, each once, in their order. */
export function parameterNames(cypher: string): string[] {
  const names = [...cypher.matchAll(parts)].flatMap(([, quoted, plain]) => quoted?.replaceAll('``', '`') ?? plain ?? []);
  return [...new Set(names)];
}

export type Drafts = Record<string, Draft>;

export const draftFor = (drafts: Drafts, name: string) => (Object.hasOwn(drafts, name) ? drafts[name]! : emptyDraft('String'));

/** The values of parameters, and what is wrong with the texts. An empty text is a value, an empty field of another type is null. */
export function parseParameters(names: string[], drafts: Drafts): { values: Parameters; errors: Record<string, string> } {
  const values: Parameters = {};
  const errors: Record<string, string> = {};
  for (const name of names) {
    const draft = draftFor(drafts, name);
    if (!draft.list && draft.kind !== 'String' && isEmptyDraft(draft)) {
      values[name] = null;
      continue;
    }
    const parsed = parseDraft(draft);
    if ('error' in parsed) errors[name] = parsed.error;
    else values[name] = parsed.value;
  }
  return { values, errors };
}

const jsonTypes: Partial<Record<Kind, string>> = { String: 'string', Integer: 'integer', Float: 'number', Boolean: 'boolean' };

/** The JSON Schema of the values that a draft stands for. */
export function schemaOf({ kind, list }: Draft): JSONSchema {
  const neo4jType = kind === 'OffsetDateTime' ? 'ZonedDateTime' : kind;
  if (list) return { type: 'array', neo4jType: `List<${neo4jType}>` };
  return { ...(jsonTypes[kind] ? { type: jsonTypes[kind] } : {}), neo4jType };
}
