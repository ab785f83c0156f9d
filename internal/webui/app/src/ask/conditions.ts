// The conditions of a part of a question as those of the filters of lists.
import { bodyText } from '../api/json';
import { comparesWithList, parseValues, type Condition } from '../explore/filters';
import { parseCondition, whereRows } from '../roles/where';
import type { Filter } from './question';

export function conditionsOf(filter: Filter | undefined): Condition[] {
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
export const filterOf = (conditions: Condition[]): Filter | undefined =>
  filtersOf(conditions.filter((c, i) => !conditions.slice(i + 1).some((d) => d.property === c.property && d.operator === c.operator)))[0];
