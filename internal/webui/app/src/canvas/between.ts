// Which requests read the edges between the nodes on the canvas.
import type { EdgeType, Schema } from '../api/graph';

/** How many edges a request reads: the service's limit. */
export const maxEdges = 1000;
const maxRequests = 5; // they count against the user's limit

export interface EdgeRequests {
  /** The type of each request; undefined for all types. */
  types: (string | undefined)[];
  /** The edge types that are not read, because they have too many edges. */
  omitted: string[];
}

/** The requests for all edges between nodes of these types. */
export function edgeRequests(nodeTypes: ReadonlySet<string | null>, schema: Schema): EdgeRequests {
  const fits = (t: EdgeType) => (t.count ?? 0) <= maxEdges;
  // Of a type of which the user sees only some edges, the schema shows no connections.
  const connects = (t: EdgeType) => t.connections.some((c) => nodeTypes.has(c.source_type) && nodeTypes.has(c.target_type)) || (t.count === null && t.connections.length === 0);
  const connecting = schema.edge_types.filter(connects);
  const total = schema.edge_types.reduce((sum, t) => sum + (t.count ?? Infinity), 0);
  if (connecting.length > 1 && total <= maxEdges) return { types: [undefined], omitted: [] };
  const read = connecting.filter(fits).sort((a, b) => (a.count ?? maxEdges) - (b.count ?? maxEdges)).slice(0, maxRequests);
  return { types: read.map((t) => t.type), omitted: connecting.filter((t) => !read.includes(t)).map((t) => t.type) };
}
