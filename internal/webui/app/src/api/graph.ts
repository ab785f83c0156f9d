// Nodes, edges and the schema: the calls of the API, with values as in values/value.ts.
import type { Properties, Value } from '../values/value';
import { unwrap, client, type ApiResult } from './client';
import { integerOf } from './json';
import type { components } from './openapi';

type Schemas = components['schemas'];

export interface GraphNode {
  id: string;
  type: string | null;
  labels: string[];
  properties: Properties;
  /** Set if only an edge's end is known of the node: its caption, and no properties. */
  partial?: { caption: string | null };
}
export interface GraphEdge {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  /** The ends' types and captions, in reads that ask for them. */
  source?: EdgeEnd;
  target?: EdgeEnd;
  properties: Properties;
}
export type EdgeEnd = Schemas['EdgeEnd'];
export type Schema = Schemas['Schema'];
export type NodeType = Schemas['NodeType'];
export type EdgeType = Schemas['EdgeType'];
export type PropertyUse = Schemas['Property'];
export type PageInfo = Schemas['PageInfo'];
export type Direction = 'out' | 'in' | 'both';

/** Changed properties; null removes a property. */
export type PropertyChanges = Record<string, Value | null>;

export interface Page<T> {
  items: T[];
  page: PageInfo;
}

export type EntityKind = 'node' | 'edge';
/** An entity with its ETag; the ETag is empty if the entity is only known from the row of a list. */
export type Entity = { kind: 'node'; entity: GraphNode; etag: string } | { kind: 'edge'; entity: GraphEdge; etag: string };

// The generated types declare integers as numbers; the client's parser returns bigints. The casts are in this file only.
const asNode = (wire: unknown) => wire as GraphNode;
const asEdge = (wire: unknown) => wire as GraphEdge;
const asChangedProperties = (properties: PropertyChanges) => properties as Schemas['ChangedProperties'];
const asNewProperties = (properties: Properties) => properties as Schemas['NewProperties'];

/** For what is shown before the schema is read, or without it. */
export const emptySchema: Schema = { as_of: '', id_property: 'uuid', node_types: [], edge_types: [], indexes: [], constraints: [] };

export async function getSchema(): Promise<Schema> {
  return (await unwrap(client.GET('/api/schema'))).data.data;
}

export interface ListQuery {
  type?: string;
  cursor?: string;
  limit?: number;
  sort?: string;
  /** exact: the page has the total. */
  count?: 'exact';
  /** The properties to read, as a JSON array. */
  fields?: string;
  /** Parameters such as filter[born][gte:integer], from explore/filters.ts. */
  filters?: [string, string][];
}

/** Serializes a query. A name in brackets may contain any character, which the client's default serializer does not support. */
export const serializeQuery = (filters: [string, string][]) => (query: Record<string, unknown>) => {
  const params = new URLSearchParams(filters);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.append(key, String(value));
  return params.toString();
};

export async function listNodes({ filters = [], ...query }: ListQuery, signal?: AbortSignal): Promise<Page<GraphNode>> {
  const { data } = await unwrap(client.GET('/api/nodes', { params: { query }, querySerializer: serializeQuery(filters), signal }));
  return { items: data.data.map(asNode), page: data.meta.page };
}

export async function listEdges(
  { filters = [], ...query }: ListQuery & { source_id?: string; target_id?: string; node_id?: string; ends?: 'caption' },
  signal?: AbortSignal,
): Promise<Page<GraphEdge>> {
  const { data } = await unwrap(client.GET('/api/edges', { params: { query }, querySerializer: serializeQuery(filters), signal }));
  return { items: data.data.map(asEdge), page: data.meta.page };
}

/** How many nodes listEdgesAmong accepts. */
export const maxAmong = 2000;

/** Returns the edges whose both ends are among the nodes, as a page that has more if there are more than the limit. */
export async function listEdgesAmong(ids: string[], limit: number, signal?: AbortSignal): Promise<Page<GraphEdge>> {
  const { data } = await unwrap(client.POST('/api/edges/among', { body: { ids, limit: integerOf(limit) }, signal }));
  return { items: data.data.map(asEdge), page: { limit, offset: 0, has_more: data.meta.truncated, next_cursor: null } };
}

export async function listNodeEdges(
  node_id: string,
  query: ListQuery & { direction?: Direction; count?: 'exact'; ends?: 'caption' },
  signal?: AbortSignal,
): Promise<Page<GraphEdge>> {
  const { data } = await unwrap(client.GET('/api/nodes/{node_id}/edges', { params: { path: { node_id }, query }, signal }));
  return { items: data.data.map(asEdge), page: data.meta.page };
}

