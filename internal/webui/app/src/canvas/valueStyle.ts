// Style by value: a property gives nodes and edges of the canvas their colour, their size or their width. Numbers and dates are shown on a
// scale between the smallest and the largest value on the canvas, all other values as categories.
import { darkLightening } from '../theme';
import { valueText } from '../values/text';
import { isTagged, type Properties, type Value } from '../values/value';
import type { CanvasContent } from './model';

export const channels = ['nodeColour', 'nodeSize', 'edgeColour', 'edgeWidth'] as const;
export type Channel = (typeof channels)[number];

/** The channels as the legend names them. */
export const channelTitles: Record<Channel, string> = {
  nodeColour: 'Color',
  nodeSize: 'Size',
  edgeColour: 'Edge color',
  edgeWidth: 'Edge width',
};

/** Stands for the number of edges on the canvas in place of a property, whose name cannot have this character. */
export const byDegree = '\u0000degree';

/** The properties by which elements are styled, and those that tooltips show. */
export type ValueStyle = Partial<Record<Channel, string>> & { tooltip?: string[] };

const maxTooltipProperties = 12;

const maxPropertyName = 255;

/** Parses the style of a URL; leaves out what is invalid. */
export function parseStyle(text: string): ValueStyle {
  let raw: unknown;
  try {
    raw = JSON.parse(text || '{}');
  } catch {
    return {};
  }
  const style: ValueStyle = {};
  if (typeof raw !== 'object' || raw === null) return style;
  for (const channel of channels) {
    const property = (raw as Record<string, unknown>)[channel];
    if (typeof property === 'string' && property !== '' && property.length <= maxPropertyName) style[channel] = property;
    if (property === true && channel === 'nodeSize') style[channel] = byDegree;
  }
  const { tooltip } = raw as { tooltip?: unknown };
  const shown = Array.isArray(tooltip) ? tooltip.filter((each) => typeof each === 'string').slice(0, maxTooltipProperties) : [];
  if (shown.length > 0) style.tooltip = shown;
  return style;
}

export function serializeStyle(style: ValueStyle): string {
  const set: [string, unknown][] = channels
    .filter((channel) => style[channel])
    .map((channel) => [channel, style[channel] === byDegree ? true : style[channel]]);
  if (style.tooltip && style.tooltip.length > 0) set.push(['tooltip', style.tooltip]);
  return set.length === 0 ? '' : JSON.stringify(Object.fromEntries(set));
}

/** The maximum number of categories with their own color. */
const maxCategories = 8;
const sizeRange = [22, 84] as const; // pixels
const widthRange = [1.5, 9] as const;

// Both ends of a scale, and all categories, have a contrast of at least 3:1 to the background of the canvas.
const scaleEnds = { light: ['#4d93a6', '#06303b'], dark: ['#3f7f92', '#d8f4fa'] } as const;
const categoryColours = {
  light: ['#1c63b8', '#b4540a', '#2f7d32', '#b02a5b', '#7b3fa0', '#7a5c00', '#00838f', '#5d4037'],
  dark: ['#6fa8f0', '#f0a04b', '#6fc276', '#f27ca5', '#c39bef', '#d8b94a', '#58cfdc', '#c8a08c'],
} as const;
const neutral = { light: '#79848b', dark: '#7d878d' } as const;

export interface Category {
  text: string;
  colour: string;
  count: number;
}

/** The legend of a channel. missing are the elements without a value, unknown those whose properties are not loaded. */
export type Key =
  | { kind: 'scale'; property: string; min: string; max: string; missing: number; unknown: number }
  | { kind: 'categories'; property: string; categories: Category[]; others: number; missing: number; unknown: number };

/** A node or an edge; the properties of a partial one, the end of an edge, are not loaded. */
interface Element {
  id?: string;
  properties: Properties;
  partial?: unknown;
}

/** The style of one channel: the value of each element and its key in the legend. */
interface Scale<T> {
  of: (element: Element) => T;
  key: Key;
}

export interface Scales {
  nodeColour?: Scale<string>;
  /** undefined for elements without a number. */
  nodeSize?: Scale<number | undefined>;
  edgeColour?: Scale<string>;
  edgeWidth?: Scale<number | undefined>;
}

export const coloursOf = (dark: boolean) => {
  const scheme = dark ? 'dark' : 'light';
  return { ends: scaleEnds[scheme], categories: categoryColours[scheme], neutral: neutral[scheme] };
};

const ownValue = (properties: Properties, name: string): Value | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

const instants = ['Date', 'LocalDateTime', 'OffsetDateTime', 'ZonedDateTime'];

/** The value as a number on a scale; undefined if it is none. */
export function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!isTagged(value) || !instants.includes(value.$type)) return undefined;
  const text = value._value.replace(/\[.*\]$/, '');
  const time = Date.parse(value.$type === 'LocalDateTime' ? `${text}Z` : text);
  return Number.isFinite(time) ? time : undefined;
}

/** Where a number is between the smallest and the largest, from 0 to 1. */
const share = (n: number, min: number, max: number) => (max === min ? 0.5 : (n - min) / (max - min));

const textOf = (value: Value) => valueText(value).slice(0, 60);

interface Extent {
  min: number;
  max: number;
  key: Key;
}

