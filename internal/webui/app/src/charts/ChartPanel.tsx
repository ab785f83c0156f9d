// A chart of the current list: its entities by a property, counted by the service. Loaded when it is first shown.
import { ActionIcon, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { listedName } from '../explore/endNames';
import { splitAlternatives } from '../explore/filters';
import type { ChangeView, View } from '../explore/url';
import { ProblemText } from '../shell/ProblemText';
import { Waiting } from '../shell/Waiting';
import { escapeInvisible, formatCount } from '../values/text';
import { aggregate, type Aggregate, type Measure } from './aggregate';
import {
  barsOf,
  binOf,
  firstProperty,
  functions,
  isNumber,
  parseChart,
  rangeConditions,
  serializeChart,
  units,
  valueCondition,
  withoutRange,
  type Chart,
  type MeasureFunction,
} from './chart';
import { GroupTable } from './GroupTable';
import { Histogram } from './Histogram';
import './charts.css';

interface Props {
  view: View;
  change: ChangeView;
  schema: Schema;
}

const maxGroups = 50;
const maxBins = 400;
const functionLabels: Record<MeasureFunction, string> = { sum: 'Sum', mean: 'Mean', min: 'Minimum', max: 'Maximum' };

export default function ChartPanel({ view, change, schema }: Props) {
  const { kind, type } = view;
  const uses = filterableProperties(schema, kind, type).map((use) => ({ ...use, name: listedName(kind, use.name) }));
  const chart = parseChart(view.chart) ?? {};
  const by = chart.by ?? firstProperty(uses);
  const set = (next: Partial<Chart>) => change((now) => ({ chart: serializeChart({ ...parseChart(now.chart), ...next }) }));
  const close = () => change({ chart: '' });
  return (
    <>
      <div className="chart-bar">
        <ChartForm
          chart={chart}
          by={by}
          names={uses.map((use) => use.name)}
          numbers={uses.filter(isNumber).map((use) => use.name)}
          onChange={set}
        />
        <span className="spacer" />
        <ActionIcon aria-label="Close the chart" onClick={close}>
          <X size={16} />
        </ActionIcon>
      </div>
      {by === undefined ? (
        <Text size="sm" c="dimmed">
          These entities have no properties.
        </Text>
      ) : (
        <Content chart={chart} by={by} view={view} change={change} />
      )}
    </>
  );
}

interface FormProps {
  chart: Chart;
  by: string | undefined;
  names: string[];
  /** The properties that have numbers. */
  numbers: string[];
  onChange: (next: Partial<Chart>) => void;
}

function ChartForm({ chart, by, names, numbers, onChange }: FormProps) {
  const choices = (list: string[], chosen: string | undefined) =>
    (chosen === undefined || list.includes(chosen) ? list : [...list, chosen]).map((name) => ({
      value: name,
      label: escapeInvisible(name),
    }));
  const shown = chart.measure === undefined ? '' : `${chart.of} ${chart.measure}`;
  return (
    <>
      <NativeSelect
        size="xs"
        label="By"
        value={by ?? ''}
        data={choices(names, by)}
        onChange={(e) => onChange({ by: e.currentTarget.value, bin: undefined })}
      />
      <NativeSelect
        size="xs"
        label="Bins"
        value={chart.bin ?? ''}
        onChange={(e) => onChange({ bin: (e.currentTarget.value || undefined) as Chart['bin'] })}
        data={[
          { value: '', label: 'Automatic' },
          { value: 'each', label: 'Each value' },
          ...units.map((unit) => ({ value: unit, label: `By ${unit}` })),
        ]}
      />
      <NativeSelect
        size="xs"
        label="Show"
        value={shown}
        data={[
          { value: '', label: 'Count' },
          ...functions
            .map((f) => ({
              group: functionLabels[f],
              items: choices(numbers, chart.of === f ? chart.measure : undefined).map(({ value, label }) => ({
                value: `${f} ${value}`,
                label: `${functionLabels[f]} of ${label}`,
              })),
            }))
            .filter(({ items }) => items.length > 0),
        ]}
        onChange={(e) => {
          const [, of, measure] = /^(\w+) (.*)$/s.exec(e.currentTarget.value) ?? [];
          onChange({ measure, of: of as MeasureFunction | undefined });
        }}
      />
    </>
  );
}

function Content({ chart, by, view, change }: { chart: Chart; by: string; view: View; change: Props['change'] }) {
  const listed = { kind: view.kind, type: view.type, conditions: withoutRange(view.conditions, by) };
  const { always } = splitAlternatives(view.conditions); // a choice on the chart is no alternative
  const key = ['list', view.kind, 'aggregate', view.type, listed.conditions, by] as const;
  const summary = useQuery({
    queryKey: [...key, 'summary'],
    queryFn: async ({ signal }) => (await aggregate(listed, { measure: by }, signal)).groups[0]!,
    placeholderData: keepPreviousData,
  });
  const of = summary.data?.measures[by];
  const bin = of && binOf(chart, of);
  const groups = useQuery({
    queryKey: [...key, bin ?? 'each', chart.measure],
    queryFn: ({ signal }) =>
      aggregate(listed, { groupBy: by, bin, measure: chart.measure, limit: bin === undefined ? maxGroups : maxBins }, signal),
    enabled: of !== undefined && !summary.isPlaceholderData,
    placeholderData: keepPreviousData,
  });
  const error = summary.error ?? groups.error;
  if (error) {
    return (
      <div role="alert" className="chart-note">
        The chart could not be computed: <ProblemText error={error} />
      </div>
    );
  }
  if (!groups.data || !of) return <Waiting subject="the chart" onCancel={() => change({ chart: '' })} />;
  const valueOf = (measures: Record<string, Measure>, count: number) =>
    chart.measure === undefined ? count : measures[chart.measure]?.[chart.of!];
  const setConditions = (added: View['conditions']) =>
    change((now) => ({ conditions: [...withoutRange(now.conditions, by), ...added], steps: '', rows: 0 }));
  const { bars, rest } = bin === undefined ? { bars: [], rest: 0 } : barsOf(groups.data.groups);
  const shows = chart.measure === undefined ? 'Count' : `${functionLabels[chart.of!]} of ${escapeInvisible(chart.measure)}`;
  return (
    <>
      {bars.length > 0 ? (
        <Histogram
          key={`${by} ${bin}`}
          bars={bars}
          property={by}
          unit={bin}
          shows={shows}
          valueOf={valueOf}
          conditions={always}
          onRange={(first, last) => setConditions(rangeConditions(by, bars, first, last))}
        />
      ) : (
        <GroupTable
          groups={groups.data.groups}
          property={by}
          shows={shows}
          valueOf={valueOf}
          conditions={always}
          onChoose={(value) => {
            const condition = valueCondition(by, value);
            if (condition) setConditions([condition]);
          }}
          onClear={() => setConditions([])}
        />
      )}
      <Note
        data={groups.data}
        total={summary.data!.count}
        rest={bars.length > 0 ? rest : 0}
        property={by}
        stale={groups.isPlaceholderData || summary.isPlaceholderData}
      />
    </>
  );
}

/** What the chart does not show. */
function Note({ data, total, rest, property, stale }: { data: Aggregate; total: number; rest: number; property: string; stale: boolean }) {
  return (
    <p className="chart-note" role="status">
      {formatCount(total)} in all
      {rest > 0 && `; ${formatCount(rest)} without a value of ${escapeInvisible(property)} that the bins hold`}
      {data.truncated && `; only the first ${formatCount(data.groups.length)} groups are shown`}
      {stale && '; computing…'}
    </p>
  );
}
