// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { GraphEdge, GraphNode } from '../api/graph';
import { drawLegend, imageColours, legendEntries } from './legendImage';
import { buildScales } from './valueStyle';

vi.mock('../api/graph', () => ({}));

const node = (id: string, type: string, rating: number): GraphNode => ({ id, type, labels: [type], properties: { rating, genre: id } });
const edge: GraphEdge = { id: 'e', type: 'NEXT & <LAST>', source_id: 'a', target_id: 'b', properties: {} };
const content = { nodes: [node('a', 'Film', 6.5), node('b', 'Film', 8.4)], edges: [edge], omitted: 0 };

test('the legend of an image has types, counts and scales, as the one on the canvas', () => {
  const entries = legendEntries(content, buildScales({ nodeColour: 'rating', nodeSize: 'rating' }, content, false), false);
  expect(entries.map((entry) => ('text' in entry ? entry.text : `${entry.min} to ${entry.max}`))).toEqual([
    'Film',
    'NEXT & <LAST>',
    'Color: rating',
    '6.5 to 8.4',
    'Size: rating',
    '6.5 to 8.4',
  ]);
  const { svg, height } = drawLegend(entries, imageColours(false));
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`, 'image/svg+xml');
  expect(parsed.querySelector('parsererror')).toBeNull();
  expect([...parsed.querySelectorAll('text')].map((text) => text.textContent)).toContain('NEXT & <LAST>');
  expect(Math.max(...[...parsed.querySelectorAll('text')].map((text) => Number(text.getAttribute('y'))))).toBeLessThan(height);
});

test('categories have their colours, and an empty legend is a frame', () => {
  const entries = legendEntries(content, buildScales({ nodeColour: 'genre' }, content, true), true);
  expect(entries.flatMap((entry) => (entry.kind === 'dot' ? [entry.text] : []))).toEqual(['Film', 'a', 'b']);
  expect(drawLegend([], imageColours(true)).height).toBeGreaterThan(0);
});
