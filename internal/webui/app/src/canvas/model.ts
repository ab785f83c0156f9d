// Which nodes and edges the canvas shows.
import type { GraphEdge, GraphNode } from '../api/graph';

export interface Fragment {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface CanvasContent {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Elements that were left out because the canvas is full. */
  omitted: number;
}

/** More than this many nodes and edges together cannot be told from each other, and slow the canvas down. */
export const capacity = 2000;

/**
 * Puts fragments together, each entity once, without the hidden nodes and without edges that lack an end. The first
 * fragments have the first claim on the room.
 */
export function mergeFragments(fragments: Fragment[], hidden: ReadonlySet<string>): CanvasContent {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  let omitted = 0;
  for (const fragment of fragments) {
    for (const node of fragment.nodes) {
      if (hidden.has(node.id)) continue;
      // What is known in full replaces what was only known as the end of an edge.
      if (nodes.has(node.id) && node.type === null) continue;
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

/** Counts by type, in the order of names. */
export function countByType(items: { type: string | null }[]): [string | null, number][] {
  const counts = new Map<string | null, number>();
  for (const item of items) counts.set(item.type, (counts.get(item.type) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a ?? '').localeCompare(b ?? ''));
}
