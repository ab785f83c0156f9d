// The steps taken on the canvas, in order. The steps are in the URL, so a link reopens the view, and removing the last step
// undoes it.
import type { Direction } from '../api/graph';
import { explorePath } from '../explore/url';

/** expand adds the neighbours of a node, path adds a shortest path between two nodes, hide removes a node. */
export type Step =
  | { do: 'path'; id: string; to: string }
  | { do: 'expand'; id: string; direction: Direction; type: string | null }
  | { do: 'hide'; id: string };

/** Parses the steps of a URL; ignores invalid steps. */
export function parseSteps(text: string): Step[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text || '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(raw)) return [];
  const steps: Step[] = [];
  for (const item of raw as unknown[]) {
    if (!Array.isArray(item) || typeof item[1] !== 'string') continue;
    const [what, id, direction, type] = item as [unknown, string, unknown, unknown];
    if (what === 'h') steps.push({ do: 'hide', id });
    if (what === 'p' && typeof direction === 'string') steps.push({ do: 'path', id, to: direction });
    if (what === 'x') {
      steps.push({ do: 'expand', id, direction: direction === 'in' || direction === 'out' ? direction : 'both', type: typeof type === 'string' ? type : null });
    }
  }
  return steps;
}

export function serializeSteps(steps: Step[]): string {
  if (steps.length === 0) return '';
  return JSON.stringify(
    steps.map((s) => {
      if (s.do === 'hide') return ['h', s.id];
      if (s.do === 'path') return ['p', s.id, s.to];
      return s.type === null ? ['x', s.id, s.direction] : ['x', s.id, s.direction, s.type];
    }),
  );
}

/** The address of a graph that starts from a node, with its neighbours. */
export function graphPath(node: { id: string; type: string | null }): string {
  const steps = serializeSteps([{ do: 'expand', id: node.id, direction: 'both', type: null }]);
  return explorePath({ kind: 'node', type: node.type, view: 'graph', start: node.id, steps, open: { kind: 'node', id: node.id } });
}

/** Removes the expansions of a node. Neighbours stay only if another step or the selection has them. */
export function removeExpansions(steps: Step[], id: string): Step[] {
  return steps.filter((s) => !(s.do === 'expand' && s.id === id));
}

export function isExpanded(steps: Step[], id: string): boolean {
  return steps.some((s) => s.do === 'expand' && s.id === id);
}

/** Removes the given steps. */
export function removeSteps(steps: Step[], gone: Step[]): Step[] {
  const removed = new Set(gone.map((s) => serializeSteps([s])));
  return steps.filter((s) => !removed.has(serializeSteps([s])));
}