/** The extent of the numbers of a property; null if there are none. */
function extentOf(items: Element[], property: string): Extent | null {
  const loaded = items.filter((item) => !item.partial);
  let min: { n: number; value: Value } | null = null;
  let max: { n: number; value: Value } | null = null;
  let missing = 0;
  for (const { properties } of loaded) {
    const value = ownValue(properties, property);
    const n = numberOf(value);
    if (n === undefined || value === undefined) missing++;
    else {
      if (!min || n < min.n) min = { n, value };
      if (!max || n > max.n) max = { n, value };
    }
  }
  if (!min || !max) return null;
  return {
    min: min.n,
    max: max.n,
    key: { kind: 'scale', property, min: textOf(min.value), max: textOf(max.value), missing, unknown: items.length - loaded.length },
  };
}

function sizeScale(items: Element[], property: string, [from, to]: readonly [number, number]): Scale<number | undefined> {
  const extent = extentOf(items, property);
  if (!extent) {
    const unknown = items.filter((item) => item.partial).length;
    return {
      of: () => undefined,
      key: { kind: 'categories', property, categories: [], others: 0, missing: items.length - unknown, unknown },
    };
  }
  return {
    of: ({ properties }) => {
      const n = numberOf(ownValue(properties, property));
      return n === undefined ? undefined : from + (to - from) * share(n, extent.min, extent.max);
    },
    key: extent.key,
  };
}

/** The size by the number of edges on the canvas. */
function degreeScale(nodes: CanvasContent['nodes'], edges: CanvasContent['edges']): Scale<number | undefined> {
  const counts = new Map(nodes.map((node) => [node.id, 0]));
  for (const { source_id, target_id } of edges) for (const id of new Set([source_id, target_id])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const all = [...counts.values()];
  const [min, max] = [Math.min(...all, all[0] ?? 0), Math.max(...all, 0)];
  const [from, to] = sizeRange;
  return {
    of: ({ id }) => from + (to - from) * share(counts.get(id ?? '') ?? 0, min, max),
    key: { kind: 'scale', property: 'edges on the canvas', min: String(min), max: String(max), missing: 0, unknown: 0 },
  };
}

function colourScale(items: Element[], property: string, dark: boolean): Scale<string> {
  const { ends, categories: colours, neutral: none } = coloursOf(dark);
  const set = items.flatMap((item) => (Object.hasOwn(item.properties, property) ? [item.properties[property]!] : []));
  const extent = set.every((value) => numberOf(value) !== undefined) ? extentOf(items, property) : null;
  if (extent) {
    return {
      of: ({ properties }) => {
        const n = numberOf(ownValue(properties, property));
        return n === undefined ? none : mixColours(ends[0], ends[1], share(n, extent.min, extent.max));
      },
      key: extent.key,
    };
  }
  const unknown = items.filter((item) => item.partial).length;
  const counts = new Map<string, number>();
  for (const value of set) counts.set(textOf(value), (counts.get(textOf(value)) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  const categories = sorted.slice(0, maxCategories).map(([text, count], index) => ({ text, count, colour: colours[index]! }));
  const byText = new Map(categories.map((category) => [category.text, category.colour]));
  return {
    of: ({ properties }) => {
      const value = ownValue(properties, property);
      return (value === undefined ? undefined : byText.get(textOf(value))) ?? none;
    },
    key: {
      kind: 'categories',
      property,
      categories,
      others: sorted.slice(maxCategories).reduce((sum, [, n]) => sum + n, 0),
      missing: items.length - unknown - set.length,
      unknown,
    },
  };
}

/** Mixes two colours, as #rrggbb. */
export function mixColours(from: string, to: string, t: number): string {
  const part = (colour: string, at: number) => parseInt(colour.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(part(from, at) + (part(to, at) - part(from, at)) * t)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** The colour of a type on the canvas: that of the palette is dark enough for white text, too dark for a dark background. */
export const colourOn = (colour: string, dark: boolean) => (dark ? mixColours(colour, '#ffffff', darkLightening / 100) : colour);

/** The scales of the elements on the canvas. */
export function buildScales(style: ValueStyle, { nodes, edges }: Pick<CanvasContent, 'nodes' | 'edges'>, dark: boolean): Scales {
  return {
    ...(style.nodeColour ? { nodeColour: colourScale(nodes, style.nodeColour, dark) } : {}),
    ...(style.nodeSize
      ? { nodeSize: style.nodeSize === byDegree ? degreeScale(nodes, edges) : sizeScale(nodes, style.nodeSize, sizeRange) }
      : {}),
    ...(style.edgeColour ? { edgeColour: colourScale(edges, style.edgeColour, dark) } : {}),
    ...(style.edgeWidth ? { edgeWidth: sizeScale(edges, style.edgeWidth, widthRange) } : {}),
  };
}

/** The properties of elements, by name; with numbers only those that have a number somewhere. */
export function propertyChoices(items: Element[], numbers: boolean): string[] {
  const names = new Set<string>();
  for (const { properties } of items)
    for (const [name, value] of Object.entries(properties)) if (!numbers || numberOf(value) !== undefined) names.add(name);
  return [...names].sort((a, b) => a.localeCompare(b));
}
