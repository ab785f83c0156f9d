// The conditions of a question as parameters of an endpoint, whose defaults are their values.
import { isObject } from '../api/json';
import type { Drafts } from '../console/parameters';
import { draftOf, parseDraft, sameValue } from '../values/draft';
import { isTagged, type Value } from '../values/value';
import { firstFree, questionBody, type Chain, type Filter, type Question } from './question';

/** The kinds of value that a parameter cannot have: a list of several, a reference, and whether there is a value at all. */
function canBeParameter(operator: string, value: unknown): value is Value {
  if (operator === 'exists' || (isObject(value) && !isTagged(value)) || (Array.isArray(value) && value.length === 0)) return false;
  const parsed = parseDraft(draftOf(value as Value));
  return 'value' in parsed && sameValue(parsed.value, value as Value);
}

/** A name for the parameter of a property that no other has: "film_rating", then "film_rating2". */
function freeParameter(taken: Drafts, part: string, property: string): string {
  const base = `${part}_${property}`
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+/, 'p_')
    .slice(0, 40);
  return firstFree(base, (name) => Object.hasOwn(taken, name));
}

/** The body of a question in which the values of conditions are parameters, and those values. */
export function withParameters(question: Question): { pattern: Record<string, unknown>; drafts: Drafts } {
  const drafts: Drafts = {};
  const parameterized = (filter: Filter | undefined, part: string): { filter?: Filter } => {
    if (!filter) return {};
    const conditionsOf = (property: string, conditions: Record<string, unknown>) =>
      Object.entries(conditions).map(([operator, value]) => {
        if (!canBeParameter(operator, value)) return [operator, value];
        const name = freeParameter(drafts, part, property);
        drafts[name] = draftOf(value);
        return [operator, { $param: name }];
      });
    return {
      filter: Object.fromEntries(
        Object.entries(filter).map(([property, of]) => [property, Object.fromEntries(conditionsOf(property, of))]),
      ),
    };
  };
  const chainOf = ({ first, links }: Chain): Chain => ({
    first: { ...first, ...parameterized(first.filter, first.as ?? 'node') },
    links: links.map(({ hop, node }) => ({
      hop: { ...hop, ...parameterized(hop.filter, hop.as ?? hop.edge?.[0]?.toLowerCase() ?? 'edge') },
      node: { ...node, ...parameterized(node.filter, node.as ?? 'node') },
    })),
  });
  const body = { ...question, match: question.match.map(chainOf), without: question.without.map(chainOf) };
  return { pattern: questionBody(body), drafts };
}
