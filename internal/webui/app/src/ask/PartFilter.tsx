// The filters of one part of a question.
import type { PropertyUse, Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { FilterBar } from '../explore/FilterBar';
import { notify } from '../shell/notify';
import { conditionsOf, isLossy, partsOf } from './conditions';
import type { Conditions, Filter } from './question';

interface FilterProps {
  kind: 'node' | 'edge';
  type: string | null;
  schema: Schema;
  part: Conditions;
  onConditions: (next: Conditions) => void;
  /** Takes further filters, of which all must be met; without it there is one. */
  onFilters?: (next: Conditions, further: Filter[]) => void;
}

/** The filters of lists, for one part. */
export function PartFilter({ kind, type, schema, part, onConditions, onFilters }: FilterProps) {
  const known: PropertyUse[] = filterableProperties(schema, kind, type);
  return (
    <FilterBar
      conditions={conditionsOf(part)}
      known={known}
      ofEdges={false}
      onChange={(update) => {
        const conditions = update(conditionsOf(part));
        if (isLossy(conditions))
          return notify('Within an alternative, a question compares a property once with each operator.', 'The filter was not changed');
        const { filters, one } = partsOf(conditions);
        if (onFilters && filters.length > 1) onFilters({ ...one, filter: filters[0]! }, filters.slice(1));
        else onConditions(one);
      }}
    />
  );
}
