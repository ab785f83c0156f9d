// Bars over an axis, and a brush: the range that filters the list.
import { Button, RangeSlider } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { Condition } from '../explore/filters';
import { numberOf } from '../canvas/valueStyle';
import { escapeInvisible, formatCount, valueText } from '../values/text';
import type { Value } from '../values/value';
import type { Measure } from './aggregate';
import { boundText, chosenBars, type Bar } from './chart';

interface Props {
  bars: Bar[];
  property: string;
  /** The width or the unit of the bins. */
  unit: string | undefined;
  /** What the height of a bar means. */
  shows: string;
  valueOf: (measures: Record<string, Measure>, count: number) => Value | number | null | undefined;
  conditions: Condition[];
  /** Filters by the bars from the first to the last. */
  onRange: (first: number, last: number) => void;
}

/** A number with at most 6 digits, or a count. */
export function measureText(value: Value | number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(6)));
  return valueText(value);
}

export function Histogram({ bars, property, unit, shows, valueOf, conditions, onRange }: Props) {
  const chosen = chosenBars(bars, conditions, property);
  // While the brush is moved, by bounds of bars: until the filter is another, so that no step is made from the filter before.
  const [moving, setMoving] = useState<{ to: [number, number]; from: string } | null>(null);
  if (moving && moving.from !== chosen.join()) setMoving(null);
  const [low, high] = moving?.to ?? [chosen[0], chosen[1] + 1];
  const [first, last] = [low, Math.max(low, high - 1)];
  const heights = bars.map((bar) => numberOf((valueOf(bar.measures, bar.count) ?? undefined) as Value | undefined) ?? 0);
  const highest = Math.max(...heights, 0);
  const lowest = Math.min(...heights, 0);
  const range = highest - lowest || 1;
  const from = (index: number) => boundText(bars[index]!.from, unit);
  const until = boundText(bars.at(-1)!.until, unit);
  const isWhole = first === 0 && last === bars.length - 1;
  const selected = bars.slice(first, last + 1).reduce((sum, bar) => sum + bar.count, 0);
  const labelAt = (bound: number) => (bound < bars.length ? from(bound) : until);

  // The keyboard moves the brush in single steps; the list is read after the last of them.
  const commit = useDebouncedCallback(([low, high]: [number, number]) => {
    const end = Math.max(low, high - 1);
    if (low !== chosen[0] || end !== chosen[1]) onRange(Math.min(low, bars.length - 1), Math.min(end, bars.length - 1));
  }, 300);
  return (
    <div className="histogram">
      <div className="histogram-top">
        <span>
          {shows}, at most {measureText(highest)}
        </span>
        <span role="status">
          {escapeInvisible(property)}{' '}
          {isWhole ? 'not filtered' : `from ${from(first)} to below ${labelAt(last + 1)}: ${formatCount(selected)}`}
        </span>
        {!isWhole && (
          <Button size="compact-xs" variant="subtle" leftSection={<X size={12} />} onClick={() => onRange(0, bars.length - 1)}>
            Clear the range
          </Button>
        )}
      </div>
      <div className="histogram-bars" aria-hidden>
        {bars.map((bar, index) => (
          <div
            key={index}
            className="histogram-slot"
            data-chosen={index >= first && index <= last}
            title={`${from(index)} to below ${labelAt(index + 1)}: ${measureText(valueOf(bar.measures, bar.count))}`}
          >
            <div style={{ height: `${(100 * Math.abs(heights[index]!)) / range}%` }} />
          </div>
        ))}
      </div>
      <RangeSlider
        size={4}
        min={0}
        max={bars.length}
        step={1}
        minRange={1}
        value={[first, last + 1]}
        onChange={(to) => setMoving({ to, from: chosen.join() })}
        onChangeEnd={commit}
        label={null}
        thumbValueText={labelAt}
        pushOnOverlap={false}
        thumbFromLabel={`${property} from`}
        thumbToLabel={`${property} to below`}
        aria-label={`Range of ${property}`}
      />
      <div className="histogram-axis" aria-hidden>
        <span>{from(0)}</span>
        {bars.length > 3 && <span>{from(Math.floor(bars.length / 2))}</span>}
        <span>{until}</span>
      </div>
      <table className="chart-hidden">
        <caption>
          {shows} by {escapeInvisible(property)}
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To below</th>
            <th scope="col">{shows}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, index) => (
            <tr key={index}>
              <td>{from(index)}</td>
              <td>{labelAt(index + 1)}</td>
              <td>{measureText(valueOf(bar.measures, bar.count))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
