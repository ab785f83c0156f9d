import { describe, expect, test } from 'vitest';
import { parseView, serializeView } from '../explore/url';
import type { GraphNode } from '../api/graph';
import type { Properties } from '../values/value';
import { buildScales, coloursOf, mixColours, numberOf, parseStyle, propertyChoices, serializeStyle, colourOn } from './valueStyle';
import { palette } from '../theme';

const node = (properties: Properties) => ({
  id: JSON.stringify(Object.values(properties).map(String)),
  type: 'Film',
  labels: ['Film'],
  properties,
});
const content = (...all: Properties[]) => ({ nodes: all.map(node), edges: [] });

describe('style by value', () => {
  test('is kept in the address, and checked', () => {
    const style = { nodeColour: 'rating', edgeWidth: 'a "b"' };
    expect(parseStyle(serializeStyle(style))).toEqual(style);
    expect(serializeStyle({ nodeColour: undefined })).toBe('');
    for (const text of [
      '',
      'x',
      'null',
      '[]',
      '7',
      '{"nodeColour":7,"html":"<b>","nodeSize":""}',
      JSON.stringify({ nodeColour: 'n'.repeat(256) }),
    ])
      expect(parseStyle(text)).toEqual({});
    const view = parseView(new URLSearchParams({ view: 'graph', style: serializeStyle(style) }));
    expect(parseView(serializeView(view))).toEqual(view);
    expect(parseView(serializeView({ ...view, view: 'table' })).style).toBe('');
  });

  test('numbers and dates are on a scale, with the smallest and the largest value in the legend', () => {
    const { nodeColour, nodeSize } = buildScales(
      { nodeColour: 'n', nodeSize: 'n' },
      content({ n: 10n }, { n: 20.5 }, { n: 15n }, {}),
      false,
    );
    const { ends, neutral } = coloursOf(false);
    expect(nodeColour!.of({ properties: { n: 10n } })).toBe(ends[0]);
    expect(nodeColour!.of({ properties: { n: 20.5 } })).toBe(ends[1]);
    expect(nodeColour!.of({ properties: {} })).toBe(neutral);
    expect(nodeColour!.key).toEqual({ kind: 'scale', property: 'n', min: '10', max: '20.5', missing: 1, unknown: 0 });
    expect(nodeSize!.of({ properties: { n: 20.5 } })).toBeGreaterThan(nodeSize!.of({ properties: { n: 15n } })!);
    expect(nodeSize!.of({ properties: {} })).toBeUndefined();
    const date = (text: string) => ({ $type: 'Date', _value: text });
    expect(
      buildScales({ nodeColour: 'd' }, content({ d: date('2020-01-02') }, { d: date('1999-01-01') }), true).nodeColour!.key,
    ).toMatchObject({ min: '1999-01-01', max: '2020-01-02' });
    expect(numberOf({ $type: 'ZonedDateTime', _value: '2026-05-01T12:30:00+02:00[Europe/Berlin]' })).toBe(
      Date.parse('2026-05-01T10:30:00Z'),
    );
    expect(numberOf(NaN)).toBeUndefined();
    // A single value is in the middle.
    expect(buildScales({ nodeColour: 'n' }, content({ n: 7n }), false).nodeColour!.of({ properties: { n: 7n } })).toBe(
      mixColours(ends[0], ends[1], 0.5),
    );
  });

  test('texts are at most eight categories, the most frequent first', () => {
    const all = Array.from({ length: 30 }, (_, i) => ({ city: `City ${Math.floor(Math.sqrt(i * 4))}` }));
    const { nodeColour } = buildScales({ nodeColour: 'city' }, content(...all, { city: 4n }, {}), false);
    const key = nodeColour!.key;
    if (key.kind !== 'categories') throw new Error(key.kind);
    expect(key.categories).toHaveLength(8);
    expect(new Set(key.categories.map((category) => category.colour)).size).toBe(8);
    expect(key.categories.map((category) => category.count)).toEqual(
      key.categories.map((category) => category.count).toSorted((a, b) => b - a),
    );
    expect(key.categories.reduce((sum, category) => sum + category.count, key.others + key.missing)).toBe(32);
    expect(nodeColour!.of({ properties: { city: 'nowhere' } })).toBe(coloursOf(false).neutral);
    expect(nodeColour!.of({ properties: JSON.parse('{"__proto__":"x"}') as Properties })).toBe(coloursOf(false).neutral);
  });

  test('what is not loaded is not said to have no value', () => {
    const nodes: GraphNode[] = [
      { id: 'a', type: 'A', labels: [], properties: { n: 1n, city: 'Oslo' } },
      { id: 'b', type: 'A', labels: [], properties: {} },
      { id: 'c', type: 'A', labels: [], properties: {}, partial: { caption: 'c' } },
    ];
    for (const style of [{ nodeColour: 'n' }, { nodeSize: 'n' }, { nodeColour: 'city' }, { nodeSize: 'city' }]) {
      const { nodeColour, nodeSize } = buildScales(style, { nodes, edges: [] }, false);
      const missing = style.nodeSize === 'city' ? 2 : 1; // a text is no number
      expect((nodeColour ?? nodeSize)!.key).toMatchObject({ missing, unknown: 1 });
    }
  });

  test('offers the properties that are there', () => {
    expect(propertyChoices([{ properties: { b: 'x', a: 1n } }, { properties: { c: [1n] } }], false)).toEqual(['a', 'b', 'c']);
    expect(propertyChoices([{ properties: { b: 'x', a: 1n } }, { properties: { c: [1n] } }], true)).toEqual(['a']);
  });

  test.each([
    [false, '#f6f8f9'],
    [true, '#15191b'],
    [true, '#1b2023'],
  ] as const)('every colour, of values and of types, stands out from the background, dark %s, %s', (dark, background) => {
    const { ends, categories, neutral } = coloursOf(dark);
    const scale = [0, 0.25, 0.5, 0.75, 1].map((t) => mixColours(ends[0], ends[1], t));
    for (const colour of [...scale, ...categories, neutral, ...palette.map((type) => colourOn(type, dark))])
      expect([colour, contrast(colour, background) >= 3]).toEqual([colour, true]);
  });
});

/** The contrast ratio of WCAG 2. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [r, g, blue] = [1, 3, 5]
      .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * blue!;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}
