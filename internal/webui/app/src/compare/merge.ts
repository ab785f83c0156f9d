// Merging two nodes: the values that stay, and the edges that move.
import { getEdge, listNodeEdges, type Entity, type GraphEdge, type GraphNode, type PropertyChanges } from '../api/graph';
import { maxLimit } from '../api/limits';
import type { Operation } from '../changesets/operations';
import type { ProposedOperation } from '../changesets/proposal';
import { maxOperations } from '../explore/bulk';
import { edgeName } from '../explore/EntityName';
import { compareValues, type ComparedValue } from '../history/change';
import { sameValue } from '../values/draft';
import { captionOf, captionOrId } from '../values/text';

/** What is compared. */
export type Pair = [Entity, Entity];

export type Side = 'before' | 'after';
export const otherSide = (side: Side): Side => (side === 'before' ? 'after' : 'before');

/** The version that a property keeps: the chosen one, or else that of the node that stays, if it has one. */
export const keptSide = (value: ComparedValue, stays: Side, chosen: Side | undefined): Side =>
  chosen ?? (value[stays] === undefined ? otherSide(stays) : stays);

/** What changes of the node that stays. */
export function keptChanges(values: ComparedValue[], stays: Side, chosen: ReadonlyMap<string, Side>): PropertyChanges {
  return Object.fromEntries(
    values.flatMap((value) => {
      const kept = value[keptSide(value, stays, chosen.get(value.name))];
      return sameValue(kept, value[stays]) ? [] : [[value.name, kept ?? null]];
    }),
  );
}

interface Versioned {
  entity: GraphNode;
  etag: string;
}

export interface Merge {
  stays: Versioned;
  other: Versioned;
  change: PropertyChanges;
  /** The edges of the other node. */
  edges: GraphEdge[];
  /** The ETags of the edges, for a merge that is applied later. */
  edgeTags?: ReadonlyMap<string, string>;
}

/** The edges between the two nodes, which are deleted: they would begin and end at the same node. */
const betweenOf = ({ stays, edges }: Merge) => edges.filter((edge) => [edge.source_id, edge.target_id].includes(stays.entity.id));

export function countEdges(merge: Merge): { moved: number; between: number } {
  const between = betweenOf(merge).length;
  return { moved: merge.edges.length - between, between };
}

/**
 * The operations of a merge. Each edge of the other node is deleted by itself, so that the merge fails if the node has got another edge
 * meanwhile. The values come last: a unique one is free only when the other node is deleted. Without any, they check the node that stays.
 */
export function mergeOperations(merge: Merge): Operation[] {
  const { stays, other, change, edges, edgeTags } = merge;
  const between = new Set(betweenOf(merge));
  const end = (id: string) => (id === other.entity.id ? stays.entity.id : id);
  return [
    ...edges.map(({ id }): Operation => {
      const tag = edgeTags?.get(id);
      return { op: 'delete_edge', id, ...(tag === undefined ? {} : { if_match: tag }) };
    }),
    { op: 'delete_node', id: other.entity.id, detach: false, if_match: other.etag },
    ...edges
      .filter((edge) => !between.has(edge))
      .map(({ type, source_id, target_id, properties }): Operation => ({
        op: 'create_edge',
        type,
        source_id: end(source_id),
        target_id: end(target_id),
        properties,
      })),
    { op: 'update_node', id: stays.entity.id, properties: change, if_match: stays.etag },
  ];
}

/** The operations of a merge with what their rows show, to propose them. */
export function proposedMerge(merge: Merge): ProposedOperation[] {
  const { stays, other, edges } = merge;
  const byId = new Map(edges.map((edge) => [edge.id, edge]));
  const nameOfNode = ({ entity }: Versioned) => captionOf(entity.properties, entity.id);
  return mergeOperations(merge).map((operation): ProposedOperation => {
    if (operation.op === 'update_node')
      return { operation, name: nameOfNode(stays), type: stays.entity.type, before: { properties: stays.entity.properties } };
    if (operation.op === 'delete_node') return { operation, name: nameOfNode(other), type: other.entity.type };
    const edge = operation.op === 'delete_edge' ? byId.get(operation.id as string) : undefined;
    const type = edge?.type ?? ('type' in operation ? operation.type : null);
    const name = edge
      ? edgeName(type, captionOrId(edge.source?.caption, edge.source_id), captionOrId(edge.target?.caption, edge.target_id))
      : (type ?? '');
    return { operation, name, type };
  });
}

/** How many edges the other node may have: each is deleted and created, beside the operations on the two nodes. */
export const maxMergedEdges = (maxOperations - 2) / 2;

/** Reads the edges of a node; null if it has more than can be moved. */
export async function readMergedEdges(id: string, signal?: AbortSignal): Promise<GraphEdge[] | null> {
  const edges: GraphEdge[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { items, page } = await listNodeEdges(id, { limit: maxLimit, ends: 'caption', ...(cursor ? { cursor } : {}) }, signal);
    edges.push(...items);
    if (edges.length > maxMergedEdges) return null;
    cursor = page.next_cursor ?? null;
  }
  return edges;
}

/** How many edges are read at a time. */
const readsAtOnce = 8;

/** Reads the ETags of edges; null if one has other values than it had, or is gone. */
export async function readEdgeTags(edges: readonly GraphEdge[]): Promise<Map<string, string> | null> {
  const tags = new Map<string, string>();
  for (let at = 0; at < edges.length; at += readsAtOnce) {
    const before = edges.slice(at, at + readsAtOnce);
    const read = await Promise.all(before.map(({ id }) => getEdge(id)));
    if (
      !sameEdges(
        before,
        read.map(({ data }) => data),
      )
    )
      return null;
    for (const { data, etag } of read) tags.set(data.id, etag);
  }
  return tags;
}

/** Whether edges that are read again are those that were read before, with the same values. */
export function sameEdges(before: readonly GraphEdge[], now: readonly GraphEdge[]): boolean {
  const byId = new Map(now.map((edge) => [edge.id, edge]));
  return (
    before.length === now.length &&
    before.every(({ id, properties }) => {
      const edge = byId.get(id);
      return edge !== undefined && compareValues(properties, edge.properties).every(({ differs }) => !differs);
    })
  );
}
