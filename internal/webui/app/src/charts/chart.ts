// What a chart shows, its bins, and the conditions that a choice on it gives.
import type { PropertyUse } from '../api/graph';
import type { Condition } from '../explore/filters';
import { valueText } from '../values/text';
import { isTagged, kindOf, type Scalar, type Value } from '../values/value';
import { numberOf } from '../canvas/valueStyle';
import type { Group, Measure } from './aggregate';

export const units = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const;
export type Unit = (typeof units)[number];

export const functions = ['sum', 'mean', 'min', 'max'] as const;
export type MeasureFunction = (typeof functions)[number];

export interface Chart {
  /** The property that groups; undefined for the first that suits. */
  by?: string;
  /** A unit of time, or 'each' for each value; undefined for automatic bins. */
  bin?: Unit | 'each';
  /** The property that is measured, and how; without them entities are counted. */
  measure?: string;
  of?: MeasureFunction;
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 255;

/** Parses the chart of a URL; leaves out what is invalid. Null if there is none. */
export function parseChart(text: string): Chart | null {
  if (text === '') return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof raw !== 'object' || raw === null) return {};
  const { by, bin, measure, of } = raw as Record<string, unknown>;
  return {
    ...(isName(by) ? { by } : {}),
    ...(bin === 'each' || (units as readonly unknown[]).includes(bin) ? { bin: bin as Chart['bin'] } : {}),
    ...(isName(measure) && (functions as readonly unknown[]).includes(of) ? { measure, of: of as MeasureFunction } : {}),
  };
}

export const serializeChart = (chart: Chart) => JSON.stringify(chart);

const isTime = (use: PropertyUse) => use.types.some((type) => ['Date', 'LocalDateTime', 'OffsetDateTime', 'ZonedDateTime'].includes(type));
export const isNumber = (use: PropertyUse) => use.types.some((type) => type === 'Integer' || type === 'Float');

/** The property that a chart shows first: a date, else a number, else any that is not unique. */
export function firstProperty(uses: PropertyUse[]): string | undefined {
  return (uses.find(isTime) ?? uses.find((use) => isNumber(use) && !use.unique) ?? uses.find((use) => !use.unique) ?? uses[0])?.name;
}

/** The conditions without those by which the brush filters a property. */
export const withoutRange = (conditions: Condition[], property: string) =>
  conditions.filter((c) => c.any || c.property !== property || !['gte', 'lt', 'gt', 'lte', 'eq'].includes(c.operator));

const targetBins = 24;

/** A width of 1, 2 or 5 times a power of ten, so that some 24 bins cover a range; for integers at least 1. */
export function niceWidth(min: number, max: number, integers: boolean): number {
  const raw = (max - min) / targetBins;
  if (!(raw > 0) || !Number.isFinite(raw)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const width = ([1, 2, 5, 10].find((step) => step * power >= raw) ?? 10) * power;
  return integers ? Math.max(1, width) : width;
}

const day = 86_400_000; // ms

/** The unit of time that gives a readable number of bins. */
export function niceUnit(from: number, to: number): Unit {
  const days = (to - from) / day;
  if (days > 365 * 7) return 'year';
  if (days > 365 * 3) return 'quarter';
  if (days > 100) return 'month';
  if (days > 40) return 'week';
  return days > 2 ? 'day' : 'hour';
}

/** The parameter bin for a property with these values; undefined to group by each value. */
export function binOf(chart: Chart, summary: Measure): string | undefined {
  if (chart.bin === 'each') return undefined;
  const min = numberOf(summary.min ?? undefined);
  const max = numberOf(summary.max ?? undefined);
  if (min === undefined || max === undefined) return undefined;
  if (summary.numbers === 0) return chart.bin ?? niceUnit(min, max);
  const integers = typeof summary.min === 'bigint' && typeof summary.max === 'bigint' && typeof summary.sum === 'bigint';
  return widthText(niceWidth(min, max, integers));
}

/** A width without the digits that a float adds, such as 0.30000000000000004. */
const widthText = (width: number) => String(Number(width.toPrecision(12)));

export interface Bar {
  from: Scalar;
  until: Scalar;
  count: number;
  measures: Record<string, Measure>;
}

const maxBars = 400;

/** The bins that have bounds, of the kind that most entities have, and how many entities are in none of them. */
export function barsOf(groups: Group[]): { bars: Bar[]; rest: number } {
  const counts = new Map<string, number>();
  const kindOfBin = ({ value, until }: Group) =>
    value === null || until === null || Array.isArray(value) ? '' : isTagged(value) ? value.$type : 'number';
  for (const group of groups) if (kindOfBin(group)) counts.set(kindOfBin(group), (counts.get(kindOfBin(group)) ?? 0) + group.count);
  const [mostCommonKind] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [''];
  const bars = groups
    .filter((group) => kindOfBin(group) === mostCommonKind && mostCommonKind !== '')
    .map(({ value, until, count, measures }) => ({ from: value as Scalar, until: until as Scalar, count, measures }));
  const rest = groups.reduce((sum, group) => sum + group.count, 0) - bars.reduce((sum, bar) => sum + bar.count, 0);
  return { bars: fillGaps(bars), rest };
}

/** Adds the bins without entities between the others, so that the axis is proportional. */
function fillGaps(bars: Bar[]): Bar[] {
  const filled: Bar[] = [];
  for (const bar of bars) {
    for (let before = filled.at(-1); before && isBefore(before.until, bar.from) && filled.length < maxBars; before = filled.at(-1)) {
      filled.push({ from: before.until, until: nextBound(before, bar), count: 0, measures: {} });
    }
    filled.push(bar);
  }
  return filled;
}

const isBefore = (a: Scalar, b: Scalar) => (numberOf(a) ?? 0) < (numberOf(b) ?? 0) - 1e-9 * Math.abs(numberOf(b) ?? 0);

/** The upper bound of the empty bin after another one, at most the beginning of the next. */
function nextBound({ from, until }: Bar, next: Bar): Scalar {
  if (typeof from === 'bigint' && typeof until === 'bigint') return until + (until - from);
  if (!isTagged(until) || !isTagged(from)) return Number(until) + (Number(until) - Number(from));
  const start = new Date(numberOf(from)!);
  const end = new Date(numberOf(until)!);
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const wholeMonths = months > 0 && end.getUTCDate() === 1 && start.getUTCDate() === 1;
  const at = wholeMonths
    ? new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + months, 1))
    : new Date(2 * end.getTime() - start.getTime());
  if (at.getTime() >= numberOf(next.from)!) return next.from;
  return { $type: until.$type, _value: timeText(at, until) };
}

