// The legend of an exported image: the types with their colours, and the scales of the style by value.
import { appearanceOf, edgeAppearanceOf } from '../explore/appearance';
import { escapeInvisible, formatCount } from '../values/text';
import { countByType, type CanvasContent } from './model';
import { channels, channelTitles, coloursOf, lineColour, type Key, type Scales } from './valueStyle';

export interface ImageColours {
  background: string;
  text: string;
  line: string;
}

export const imageColours = (dark: boolean): ImageColours =>
  dark ? { background: '#15191b', text: '#e6eaec', line: '#5d6970' } : { background: '#ffffff', text: '#1b2429', line: '#a7b3ba' };

export type LegendEntry =
  | { kind: 'title'; text: string }
  | { kind: 'dot' | 'dash'; text: string; colour: string; count: string }
  /** A ramp of colours if it has them, otherwise a wedge of growing sizes. */
  | { kind: 'scale'; ends: readonly [string, string] | null; min: string; max: string };

/** The entries of the legend for the content of the canvas. */
export function legendEntries(content: Pick<CanvasContent, 'nodes' | 'edges'>, scales: Scales, dark: boolean): LegendEntry[] {
  const { line } = imageColours(dark);
  const edgeLine = (type: string | null) => {
    const { colour } = type === null ? {} : edgeAppearanceOf(type);
    return colour && !scales.edgeColour ? lineColour(colour, dark) : line;
  };
  return [
    ...countByType(content.nodes).map(([type, n]): LegendEntry => ({
      kind: 'dot',
      text: type === null ? 'not loaded' : escapeInvisible(type),
      colour: scales.nodeColour ? line : appearanceOf(type).colour,
      count: formatCount(n),
    })),
    ...countByType(content.edges).map(([type, n]): LegendEntry => ({
      kind: 'dash',
      text: escapeInvisible(type ?? ''),
      colour: edgeLine(type),
      count: formatCount(n),
    })),
    ...channels.flatMap((channel) => {
      const key = scales[channel]?.key;
      return key
        ? [
            { kind: 'title' as const, text: `${channelTitles[channel]}: ${escapeInvisible(key.property)}` },
            ...keyEntries(key, channel, dark),
          ]
        : [];
    }),
  ];
}

function keyEntries(key: Key, channel: (typeof channels)[number], dark: boolean): LegendEntry[] {
  const { ends, neutral } = coloursOf(dark);
  const coloured = channel === 'nodeColour' || channel === 'edgeColour';
  const row = (text: string, colour: string, n: number): LegendEntry => ({
    kind: channel === 'nodeColour' ? 'dot' : 'dash',
    text,
    colour,
    count: formatCount(n),
  });
  return [
    ...(key.kind === 'scale'
      ? [{ kind: 'scale' as const, ends: coloured ? ends : null, min: escapeInvisible(key.min), max: escapeInvisible(key.max) }]
      : []),
    ...(key.kind === 'categories'
      ? key.categories.map(({ text, colour, count }) => row(text === '' ? '(empty)' : escapeInvisible(text), colour, count))
      : []),
    ...(key.kind === 'categories' && key.others > 0 ? [row('other values', neutral, key.others)] : []),
    ...(key.missing > 0 ? [row(coloured ? 'not set' : 'no number', neutral, key.missing)] : []),
  ];
}

export interface Legend {
  svg: string;
  width: number;
  height: number;
}

export const escapeXml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const width = 220;
const rowHeight = 18;
const padding = 12;
const barWidth = width - 2 * padding;

/** Draws the legend, with its upper left corner at the origin. */
export function drawLegend(entries: LegendEntry[], { background, text, line }: ImageColours): Legend {
  const parts: string[] = [];
  let y = padding;
  const label = (x: number, content: string, more = '') =>
    `<text x="${x}" y="${y + 12}" font-size="11" fill="${text}"${more}>${escapeXml(content)}</text>`;
  for (const entry of entries) {
    if (entry.kind === 'title') {
      y += 6;
      parts.push(label(padding, shorten(entry.text, 34), ' font-weight="bold"'));
    } else if (entry.kind === 'scale') {
      parts.push(drawScale(entry, y, line));
      y += rowHeight;
      parts.push(label(padding, shorten(entry.min, 16)), label(width - padding, shorten(entry.max, 16), ' text-anchor="end"'));
    } else {
      parts.push(
        entry.kind === 'dot'
          ? `<circle cx="${padding + 6}" cy="${y + 8}" r="5" fill="${escapeXml(entry.colour)}"/>`
          : `<rect x="${padding}" y="${y + 7}" width="12" height="3" fill="${escapeXml(entry.colour)}"/>`,
        label(padding + 20, shorten(entry.text, 24)),
        label(width - padding, entry.count, ' text-anchor="end"'),
      );
    }
    y += rowHeight;
  }
  const height = y + padding;
  return {
    svg: `<g><rect width="${width}" height="${height}" rx="8" fill="${background}" stroke="${line}"/>${parts.join('')}</g>`,
    width,
    height,
  };
}

function drawScale({ ends }: Extract<LegendEntry, { kind: 'scale' }>, y: number, line: string): string {
  if (!ends) return `<path d="M${padding} ${y + 14} L${padding + barWidth} ${y + 4} V${y + 16} H${padding}z" fill="${line}"/>`;
  // One gradient for each pair of colours: ids of an SVG file must be unique.
  const id = `ramp-${y}`;
  const stops = ends.map((colour, index) => `<stop offset="${index}" stop-color="${colour}"/>`).join('');
  return (
    `<defs><linearGradient id="${id}">${stops}</linearGradient></defs>` +
    `<rect x="${padding}" y="${y + 5}" width="${barWidth}" height="9" rx="2" fill="url(#${id})"/>`
  );
}

const shorten = (text: string, maxLength: number) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);
