// The conditions of a part of a question as those of the filters of lists.
import { bodyText } from '../api/json';
import { comparesWithList, parseValues, splitAlternatives, type Condition } from '../explore/filters';
import { parseCondition, whereRows } from '../roles/where';
import type { Conditions, Filter } from './question';

export const conditionsOf = ({ filter, any = [] }: Conditions): Condition[] => [
  ...conditionsIn(filter),
  ...any.flatMap((alternative, i) => conditionsIn(alternative).map((c) => ({ ...c, any: i + 1 }))),
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

/** The filter of conditions where there can be one only: of two with the same property and operator the later one. */
const filterOf = (conditions: Condition[]): Filter | undefined =>
  filtersOf(conditions.filter((c, i) => !conditions.slice(i + 1).some((d) => d.property === c.property && d.operator === c.operator)))[0];

/** Conditions as a part of a question has them: of those that must hold in any case several filters, of alternatives one each. */
export function partsOf(conditions: Condition[]): { filters: Filter[]; one: Conditions } {
  const { always, alternatives } = splitAlternatives(conditions);
  const any = alternatives.map(filterOf).filter((each) => each !== undefined);
  const filter = filterOf(always);
  return { filters: filtersOf(always), one: { ...(filter ? { filter } : {}), ...(any.length > 0 ? { any } : {}) } };
}

/** Whether an alternative has a property with an operator twice, which a filter cannot say. */
export const isLossy = (conditions: Condition[]) => splitAlternatives(conditions).alternatives.some((some) => filtersOf(some).length > 1);
