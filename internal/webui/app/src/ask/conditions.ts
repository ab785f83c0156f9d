// The conditions of a part of a question as those of the filters of lists.
import { bodyText } from '../api/json';
import { comparesWithList, parseValues, splitAlternatives, type Condition } from '../explore/filters';
import { parseCondition, whereRows } from '../roles/where';
import { addFilters, changeNode, maxChains, nodesOf, type ChainPlace, type Conditions, type Filter, type Question } from './question';

// An only alternative must hold in any case.
export const conditionsOf = ({ filter, any = [] }: Conditions): Condition[] => [
  ...conditionsIn(filter),
  ...any.flatMap((alternative, i) => conditionsIn(alternative).map((c) => (any.length > 1 ? { ...c, any: i + 1 } : c))),
];

function conditionsIn(filter: Filter | undefined): Condition[] {
  return whereRows(filter ?? {}).map(({ property, operator, kind, text }) =>
    comparesWithList(operator)
      ? { property, operator, kind: null, text: bodyText(filter![property]![operator]) }
      : { property, operator, kind, text },
  );
}

/** Conditions as filters, each of which has a property with an operator once: a second one of both is in a further filter. */
export function filtersOf(conditions: Condition[]): Filter[] {
  const filters: Filter[] = [];
  for (const { property, operator, ...value } of conditions) {
    const parsed = comparesWithList(operator)
      ? { value: parseValues(value.text) }
      : parseCondition({ property, operator, ...value, key: 0, user: null });
    if ('error' in parsed) continue;
    let filter = filters.find((each) => !Object.hasOwn(each, property) || !Object.hasOwn(each[property]!, operator));
    if (!filter) filters.push((filter = {}));
    filter[property] = { ...(Object.hasOwn(filter, property) ? filter[property] : {}), [operator]: parsed.value };
  }
  return filters;
}

/** What a part of a question must meet: every filter, and one of the alternatives if there are any. */
export interface Parts {
  filters: Filter[];
  any: Filter[];
}

/** What the conditions of a part become; null if no question can say it. */
export type ChangeConditions = (now: Conditions) => Parts | null;

/** Conditions as filters; null if an alternative has a property with an operator twice, since it is one filter. */
export function partsOf(conditions: Condition[]): Parts | null {
  const { always, alternatives } = splitAlternatives(conditions);
  const any = alternatives.map(filtersOf);
  return any.some((filters) => filters.length > 1) ? null : { filters: filtersOf(always), any: any.flat() };
}

/** The conditions of one part: a second filter is its only alternative. Null if there are more. */
export function conditionsOfPart({ filters, any }: Parts): Conditions | null {
  const [filter, ...further] = filters;
  if (further.length + Math.min(any.length, 1) > 1) return null;
  const alternatives = [...further, ...any];
  return { ...(filter ? { filter } : {}), ...(alternatives.length > 0 ? { any: alternatives } : {}) };
}

/** A part with other conditions; null if it cannot have them. */
export function filterPart<T extends Conditions>(part: T, change: ChangeConditions): T | null {
  const parts = change(part);
  const next = parts && conditionsOfPart(parts);
  const { filter: _, any: __, ...others } = part;
  return next && ({ ...others, ...next } as T);
}

/** Changes the conditions of a node; further filters of a named node become chains of it. Null if there is no place for them. */
export function filterNode(question: Question, place: ChainPlace, at: number, change: ChangeConditions): Question | null {
  const chain = question[place.of][place.index];
  const node = chain && nodesOf(chain)[at];
  if (!node) return question;
  const whole = filterPart(node, change);
  if (whole) return changeNode(question, place, at, () => whole);
  const parts = change(node);
  const [filter, ...further] = parts?.filters ?? [];
  if (!parts || place.of !== 'match' || node.as === undefined || question.match.length + further.length > maxChains) return null;
  const first = filterPart(node, () => ({ filters: filter ? [filter] : [], any: parts.any }));
  return (
    first &&
    addFilters(
      changeNode(question, place, at, () => first),
      node.as,
      further,
    )
  );
}
