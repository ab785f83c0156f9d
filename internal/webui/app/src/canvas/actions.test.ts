import { expect, test, vi } from 'vitest';
import type { GraphNode } from '../api/graph';
import { canvasActions } from './actions';
import { fragmentsOfRows } from './additions';
import { hiddenNodes, mergeFragments, withoutDropped } from './model';
import { parseSteps, serializeSteps, type SimpleStep } from './steps';

vi.mock('../shell/notify', () => ({ notify: vi.fn() }));

const node = (id: string): GraphNode => ({ id, type: 'A', labels: ['A'], properties: {} });
const nodes = ['a', 'b', 'c', 'd', 'e'].map(node);

/** The steps of keeping nodes, from an address. */
function keep(ids: string[], omitted = 0): SimpleStep[] {
  const taken: SimpleStep[] = [];
  const steps = {
    take: (next: SimpleStep[]) => taken.push(...next),
    hide: (gone: string[]) => gone.map((id) => taken.push({ do: 'hide', id })),
  };
  const graph = { nodes, rows: nodes.length, omitted, drawing: { nodes, edges: [], marks: [] } };
  const parts = { graph, canvas: { clearSelection: vi.fn() }, steps };
  canvasActions(parts as unknown as Parameters<typeof canvasActions>[0]).keep(ids);
  return parseSteps(serializeSteps(taken)) as SimpleStep[];
}

test.each([[['a']], [['a', 'b', 'c', 'd']]])('when %j are kept, a later expansion brings back what went', (ids) => {
  const steps: SimpleStep[] = [...keep(ids), { do: 'expand', id: 'a', direction: 'both', type: null }];
  const fragments = [
    { at: -1, nodes, edges: [] },
    { at: steps.length - 1, nodes: [node('e')], edges: [] },
  ];
  const shown = (of: typeof fragments) =>
    mergeFragments(withoutDropped(of, steps), hiddenNodes(of, steps))
      .nodes.map(({ id }) => id)
      .sort();
  expect(shown(fragments.slice(0, 1))).toEqual(ids);
  expect(shown(fragments)).toEqual([...ids, 'e']);
});

test.each([[['a']], [['a', 'b', 'c', 'd']]])('when %j are kept, rows that are loaded later are shown, and what went stays away', (ids) => {
  const steps = keep(ids);
  const shown = (rows: GraphNode[]) => {
    const read = fragmentsOfRows(rows, steps);
    return mergeFragments(withoutDropped(read, steps), hiddenNodes(read, steps))
      .nodes.map(({ id }) => id)
      .sort();
  };
  expect(shown(nodes)).toEqual(ids);
  const more = [...nodes, node('f'), node('e'), node('g')];
  expect(shown(more)).toEqual([...ids, 'f', 'g']);
});

test('what a full canvas omits does not take the place of what is not kept', () => {
  expect(keep(['a', 'b', 'c', 'd'], 3)).toEqual([{ do: 'keep', ids: ['a', 'b', 'c', 'd'], rows: 5 }]);
});
