// The groups of a chart as a table with bars. A value is a button that filters the list by it.
import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { numberOf } from '../canvas/valueStyle';
import type { Condition } from '../explore/filters';
import { escapeInvisible, formatCount, cellText } from '../values/text';
import type { Value } from '../values/value';
import type { Group, Measure } from './aggregate';
import { valueCondition } from './chart';
import { measureText } from './Histogram';

interface Props {
  groups: Group[];
  property: string;
  shows: string;
  valueOf: (measures: Record<string, Measure>, count: number) => Value | number | null | undefined;
  conditions: Condition[];
  onChoose: (value: Value | null) => void;
  onClear: () => void;
}

export function GroupTable({ groups, property, shows, valueOf, conditions, onChoose, onClear }: Props) {
  const sizes = groups.map((group) => Math.abs(numberOf((valueOf(group.measures, group.count) ?? undefined) as Value | undefined) ?? 0));
  const largest = Math.max(...sizes, 0) || 1;
  const counted = shows === 'Count';
  const isChosen = (value: Value | null) => {
    const wanted = valueCondition(property, value);
    return wanted !== null && conditions.some((c) => c.property === property && c.operator === wanted.operator && c.text === wanted.text);
  };
  return (
    <div className="groups-scroll" tabIndex={0} role="region" aria-label={`${shows} by ${property}`}>
      <table className="groups">
        <thead>
          <tr>
            <th scope="col">{escapeInvisible(property)}</th>
            {!counted && (
              <th scope="col" className="group-number">
                Count
              </th>
            )}
            <th scope="col" className="group-number">
              {shows}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {groups.map((group, index) => {
            const text = group.value === null ? 'not set' : escapeInvisible(cellText(group.value));
            const chosen = isChosen(group.value);
            return (
              <tr key={index} data-chosen={chosen}>
                <th scope="row">
                  {valueCondition(property, group.value) ? (
                    <button
                      type="button"
                      className="group-value"
                      aria-pressed={chosen}
                      onClick={() => (chosen ? onClear() : onChoose(group.value))}
                    >
                      {text}
                    </button>
                  ) : (
                    text
                  )}
                </th>
                {!counted && <td className="group-number">{formatCount(group.count)}</td>}
                <td className="group-number">{measureText(valueOf(group.measures, group.count))}</td>
                <td className="group-bar">
                  <div style={{ width: `${(100 * sizes[index]!) / largest}%` }} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {groups.some((group) => isChosen(group.value)) && (
        <Button size="compact-xs" variant="subtle" leftSection={<X size={12} />} onClick={onClear}>
          Clear the choice
        </Button>
      )}
    </div>
  );
}
