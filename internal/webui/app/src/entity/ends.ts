// Which node types an edge type connects: what its declaration allows, and what was observed.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getNode, type Entity, type GraphNode, type Schema } from '../api/graph';
import { newNodes, useProposal } from '../changesets/proposal';
import { usePermissions } from '../session/session';

export type End = 'source' | 'target';

export interface EndTypes {
  /** Empty for any. */
  types: string[];
  /** Whether the service refuses others. */
  declared: boolean;
}

/** The types of the nodes at an end of edges of a type. */
export function endTypesOf(schema: Schema, edgeType: string, end: End): EndTypes {
  const type = schema.edge_types.find((t) => t.type === edgeType);
  const declared = type?.declared?.level === 'none' ? [] : (type?.declared?.[`${end}_types`] ?? []);
  if (declared.length > 0) return { types: declared, declared: true };
  const observed = (type?.connections ?? []).flatMap((c) => c[`${end}_type`] ?? []);
  return { types: [...new Set(observed)].sort(), declared: false };
}

/** What a node with these labels at an end violates: an error if the service would refuse it, or else a warning. */
export function checkEnd(schema: Schema, edgeType: string, end: End, labels: string[] | undefined): { error?: string; warning?: string } {
  const { types, declared } = endTypesOf(schema, edgeType, end);
  if (labels === undefined || types.length === 0 || labels.some((label) => types.includes(label))) return {};
  if (declared) return { error: `must be a node of type ${types.join(' or ')}` };
  const side = end === 'source' ? 'start at' : 'end at';
  return { warning: `So far, edges of type ${edgeType} ${side} nodes of type ${types.join(', ')} only.` };
}

/** The edge type that connects the nodes, as far as their labels are known; the first one if no type does. */
export function likelyEdgeType(schema: Schema, source: string[] | undefined, target: string[] | undefined): string {
  const fits = (type: string, end: End, labels: string[] | undefined) => {
    const { types } = endTypesOf(schema, type, end);
    return labels === undefined || labels.some((label) => types.includes(label));
  };
  const names = schema.edge_types.map((t) => t.type);
  return names.find((type) => fits(type, 'source', source) && fits(type, 'target', target)) ?? names[0] ?? '';
}

/** The node at an end, which may be a proposed one; undefined while it is not known, or if the user may not read it. */
export function useEndNode(id: string): GraphNode | undefined {
  const queries = useQueryClient();
  const may = usePermissions();
  const { active, items } = useProposal();
  const proposed = active ? newNodes(items).get(id) : undefined;
  const opened = queries.getQueryData<Entity>(['entity', 'node', id]);
  const read = useQuery({
    queryKey: ['pick-node', id],
    queryFn: async ({ signal }) => (await getNode(id, signal)).data,
    ...(opened?.kind === 'node' ? { initialData: opened.entity } : {}),
    enabled: may.node.read && id !== '' && !proposed,
  });
  if (id === '') return undefined;
  if (proposed)
    return { id, type: proposed.type, labels: proposed.type ? [proposed.type] : [], properties: {}, partial: { caption: proposed.name } };
  return read.data;
}
