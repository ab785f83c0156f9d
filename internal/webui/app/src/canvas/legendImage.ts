// The legend of an exported image: the types with their colours, and the scales of the style by value.
import { appearanceOf, edgeAppearanceOf, shapeOf } from '../explore/appearance';
import { polygonPoints } from '../explore/shapes';
import { escapeInvisible, formatCount } from '../values/text';
import { countByType, type CanvasContent } from './model';
import { channels, channelTitles, coloursOf, colourOn, type Key, type Scales } from './valueStyle';

export interface ImageColours {
  background: string;
  text: string;
  line: string;
}

export const imageColours = (dark: boolean): ImageColours =>
  dark ? { background: '#15191b', text: '#e6eaec', line: '#5d6970' } : { background: '#ffffff', text: '#1b2429', line: '#a7b3ba' };

export type LegendEntry =
  | { kind: 'title'; text: string }
  | { kind: 'dot' | 'dash'; text: string; colour: string; count: string; corners?: ReturnType<typeof shapeOf> }
  /** A ramp of colours if it has them, otherwise a wedge of growing sizes. */
  | { kind: 'scale'; ends: readonly [string, string] | null; min: string; max: string };

/** The entries of the legend for the content of the canvas. */
export function legendEntries(content: Pick<CanvasContent, 'nodes' | 'edges'>, scales: Scales, dark: boolean): LegendEntry[] {
  const { line } = imageColours(dark);
  const edgeLine = (type: string | null) => {
    const { colour } = type === null ? {} : edgeAppearanceOf(type);
    return colour && !scales.edgeColour ? colourOn(colour, dark) : line;
  };
  return [
    ...countByType(content.nodes).map(([type, n]): LegendEntry => ({
      kind: 'dot',
      text: type === null ? 'no label' : escapeInvisible(type),
      colour: scales.nodeColour ? line : colourOn(appearanceOf(type).colour, dark),
      corners: shapeOf(type),
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
    ...(key.unknown > 0 ? [row('not loaded', neutral, key.unknown)] : []),
  ];
}

export interface Legend {
  svg: string;
  width: number;
  height: number;
}

export const escapeXml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export const legendWidth = 220;
const width = legendWidth;
const rowHeight = 18;
const padding = 12;
const barWidth = width - 2 * padding;

/** A legend whose lengths are multiplied. */
export const enlarge = ({ svg, width, height }: Legend, factor: number): Legend => ({
  svg: `<g transform="scale(${factor})">${svg}</g>`,
  width: width * factor,
  height: height * factor,
});

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
          ? drawMark(entry.corners ?? null, padding + 6, y + 8, 5, entry.colour)
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

/** Draws the mark of a type in its shape. */
export const drawMark = (corners: ReturnType<typeof shapeOf>, x: number, y: number, radius: number, colour: string) =>
  corners === null
    ? `<circle cx="${x}" cy="${y}" r="${radius}" fill="${escapeXml(colour)}"/>`
    : `<polygon points="${polygonPoints(corners, x, y, radius)}" fill="${escapeXml(colour)}"/>`;

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
