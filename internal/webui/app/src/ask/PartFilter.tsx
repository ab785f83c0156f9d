// The filters of one part of a question.
import type { PropertyUse, Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { FilterBar } from '../explore/FilterBar';
import { notify } from '../shell/notify';
import { conditionsOf, partsOf, type ChangeConditions } from './conditions';
import type { Conditions } from './question';

interface FilterProps<T> {
  kind: 'node' | 'edge';
  type: string | null;
  schema: Schema;
  part: Conditions;
  /** What holds the part as it is rendered. */
  holder: T;
  /** What holds the part, with other conditions; null if it cannot have them. */
  filter: (now: T, change: ChangeConditions) => T | null;
  onChange: (update: (now: T) => T) => void;
}

const refusal =
  'A question cannot compare this property once more with the same operator here. Remove a condition, or use another operator.';

/** The filters of lists, for one part. */
export function PartFilter<T>({ kind, type, schema, part, holder, filter, onChange }: FilterProps<T>) {
  const known: PropertyUse[] = filterableProperties(schema, kind, type);
  return (
    <FilterBar
      conditions={conditionsOf(part)}
      known={known}
      ofEdges={false}
      onChange={(update) => {
        const change: ChangeConditions = (now) => partsOf(update(conditionsOf(now)));
        if (filter(holder, change) === null) return notify(refusal, 'The filter was not changed');
        onChange((now) => filter(now, change) ?? now);
      }}
    />
  );
}
