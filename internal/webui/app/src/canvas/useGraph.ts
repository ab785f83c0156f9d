// The content of the canvas: the selection and the results of the steps.
import { useIsFetching, useQueries, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPath, listEdges, type EdgeEnd, type GraphEdge, type GraphNode, type Schema } from '../api/graph';
import type { Row } from '../explore/lists';
import { expandNode } from './expansion';
import { mergeFragments, type Fragment, type CanvasContent } from './model';
import { parseSteps, type Step } from './steps';

const maxEdges = 1000;

/** The nodes that are known only as the ends of edges. */
function endNodes(edges: GraphEdge[]): GraphNode[] {
  const nodeAt = (id: string, end: EdgeEnd | undefined): GraphNode => {
    const type = end?.type ?? null;
    return { id, type, labels: type === null ? [] : [type], properties: {}, partial: { caption: end?.caption ?? null } };
  };
  return edges.flatMap((e) => [nodeAt(e.source_id, e.source), nodeAt(e.target_id, e.target)]);
}

/** Returns the query for all edges between nodes of these types, or null if one request cannot read them. */
function edgeQueryFor(types: ReadonlySet<string | null>, schema: Schema): { type: string | undefined } | null {
  const edgeQuery = schema.edge_types.filter((t) => t.connections.some((c) => types.has(c.source_type) && types.has(c.target_type)));
  if (edgeQuery.length === 0) return null;
  if (edgeQuery.length === 1) return (edgeQuery[0]!.count ?? Infinity) <= maxEdges ? { type: edgeQuery[0]!.type } : null;
  return schema.edge_types.reduce((sum, t) => sum + (t.count ?? Infinity), 0) <= maxEdges ? { type: undefined } : null;
}

export interface Graph extends CanvasContent {
  loading: boolean;
  error: unknown;
  /** Whether edges are shown only after expansions, because one request cannot read them all. */
  edgesOnExpansion: boolean;
  /** Whether a request of the canvas runs. */
  fetching: boolean;
  /** The steps whose results have not been loaded. */
  pendingSteps: Step[];
  /** Aborts the requests of the canvas. */
  cancel: () => void;
}

/** The requests of the canvas: edges between the nodes of the selection, expansions, and paths. */
const ofCanvas = {
  predicate: ({ queryKey: [first, , third] }: Query) => (first === 'list' && third === 'between') || (first === 'node-edges' && (third === 'path' || third === 'expansion')),
};

export function useGraph(rows: Row[], schema: Schema, stepsText: string): Graph {
  const queries = useQueryClient();
  const steps = useMemo(() => parseSteps(stepsText), [stepsText]);
  const initial = useMemo<Fragment>(() => {
    const edges = rows.filter((row): row is GraphEdge => 'source_id' in row);
    return edges.length > 0 ? { nodes: endNodes(edges), edges } : { nodes: rows as GraphNode[], edges: [] };
  }, [rows]);

  const types = useMemo(() => new Set(initial.nodes.map((n) => n.type)), [initial]);
  const between = useMemo(() => (initial.edges.length > 0 || initial.nodes.length === 0 ? null : edgeQueryFor(types, schema)), [initial, types, schema]);
  const edgeList = useQuery({
    queryKey: ['list', 'edge', 'between', between?.type ?? null],
    queryFn: async ({ signal }) => ({ pages: [await listEdges({ type: between?.type, limit: maxEdges }, signal)], pageParams: [''] }),
    enabled: between !== null,
  });

  const additions = steps.filter((s) => s.do !== 'hide');
  const expansions = useQueries({
    queries: additions.map((s) =>
      s.do === 'path'
        ? { queryKey: ['node-edges', s.id, 'path', s.to], queryFn: ({ signal }) => findPath(s.id, s.to, signal) }
        : { queryKey: ['node-edges', s.id, 'expansion', s.direction, s.type], queryFn: ({ signal }) => expandNode(s.id, s.direction, s.type, signal) },
    ),
  });
  const fetching = useIsFetching(ofCanvas) > 0;

  const hidden = new Set(steps.filter((s) => s.do === 'hide').map((s) => s.id));
  const insideEdges = edgeList.data?.pages.flatMap((p) => p.items) ?? [];
  const fragments: Fragment[] = [initial, { nodes: [], edges: insideEdges }, ...expansions.map((f): Fragment => f.data ?? { nodes: [], edges: [] })];
  // Both ends of an edge may be on the canvas only after an expansion.
  fragments.push({ nodes: [], edges: insideEdges });
  const signature = JSON.stringify([rows.length, rows[0]?.id, edgeList.dataUpdatedAt, stepsText, expansions.map((f) => f.dataUpdatedAt)]);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the signature changes with the fragments
  const content = useMemo(() => mergeFragments(fragments, hidden), [signature, initial]);
  return {
    ...content,
    loading: edgeList.isLoading || expansions.some((f) => f.isLoading),
    error: expansions.find((f) => f.isError)?.error ?? edgeList.error,
    edgesOnExpansion: between === null && initial.edges.length === 0 && steps.length === 0,
    fetching,
    pendingSteps: additions.filter((_, i) => expansions[i]?.isPending),
    cancel: () => void queries.cancelQueries(ofCanvas),
  };
}
