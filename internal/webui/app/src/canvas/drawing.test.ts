import cytoscape from 'cytoscape';
import { expect, test, vi } from 'vitest';
import { captionSize, highlight, readPositions } from './drawing';

vi.mock('../api/graph', () => ({}));

const canvas = () => cytoscape({
  headless: true, layout: { name: 'preset' },
  elements: [{ data: { id: 'a' } }, { data: { id: 'b' } }, { data: { id: 'c' }, position: { x: 3, y: 4 }, classes: 'pinned' }, { data: { id: 'edge 1', source: 'a', target: 'b' } }, { data: { id: 'edge 2', source: 'b', target: 'c' } }],
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

test.each([2, 1, 0.8, 0.6, 0.5, 0.43])('captions are readable at the zoom level %d', (zoom) => expect(captionSize(zoom) * zoom).toBeGreaterThanOrEqual(11));

test('pins are stored with the positions', () => expect(readPositions(canvas()).get('c')).toEqual({ x: 3, y: 4, pinned: true }));
