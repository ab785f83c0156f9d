// The filters of one part of a question.
import type { PropertyUse, Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { FilterBar } from '../explore/FilterBar';
import { conditionsOf, filterOf } from './conditions';
import type { Filter } from './question';

interface FilterProps {
  kind: 'node' | 'edge';
  type: string | null;
  schema: Schema;
  filter: Filter | undefined;
  onFilter: (filter: Filter | undefined) => void;
}

/** The filters of lists, for one part. */
export function PartFilter({ kind, type, schema, filter, onFilter }: FilterProps) {
  const known: PropertyUse[] = filterableProperties(schema, kind, type);
  return (
    <FilterBar
      conditions={conditionsOf(filter)}
      known={known}
      ofEdges={false}
      onChange={(update) => onFilter(filterOf(update(conditionsOf(filter))))}
    />
  );
}
