// The properties of nodes that are on the canvas only as the ends of edges.
import type { GraphNode, Subgraph } from '../api/graph';
import { maxLimit } from '../api/limits';
import { Problem } from '../api/problem';
import type { CanvasContent } from './model';

/** How many requests may be sent for one export: they count against the user's limit. */
export const maxRequests = 100;

type ReadNeighbors = (id: string, query: { limit: number; edge_type?: string }) => Promise<Subgraph>;

/**
 * The nodes of the canvas with all properties. A request reads a node with its neighbors, so the nodes with the most incomplete
 * neighbors are read first. Nodes that have been deleted are left out. Throws a Problem if it would take too many requests.
 */
export async function completeNodes(content: CanvasContent, read: ReadNeighbors): Promise<GraphNode[]> {
  const wanted = new Set(content.nodes.filter((n) => n.partial).map((n) => n.id));
  const found = new Map<string, GraphNode>();
  const types = new Set(content.edges.map((e) => e.type));
  const edgeType = types.size === 1 ? { edge_type: [...types][0]! } : {};
  const neighbors = new Map(content.nodes.map((n) => [n.id, new Set([n.id])]));
  for (const edge of content.edges) {
    neighbors.get(edge.source_id)?.add(edge.target_id);
    neighbors.get(edge.target_id)?.add(edge.source_id);
  }
  for (let requests = 0; wanted.size > 0; requests++) {
    if (requests === maxRequests)
      throw new Problem(
        'TOO_MANY',
        `Reading the properties of these nodes takes more than ${maxRequests} requests; export their types in the table instead`,
        0,
      );
    let best = '';
    let maxCount = 0;
    for (const [id, around] of neighbors) {
      const count = [...around].filter((n) => wanted.has(n)).length;
      if (count > maxCount) [best, maxCount] = [id, count];
    }
    const answer = await read(best, { limit: maxLimit, ...edgeType }).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'NOT_FOUND') return { nodes: [], edges: [], truncated: false };
      throw error;
    });
    for (const node of answer.nodes) {
      found.set(node.id, node);
      wanted.delete(node.id);
    }
    if (!answer.truncated) for (const id of neighbors.get(best)!) wanted.delete(id); // deleted meanwhile
    wanted.delete(best);
    neighbors.delete(best);
  }
  return content.nodes.flatMap((n) => (n.partial ? (found.get(n.id) ?? []) : n));
}