export type Degree = Schemas['Degree'];

/** A part of the graph; contains each entity once. */
export interface Subgraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  truncated: boolean;
}

export async function getDegree(node_id: string, signal?: AbortSignal): Promise<Degree> {
  return (await unwrap(client.GET('/api/nodes/{node_id}/degree', { params: { path: { node_id } }, signal }))).data.data;
}

export async function getNeighbors(
  node_id: string,
  query: { direction?: Direction; edge_type?: string; node_type?: string; limit?: number },
  signal?: AbortSignal,
): Promise<Subgraph> {
  const { data } = (await unwrap(client.GET('/api/nodes/{node_id}/neighbors', { params: { path: { node_id }, query }, signal }))).data;
  return { nodes: data.nodes.map(asNode), edges: data.edges.map(asEdge), truncated: data.truncated };
}

/** Returns one of the shortest paths, or an empty subgraph if there is none. */
export async function findPath(source_id: string, target_id: string, signal?: AbortSignal): Promise<Subgraph> {
  const { data } = (await unwrap(client.GET('/api/paths', { params: { query: { source_id, target_id } }, signal }))).data;
  return { nodes: data.nodes.map(asNode), edges: data.edges.map(asEdge), truncated: data.truncated };
}

export async function getNode(node_id: string, signal?: AbortSignal): Promise<ApiResult<GraphNode>> {
  const result = await unwrap(client.GET('/api/nodes/{node_id}', { params: { path: { node_id } }, signal }));
  return { ...result, data: asNode(result.data.data) };
}

export async function getEdge(id: string, signal?: AbortSignal): Promise<ApiResult<GraphEdge>> {
  const result = await unwrap(client.GET('/api/edges/{id}', { params: { path: { id }, query: { ends: 'caption' } }, signal }));
  return { ...result, data: asEdge(result.data.data) };
}

export async function getEntity(kind: EntityKind, id: string, signal?: AbortSignal): Promise<Entity> {
  if (kind === 'node') {
    const { data, etag } = await getNode(id, signal);
    return { kind, entity: data, etag };
  }
  const { data, etag } = await getEdge(id, signal);
  return { kind, entity: data, etag };
}

// A new key for every create: a request that is sent twice creates one entity.
// getRandomValues also works on plain http, unlike randomUUID.
export const idempotencyHeader = () => ({
  'Idempotency-Key': Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join(''),
});

export async function createNode(type: string, properties: Properties): Promise<ApiResult<GraphNode>> {
  const result = await unwrap(
    client.POST('/api/nodes', { params: { header: idempotencyHeader() }, body: { type, properties: asNewProperties(properties) } }),
  );
  return { ...result, data: asNode(result.data.data) };
}

export async function createEdge(
  type: string,
  source_id: string,
  target_id: string,
  properties: Properties,
): Promise<ApiResult<GraphEdge>> {
  const body = { type, source_id, target_id, properties: asNewProperties(properties) };
  const result = await unwrap(client.POST('/api/edges', { params: { header: idempotencyHeader() }, body }));
  return { ...result, data: asEdge(result.data.data) };
}

export interface Updated {
  entity: Entity;
  requestId: string;
}

export async function updateEntity(kind: EntityKind, id: string, change: PropertyChanges, etag: string): Promise<Updated> {
  const header = { 'If-Match': etag };
  if (kind === 'node') {
    const result = await unwrap(
      client.PUT('/api/nodes/{node_id}', { params: { path: { node_id: id }, header }, body: { properties: asChangedProperties(change) } }),
    );
    return { entity: { kind, entity: asNode(result.data.data), etag: result.etag }, requestId: result.requestId };
  }
  const result = await unwrap(
    client.PUT('/api/edges/{id}', { params: { path: { id }, header }, body: { properties: asChangedProperties(change) } }),
  );
  return { entity: { kind, entity: asEdge(result.data.data), etag: result.etag }, requestId: result.requestId };
}

export interface DeleteResult {
  /** How many edges were deleted with a node. */
  deletedEdges: number;
  requestId: string;
}

export async function deleteEntity(kind: EntityKind, id: string, etag?: string): Promise<DeleteResult> {
  const header = etag ? { 'If-Match': etag } : {};
  if (kind === 'node') {
    const result = await unwrap(
      client.DELETE('/api/nodes/{node_id}', { params: { path: { node_id: id }, query: { detach: true }, header } }),
    );
    return { deletedEdges: result.data.data.deleted_edges, requestId: result.requestId };
  }
  const { requestId } = await unwrap(client.DELETE('/api/edges/{id}', { params: { path: { id }, header } }));
  return { deletedEdges: 0, requestId };
}
