// Which nodes and edges the canvas shows.
import type { EntityKind, GraphEdge, GraphNode } from '../api/graph';
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

/** The nodes that steps have hidden, without those that a later path or addition has: at is the place of a fragment's own step. */
export function hiddenNodes(fragments: (Fragment & { at: number })[], steps: SimpleStep[]): Set<string> {
  const came = new Map<string, number>();
  for (const { at, nodes } of fragments) {
    const by = steps[at]?.do;
    if (by === 'path' || by === 'add') for (const { id } of nodes) came.set(id, Math.max(at, came.get(id) ?? at));
  }
  return new Set(steps.flatMap((step, i) => (step.do === 'hide' && (came.get(step.id) ?? -1) < i ? [step.id] : [])));
}

/** A part of what was read. at is the place of its own step, row that of its first row if it is of the selection. */
export interface ReadFragment extends Fragment {
  at: number;
  row?: number;
}

/** What each step discarded of the nodes that were there: the step may list these, or those that it kept. */
function discardedNodes(fragments: ReadFragment[], steps: SimpleStep[]): (ReadonlySet<string> | null)[] {
  return steps.map((step, i) => {
    if (step.do === 'discard') return new Set(step.ids);
    if (step.do !== 'keep') return null;
    const kept = new Set(step.ids);
    const before = fragments.filter(({ at, row = 0 }) => at < i && row < (step.rows ?? Infinity));
    return new Set(before.flatMap(({ nodes }) => nodes.flatMap(({ id }) => (kept.has(id) ? [] : [id]))));
  });
}

/**
 * Leaves out what steps after the fragment have dropped: nodes that were not kept, nodes and edges of types. Edges without a step, which
 * connect what is there, came with the later one of their ends.
 */
export function withoutDropped(fragments: ReadFragment[], steps: SimpleStep[]): Fragment[] {
  const discarded = discardedNodes(fragments, steps);
  if (discarded.every((each) => each === null) && !steps.some((step) => step.do === 'drop')) return fragments;
  const lastDrop = { node: new Map<string | null, number>(), edge: new Map<string | null, number>() };
  for (const [i, step] of steps.entries()) if (step.do === 'drop') lastDrop[step.kind].set(step.type, i);
  const isDropped = (kind: EntityKind, type: string | null, at: number) => (lastDrop[kind].get(type) ?? -1) > at;
  const isLeftOut = (id: string, at: number) => discarded.some((ids, i) => i > at && ids?.has(id));
  const left = fragments.map(({ at, nodes, edges }) => ({
    at,
    edges,
    nodes: nodes.filter((node) => !isDropped('node', node.type, at) && !isLeftOut(node.id, at)),
  }));
  const came = new Map<string, number>();
  for (const { at, nodes } of left) for (const { id } of nodes) came.set(id, Math.min(at, came.get(id) ?? at));
  return left.map(({ at, nodes, edges }) => ({
    nodes,
    edges: edges.filter(
      ({ type, source_id, target_id }) => !isDropped('edge', type, Math.max(at, came.get(source_id) ?? at, came.get(target_id) ?? at)),
    ),
  }));
}

/** Counts by type, sorted by name. */
export function countByType(items: { type: string | null }[]): [string | null, number][] {
  const counts = new Map<string | null, number>();
  for (const item of items) counts.set(item.type, (counts.get(item.type) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a ?? '').localeCompare(b ?? ''));
}

/** The steps that leave only what is of a type. */
export const dropOthers = (kind: EntityKind, items: { type: string | null }[], kept: string): SimpleStep[] =>
  countByType(items).flatMap(([type]) => (type === kept ? [] : [{ do: 'drop', kind, type }]));
