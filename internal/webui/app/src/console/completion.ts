// What the editor offers to complete: names of the live schema where they can stand, else keywords, functions and the text's own names.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Schema } from '../api/graph';
import { quoteName } from '../copy/cypher';
import { functions, keywords } from './cypherLanguage';

export interface Offer {
  label: string;
  type: string;
  apply?: string;
  detail?: string;
}

const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const named = (label: string, type: string): Offer => ({ label, type, ...(plain.test(label) ? {} : { apply: quoteName(label) }) });

const sorted = (names: Iterable<string>) => [...new Set(names)].sort((a, b) => a.localeCompare(b));

const general: Offer[] = [
  ...keywords.split(' ').map((label) => ({ label, type: 'keyword' })),
  ...functions.split(' ').map((label) => ({ label, type: 'function', apply: `${label}(` })),
];

/** What can stand at the end of a text. */
export function offersAfter(text: string, schema: Schema | undefined): Offer[] {
  const before = text.replace(/`?[\p{L}\p{N}_]*$/u, '');
  const nodeTypes = schema?.node_types ?? [];
  const edgeTypes = schema?.edge_types ?? [];
  if (/\[[^\]{]*[:|&!]\s*$/.test(before)) return sorted(edgeTypes.map(({ type }) => type)).map((name) => named(name, 'type'));
  if (/(\([^(){]*|[\p{L}\p{N}_])[:|&!]\s*$/u.test(before))
    return sorted(nodeTypes.flatMap(({ type }) => type)).map((name) => named(name, 'class'));
  if (/[\p{L}\p{N}_`)\]]\.$/u.test(before) || /[([][^()[\]]*\{\s*(?:[^{}]*,\s*)?$/.test(before))
    return sorted([...nodeTypes, ...edgeTypes].flatMap((each) => each.properties.map((property) => property.name))).map((name) =>
      named(name, 'property'),
    );
  if (/\$$/.test(before)) return [];
  const own = text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const known = new Set(general.map(({ label }) => label.toLowerCase()));
  const variables = sorted(own.slice(0, -1)).filter((name) => !known.has(name.toLowerCase()));
  return [...general, ...variables.map((name) => named(name, 'variable'))];
}

/** The source of completions. */
export const completeCypher =
  (schema: () => Schema | undefined) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/`?[\p{L}\p{N}_]*/u);
    const from = word?.from ?? context.pos;
    const before = context.state.sliceDoc(Math.max(0, context.pos - 2000), context.pos);
    const isAsked = context.explicit || (word && word.to > word.from) || /[:.|]$/.test(before);
    if (!isAsked) return null;
    const options = offersAfter(before, schema());
    return options.length === 0 ? null : { from, options, validFor: /^`?[\p{L}\p{N}_]*$/u };
  };
