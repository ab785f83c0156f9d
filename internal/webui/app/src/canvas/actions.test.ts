import { expect, test, vi } from 'vitest';
import type { GraphNode } from '../api/graph';
import { canvasActions } from './actions';
import { hiddenNodes, mergeFragments, withoutDropped } from './model';
import { parseSteps, serializeSteps, type SimpleStep } from './steps';

vi.mock('../shell/notify', () => ({ notify: vi.fn() }));

const node = (id: string): GraphNode => ({ id, type: 'A', labels: ['A'], properties: {} });
const nodes = ['a', 'b', 'c', 'd', 'e'].map(node);

/** The steps of keeping nodes, from an address. */
function keep(ids: string[]): SimpleStep[] {
  const taken: SimpleStep[] = [];
  const steps = {
    take: (next: SimpleStep[]) => taken.push(...next),
    hide: (gone: string[]) => gone.map((id) => taken.push({ do: 'hide', id })),
  };
  const parts = { graph: { nodes, drawing: { nodes, edges: [], marks: [] } }, canvas: { clearSelection: vi.fn() }, steps };
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
