// The filters of one part of a question.
import type { PropertyUse, Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { FilterBar } from '../explore/FilterBar';
import { notify } from '../shell/notify';
import { conditionsOf, isLossy, partsOf } from './conditions';
import type { ChangeConditions, Conditions } from './question';

interface FilterProps {
  kind: 'node' | 'edge';
  type: string | null;
  schema: Schema;
  part: Conditions;
  onChange: (change: ChangeConditions) => void;
}

/** The filters of lists, for one part. */
export function PartFilter({ kind, type, schema, part, onChange }: FilterProps) {
  const known: PropertyUse[] = filterableProperties(schema, kind, type);
  return (
    <FilterBar
      conditions={conditionsOf(part)}
      known={known}
      ofEdges={false}
      onChange={(update) => {
        if (isLossy(update(conditionsOf(part))))
          return notify('Within an alternative, a question compares a property once with each operator.', 'The filter was not changed');
        onChange((now) => partsOf(update(conditionsOf(now))));
      }}
    />
  );
}
