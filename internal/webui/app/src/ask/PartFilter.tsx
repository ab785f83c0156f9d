// The filters of one part of a question.
import type { PropertyUse, Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { FilterBar } from '../explore/FilterBar';
import { conditionsOf, filterOf, filtersOf } from './conditions';
import type { Filter } from './question';

interface FilterProps {
  kind: 'node' | 'edge';
  type: string | null;
  schema: Schema;
  filter: Filter | undefined;
  onFilter: (filter: Filter | undefined) => void;
  /** Takes several filters, of which all must be met; without it there is one. */
  onFilters?: (filters: Filter[]) => void;
}

/** The filters of lists, for one part. */
export function PartFilter({ kind, type, schema, filter, onFilter, onFilters }: FilterProps) {
  const known: PropertyUse[] = filterableProperties(schema, kind, type);
  return (
    <FilterBar
      conditions={conditionsOf(filter)}
      known={known}
      ofEdges={false}
      onChange={(update) => {
        const conditions = update(conditionsOf(filter));
        const filters = filtersOf(conditions);
        if (onFilters && filters.length > 1) onFilters(filters);
        else onFilter(filterOf(conditions));
      }}
    />
  );
}
