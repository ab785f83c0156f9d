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

/** The filter of conditions: of two with the same property and operator the later one, since a filter has each once. */
export function filterOf(conditions: Condition[]): Filter | undefined {
  const filter: Filter = {};
  for (const condition of conditions) {
    const parsed = comparesWithList(condition.operator)
      ? { value: parseValues(condition.text) }
      : parseCondition({ ...condition, key: 0, user: null });
    if ('error' in parsed) continue;
    filter[condition.property] = {
      ...(Object.hasOwn(filter, condition.property) ? filter[condition.property] : {}),
      [condition.operator]: parsed.value,
    };
  }
  return Object.keys(filter).length > 0 ? filter : undefined;
}
