// The conditions of a question as parameters of an endpoint, whose defaults are their values.
import { isObject } from '../api/json';
import type { Drafts } from '../console/parameters';
import { mapConditions, type Pattern, type ConditionPlace } from '../console/pattern';
import { draftOf, parseDraft, sameValue } from '../values/draft';
import { isTagged, type Value } from '../values/value';
import { firstFree, questionBody, type Question } from './question';

/** The kinds of value that a parameter cannot have: a list of several, a reference, and whether there is a value at all. */
function canBeParameter(operator: string, value: unknown): value is Value {
  if (operator === 'exists' || (isObject(value) && !isTagged(value)) || (Array.isArray(value) && value.length === 0)) return false;
  const parsed = parseDraft(draftOf(value as Value));
  return 'value' in parsed && sameValue(parsed.value, value as Value);
}

/** A name for the parameter of a property that no other has: "film_rating", then "film_rating2". */
function freeParameter(taken: Drafts, { part, property }: ConditionPlace): string {
  const base = `${part}_${property}`
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+/, 'p_')
    .slice(0, 40);
  return firstFree(base, (name) => Object.hasOwn(taken, name));
}

/** The body of a question in which the values of conditions are parameters, and those values. */
export function withParameters(question: Question): { pattern: Pattern; drafts: Drafts } {
  const drafts: Drafts = {};
  const pattern = mapConditions(questionBody(question), (value, place) => {
    if (!canBeParameter(place.operator, value)) return value;
    const name = freeParameter(drafts, place);
    drafts[name] = draftOf(value);
    return { $param: name };
  });
  return { pattern, drafts };
}
