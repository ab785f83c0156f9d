import cytoscape from 'cytoscape';
import { expect, test, vi } from 'vitest';
import type { Mark } from './groups';
import { captionSize } from './captions';
import { applyStyle, highlight, readPositions, syncElements } from './drawing';
import { runLayout } from './layout';

vi.mock('../api/graph', () => ({}));

const canvas = () =>
  cytoscape({
    headless: true,
    layout: { name: 'preset' },
    elements: [
      { data: { id: 'a' } },
      { data: { id: 'b' } },
      { data: { id: 'c' }, position: { x: 3, y: 4 }, classes: 'pinned' },
      { data: { id: 'edge 1', source: 'a', target: 'b' } },
      { data: { id: 'edge 2', source: 'b', target: 'c' } },
    ],
  });
const ids = (cy: cytoscape.Core, selector: string) => cy.$(selector).map((e) => e.id());

test('a path found is marked, also where it is faded, until another one is found', () => {
  const cy = canvas();
  highlight(cy, ['c'], ['a', 'edge 1', 'b']);
  expect(ids(cy, '.path')).toEqual(['a', 'b', 'edge 1']);
  expect(ids(cy, '.faded')).toEqual(['a', 'edge 1']);
  highlight(cy, [], []);
  expect(cy.$('.path, .faded').length).toBe(0);
});

test.each([2, 1, 0.8, 0.6, 0.5, 0.43, 0.2, 0.05])('captions are readable at the zoom level %d', (zoom) =>
  expect(captionSize(zoom) * zoom).toBeGreaterThanOrEqual(11),
);

test.each([true, false])('captions of faded elements have a contrast of 3:1, in dark colours: %s', (dark) => {
  const cy = cytoscape({ headless: true, styleEnabled: true, elements: canvas().elements().jsons() as never });
  applyStyle(cy, dark);
  cy.elements().addClass('faded');
  const rgb = (text: string) => text.match(/\d+/g)!.slice(0, 3).map(Number);
  const luminance = (parts: number[]) => {
    const [r, g, b] = parts.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  for (const id of ['a', 'edge 1']) {
    const element = cy.getElementById(id);
    const background = rgb(String(element.style('text-outline-color')));
    const color = rgb(String(element.style('color')));
    const opacity = Number(element.numericStyle('opacity'));
    const seen = color.map((part, i) => part * opacity + background[i]! * (1 - opacity));
    const [low, high] = [luminance(seen), luminance(background)].sort((a, b) => a - b);
    expect((high! + 0.05) / (low! + 0.05)).toBeGreaterThan(3);
  }
});

test('pins are stored with the positions', () => expect(readPositions(canvas()).get('c')).toEqual({ x: 3, y: 4, pinned: true }));

const node = (id: string) => ({ id, type: 'A', labels: ['A'], properties: {} });
const edge = (from: string, to: string) => ({ id: `${from} ${to}`, type: 'R', source_id: from, target_id: to, properties: {} });
const styled = () => cytoscape({ headless: true, styleEnabled: true, layout: { name: 'preset' } });

test('nodes without edges are in rows that leave room for their captions, apart from the others', () => {
  const cy = styled();
  const nodes = Array.from({ length: 60 }, (_, i) => node(`n${i}`));
  const edges = [edge('n0', 'n1')];
  const ids = syncElements(cy, { nodes, edges, marks: [] }, new Map());
  runLayout(cy, ids);
  const positionsOf = () => nodes.slice(2).map(({ id }) => ({ ...cy.getElementById(id).position() }));
  const positions = positionsOf();
  const { x2, y2 } = cy.collection([cy.getElementById('n0'), cy.getElementById('n1')] as never).boundingBox({});
  for (const [i, a] of positions.entries()) {
    expect(a.x > x2 || a.y > y2).toBe(true);
    for (const b of positions.slice(i + 1)) expect(Math.abs(a.x - b.x) >= 170 || Math.abs(a.y - b.y) >= 78).toBe(true);
  }
  // Rows that are loaded later go elsewhere, and what is there stays.
  runLayout(cy, syncElements(cy, { nodes: [...nodes, node('new')], edges, marks: [] }, new Map()));
  expect(positionsOf()).toEqual(positions);
  const added = cy.getElementById('new').position();
  for (const position of positions) expect(Math.hypot(position.x - added.x, position.y - added.y)).toBeGreaterThan(60);
});

test('the marks of a hub, which come later, cover none of its neighbors', () => {
  const cy = styled();
  const nodes = Array.from({ length: 26 }, (_, i) => node(`n${i}`));
  const edges = nodes.slice(1).map(({ id }) => edge('n0', id));
  runLayout(cy, syncElements(cy, { nodes, edges, marks: [] }, new Map()));
  const marks = Array.from({ length: 12 }, (_, i): Mark => ({
    id: `group ${i}`,
    hub: 'n0',
    direction: 'out',
    edgeType: 'R',
    type: 'B',
    nodes: [],
    rest: 1000,
    shown: 0,
    combined: 0,
  }));
  const newIds = syncElements(cy, { nodes, edges, marks }, new Map());
  expect(newIds).toHaveLength(12);
  runLayout(cy, newIds);
  for (const mark of marks) {
    const a = cy.getElementById(mark.id);
    cy.nodes()
      .not(a)
      .forEach((b) => {
        const apart = Math.hypot(a.position('x') - b.position('x'), a.position('y') - b.position('y'));
        expect(apart).toBeGreaterThan((Number(a.data('size')) + Number(b.data('size'))) / 2);
      });
  }
});