/** A time in the form of another value of its kind. */
function timeText(at: Date, like: { $type: string; _value: string }): string {
  const text = at.toISOString().replace(/\.000Z$/, '');
  if (like.$type === 'Date') return text.slice(0, 10);
  return like.$type === 'LocalDateTime' ? text : `${text}Z`;
}

/** The conditions for the values from one bar to another, both included. A bound that is an end of all bars is none. */
export function rangeConditions(property: string, bars: Bar[], first: number, last: number): Condition[] {
  const condition = (operator: 'gte' | 'lt', value: Scalar): Condition => ({
    property,
    operator,
    kind: kindOf(value),
    text: valueText(value),
  });
  return [
    ...(first > 0 ? [condition('gte', bars[first]!.from)] : []),
    ...(last < bars.length - 1 ? [condition('lt', bars[last]!.until)] : []),
  ];
}

/** The condition for one value; null if a filter has none for it. */
export function valueCondition(property: string, value: Value | null): Condition | null {
  if (value === null) return { property, operator: 'exists', kind: null, text: 'false' };
  if (Array.isArray(value) || (isTagged(value) && value.$type === 'Float')) return null;
  if (typeof value === 'string' && [...value].length >= 256) return { property, operator: 'starts_with', kind: 'String', text: value };
  return { property, operator: 'eq', kind: kindOf(value), text: valueText(value) };
}

/** The bars between the bounds of the conditions on a property: the indexes of the first and the last; all if there are none. */
export function chosenBars(bars: Bar[], conditions: Condition[], property: string): [number, number] {
  const bound = (operator: string) => conditions.find((c) => c.property === property && c.operator === operator)?.text;
  const from = bound('gte');
  const until = bound('lt');
  const first = from === undefined ? 0 : bars.findIndex((bar) => valueText(bar.from) === from);
  const last = until === undefined ? bars.length - 1 : bars.findIndex((bar) => valueText(bar.until) === until);
  return [Math.max(0, first), last < 0 ? bars.length - 1 : last];
}

/** The bound of a bin as a label: without the parts that its unit makes superfluous. */
export function boundText(value: Scalar, unit: string | undefined): string {
  const text = valueText(value);
  if (!isTagged(value)) return text.replace(/\.0$/, '');
  if (unit === 'year') return text.slice(0, text.indexOf('-', 1));
  if (unit === 'quarter' || unit === 'month') return text.slice(0, text.indexOf('-', 1) + 3);
  return unit === 'hour' ? text.slice(0, 16).replace('T', ' ') : text.slice(0, 10);
}
