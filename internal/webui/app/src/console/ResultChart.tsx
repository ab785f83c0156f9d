// An answer as a chart: bars, a line or points. The table has the same values for screen readers.
import { Group, NativeSelect } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { EmptyState } from '../shell/States';
import { escapeInvisible, formatCount } from '../values/text';
import { defaultChart, isNumeric, maxPoints, pointsOf, type Answer, type ChartKind, type ChartPoint, type ChartSpec } from './answer';

const kinds: { value: ChartKind; label: string }[] = [
  { value: 'bar', label: 'Bars' },
  { value: 'line', label: 'Line' },
  { value: 'scatter', label: 'Points' },
];

interface Props {
  answer: Answer;
  chart: ChartSpec | null;
  /** Receives what is done with the chart of the address, which may be another one than was rendered. */
  onChart: (update: (now: ChartSpec | null) => ChartSpec) => void;
  /** What to do where no column has numbers. */
  numbersHint?: string | undefined;
}

export function ResultChart({ answer, chart, onChart, numbersHint = 'A chart needs a column of numbers.' }: Props) {
  const has = (name: string) => answer.columns.some((column) => column.name === name);
  const specOf = (of: ChartSpec | null) => (of && has(of.x) && has(of.y) ? of : defaultChart(answer));
  const spec = specOf(chart);
  const points = useMemo(() => (spec ? pointsOf(answer, spec) : []), [answer, spec]);
  if (!spec) return <EmptyState title="No column has numbers">{numbersHint}</EmptyState>;
  const set = (part: Partial<ChartSpec>) => onChart((now) => ({ ...(specOf(now) ?? spec), ...part }));
  const names = (columns: Answer['columns']) => columns.map(({ name }) => ({ value: name, label: escapeInvisible(name) }));
  return (
    <div className="result-chart">
      <Group gap="sm" mb="xs">
        <NativeSelect
          size="xs"
          label="Chart"
          data={kinds}
          value={spec.kind}
          onChange={(e) => set({ kind: e.currentTarget.value as ChartKind })}
        />
        <NativeSelect
          size="xs"
          label="Across"
          data={names(answer.columns)}
          value={spec.x}
          onChange={(e) => set({ x: e.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label="Height"
          data={names(answer.columns.filter(isNumeric))}
          value={spec.y}
          onChange={(e) => set({ y: e.currentTarget.value })}
        />
      </Group>
      {points.length > maxPoints && (
        <p className="change-note">
          The chart shows the first {formatCount(maxPoints)} of {formatCount(points.length)} rows.
        </p>
      )}
      <Plot points={points.slice(0, maxPoints)} spec={spec} />
    </div>
  );
}

const minWidth = 280; // pixels
const labelWidth = 100; // of 14 characters
const height = 360;
const margin = { left: 64, right: 16, top: 12, bottom: 56 };

interface Scale {
  at: (value: number) => number;
  ticks: number[];
}

/** A scale whose ticks are multiples of 1, 2 or 5 times a power of ten. */
function scaleOf(min: number, max: number, from: number, to: number): Scale {
  const range = max - min || Math.abs(max) || 1;
  const power = 10 ** Math.floor(Math.log10(range / 5));
  const step = ([1, 2, 5, 10].find((n) => n * power >= range / 5) ?? 10) * power;
  const low = Math.floor(min / step) * step;
  const high = Math.max(low + step, Math.ceil(max / step) * step);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  return { at: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });

/** Years stay as they are. */
const tickText = (tick: number) => (Number.isInteger(tick) && Math.abs(tick) < 10_000 ? String(tick) : compact.format(tick));

/** Drawn in the pixels of its place, so that its text can be read at each width. */
function Plot({ points, spec }: { points: ChartPoint[]; spec: ChartSpec }) {
  const { ref, width: room } = useElementSize();
  const width = Math.max(minWidth, Math.round(room));
  const plot = useMemo(() => {
    const heights = points.map(({ y }) => y);
    const y = scaleOf(Math.min(0, ...heights), Math.max(0, ...heights), height - margin.bottom, margin.top);
    const byNumber = spec.kind !== 'bar' && points.every((point) => point.x !== undefined);
    const xs = points.map((point, i) => (byNumber ? point.x! : i));
    const slot = (width - margin.left - margin.right) / Math.max(1, points.length);
    const x = byNumber ? scaleOf(Math.min(...xs), Math.max(...xs), margin.left, width - margin.right) : null;
    const placed = points.map((point, i) => ({
      ...point,
      left: x ? x.at(xs[i]!) : margin.left + (i + 0.5) * slot,
      top: y.at(point.y),
    }));
    if (spec.kind === 'line') placed.sort((a, b) => a.left - b.left);
    const every = Math.ceil(labelWidth / slot);
    const labels = x
      ? x.ticks.map((tick) => ({ left: x.at(tick), text: tickText(tick) }))
      : placed
          .filter((_, i) => i % every === 0)
          .map(({ left, label }) => ({ left: Math.min(left, width - labelWidth / 2), text: escapeInvisible(label).slice(0, 14) }));
    return { y, slot, placed, labels };
  }, [points, spec, width]);
  const { y, slot, placed, labels } = plot;
  const zero = y.at(0);
  return (
    <svg
      ref={ref}
      className="plot"
      height={height}
      style={{ minWidth }}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${spec.y} by ${spec.x}; the table shows the same`}
    >
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line className="plot-line" x1={margin.left} x2={width - margin.right} y1={y.at(tick)} y2={y.at(tick)} />
          <text x={margin.left - 8} y={y.at(tick) + 4} textAnchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {spec.kind === 'line' && <polyline className="plot-curve" points={placed.map(({ left, top }) => `${left},${top}`).join(' ')} />}
      {placed.map((point, i) => (
        <g key={i}>
          {spec.kind === 'bar' ? (
            <rect
              className="plot-mark"
              x={point.left - slot * 0.4}
              width={Math.max(1, slot * 0.8)}
              y={Math.min(zero, point.top)}
              height={Math.max(1, Math.abs(zero - point.top))}
            >
              <title>{`${point.label}: ${point.y}`}</title>
            </rect>
          ) : (
            <circle className="plot-mark" cx={point.left} cy={point.top} r={spec.kind === 'line' ? 2.5 : 4}>
              <title>{`${point.label}: ${point.y}`}</title>
            </circle>
          )}
        </g>
      ))}
      {labels.map(({ left, text }, i) => (
        <text key={i} x={left} y={height - margin.bottom + 18} textAnchor="middle">
          {text}
        </text>
      ))}
    </svg>
  );
}
