// Which nodes and edges the canvas shows.
import type { GraphEdge, GraphNode } from '../api/graph';
import type { SimpleStep } from './steps';

export interface Fragment {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface CanvasContent {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** How many elements are omitted because the canvas is full. */
  omitted: number;
}

/** The maximum number of nodes and edges together: more cannot be distinguished, and slow the canvas down. */
export const capacity = 2000;

/**
 * Merges fragments: each entity once, without hidden nodes and without edges whose ends are not both there. If the canvas is
 * full, earlier fragments take precedence.
 */
export function mergeFragments(fragments: Fragment[], hidden: ReadonlySet<string>): CanvasContent {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let omitted = 0;
  for (const fragment of fragments) {
    for (const node of fragment.nodes) {
      if (hidden.has(node.id)) continue;
      // A loaded node replaces one that is known only as the end of an edge.
      if (nodes.has(node.id) && node.partial) continue;
      if (!nodes.has(node.id) && nodes.size + edges.size >= capacity) {
        omitted++;
        continue;
      }
      nodes.set(node.id, node);
    }
    for (const edge of fragment.edges) {
      if (edges.has(edge.id) || !nodes.has(edge.source_id) || !nodes.has(edge.target_id)) continue;
      if (nodes.size + edges.size >= capacity) omitted++;
      else edges.set(edge.id, edge);
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], omitted };
}

/** What steps after the fragment have dropped: nodes that were not kept, nodes and edges of types. at is the place of its own step. */
export function withoutDropped(fragments: (Fragment & { at: number })[], steps: SimpleStep[]): Fragment[] {
  const drops = steps.map((step) => (step.do === 'keep' ? { ...step, kept: new Set(step.ids) } : step));
  const isGone = (node: GraphNode, at: number) =>
    drops.some(
      (step, i) =>
        i > at &&
        ((step.do === 'keep' && !step.kept.has(node.id)) || (step.do === 'drop' && step.kind === 'node' && step.type === node.type)),
    );
  const edgeTypes = new Set(steps.flatMap((step) => (step.do === 'drop' && step.kind === 'edge' ? [step.type] : [])));
  if (edgeTypes.size === 0 && !drops.some((step) => step.do === 'keep' || step.do === 'drop')) return fragments;
  return fragments.map(({ at, nodes, edges }) => ({
    nodes: nodes.filter((node) => !isGone(node, at)),
    edges: edges.filter((edge) => !edgeTypes.has(edge.type)),
  }));
}

/** Counts by type, sorted by name. */
export function countByType(items: { type: string | null }[]): [string | null, number][] {
  const counts = new Map<string | null, number>();
  for (const item of items) counts.set(item.type, (counts.get(item.type) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a ?? '').localeCompare(b ?? ''));
}
