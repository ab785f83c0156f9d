import cytoscape from 'cytoscape';
import { expect, test, vi } from 'vitest';
import { runLayout, startLayout } from './layout';

vi.mock('../api/graph', () => ({}));

type Edges = [string, string][];

function graph(edges: Edges) {
  const ids = [...new Set(edges.flat())];
  return cytoscape({
    headless: true,
    styleEnabled: true,
    layout: { name: 'preset' },
    elements: [
      ...ids.map((id) => ({ data: { id, size: 40 } })),
      ...edges.map(([source, target], i) => ({ data: { id: `edge ${i}`, source, target } })),
    ],
  });
}

function overlaps(cy: cytoscape.Core): number {
  const all = cy.nodes().map((node) => node.position());
  let n = 0;
  for (const [i, a] of all.entries()) for (const b of all.slice(i + 1)) if (Math.hypot(a.x - b.x, a.y - b.y) < 40) n++;
  return n;
}

const stars = (hubs: number, leaves: number): Edges => Array.from({ length: hubs * leaves }, (_, i) => [`hub ${i % hubs}`, `leaf ${i}`]);
/** Random in the same way in each run. */
const random = (nodes: number, edges: number): Edges =>
  Array.from({ length: edges }, (_, i) => [`n${(i * 7919) % nodes}`, `n${(i * i * 31 + 17) % nodes}`]);

test.each([
  ['12 hubs', stars(12, 62)],
  ['one hub', stars(1, 800)],
  ['two ends only', Array.from({ length: 400 }, (_, i): [string, string] => [`a${i}`, `b${i}`])],
  ['many edges', random(700, 1000)],
  ['a chain', Array.from({ length: 700 }, (_, i): [string, string] => [`n${i}`, `n${i + 1}`])],
])('nodes of a large graph do not overlap, and use the area: %s', (_, edges) => {
  const cy = graph(edges);
  runLayout(cy, 'all');
  expect(overlaps(cy)).toBe(0);
  const box = cy.nodes().boundingBox({ includeLabels: false });
  // Between 50 and 150 pixels from node to node, and neither a line nor a column.
  const perNode = (box.w * box.h) / cy.nodes().length;
  expect(perNode).toBeGreaterThan(2500);
  expect(perNode).toBeLessThan(22_500);
  expect(box.w / box.h).toBeGreaterThan(0.6);
  expect(box.w / box.h).toBeLessThan(3);
});

test('what was placed and what is pinned stays, and new nodes go beside their neighbors', () => {
  const cy = graph([...stars(3, 20), ['hub 0', 'new'], ['hub 0', 'pin']]);
  runLayout(
    cy,
    cy
      .nodes()
      .map((node) => node.id())
      .filter((id) => id !== 'new'),
  );
  cy.getElementById('pin').addClass('pinned').position({ x: 1, y: 2 });
  const before = cy
    .nodes()
    .not('#new')
    .nodes()
    .map((node) => ({ ...node.position() }));
  runLayout(cy, ['new', 'pin']);
  expect(
    cy
      .nodes()
      .not('#new')
      .nodes()
      .map((node) => ({ ...node.position() })),
  ).toEqual(before);
  const [hub, added] = ['hub 0', 'new'].map((id) => cy.getElementById(id).position());
  expect(Math.hypot(hub!.x - added!.x, hub!.y - added!.y)).toBeLessThan(400);
  expect(overlaps(cy)).toBe(0);
});

test('a layout in slices ends where the one at once does', () => {
  const [whole, sliced] = [graph(stars(4, 30)), graph(stars(4, 30))];
  runLayout(whole, 'all');
  const layout = startLayout(sliced, 'all');
  let slices = 1;
  while (!layout.run(1)) slices++;
  expect(slices).toBeGreaterThan(1);
  expect(sliced.nodes().map((node) => node.position())).toEqual(whole.nodes().map((node) => node.position()));
});
