// The content of the canvas: the selection and the results of the steps.
import { useIsFetching, useQueries, useQueryClient, type Query } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPath, listEdges, type EdgeEnd, type GraphEdge, type GraphNode, type Schema } from '../api/graph';
import type { Row } from '../explore/lists';
import { edgeRequests, maxEdges } from './between';
import { expandNode } from './expansion';
import { mergeFragments, type Fragment, type CanvasContent } from './model';
import { parseSteps, type Step } from './steps';

/** The nodes that are known only as the ends of edges. */
function endNodes(edges: GraphEdge[]): GraphNode[] {
  const nodeAt = (id: string, end: EdgeEnd | undefined): GraphNode => {
    const type = end?.type ?? null;
    return { id, type, labels: type === null ? [] : [type], properties: {}, partial: { caption: end?.caption ?? null } };
  };
  return edges.flatMap((e) => [nodeAt(e.source_id, e.source), nodeAt(e.target_id, e.target)]);
}

export interface Graph extends CanvasContent {
  loading: boolean;
  error: unknown;
  /** The edge types whose edges are shown only after expansions, because there are too many to read. */
  omittedTypes: string[];
  /** Whether a request of the canvas runs. */
  fetching: boolean;
  /** The steps whose results have not been loaded. */
  pendingSteps: Step[];
  /** The ids of the elements on the canvas that make up the path found last. */
  path: string[];
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
  // A single node has no edges to others.
  const between = useMemo(() => (initial.edges.length > 0 || initial.nodes.length < 2 ? { types: [], omitted: [] } : edgeRequests(types, schema)), [initial, types, schema]);
  const edgeLists = useQueries({
    queries: between.types.map((type) => ({
      queryKey: ['list', 'edge', 'between', type ?? null],
      queryFn: async ({ signal }: { signal: AbortSignal }) => ({ pages: [await listEdges({ type, limit: maxEdges }, signal)], pageParams: [''] }),
    })),
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
  const insideEdges = edgeLists.flatMap((list) => list.data?.pages.flatMap((p) => p.items) ?? []);
  const incomplete = between.types.filter((_, i) => edgeLists[i]?.data?.pages.some((p) => p.page.has_more));
  const fragments: Fragment[] = [initial, { nodes: [], edges: insideEdges }, ...expansions.map((f): Fragment => f.data ?? { nodes: [], edges: [] })];
  // Both ends of an edge may be on the canvas only after an expansion.
  fragments.push({ nodes: [], edges: insideEdges });
  const signature = JSON.stringify([rows.length, rows[0]?.id, edgeLists.map((list) => list.dataUpdatedAt), stepsText, expansions.map((f) => f.dataUpdatedAt)]);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the signature changes with the fragments
  const content = useMemo(() => mergeFragments(fragments, hidden), [signature, initial]);
  const lastPath = additions.findLastIndex((s) => s.do === 'path');
  const found = expansions[lastPath]?.data;
  const path = useMemo(() => (found ? [...found.nodes.map((n) => n.id), ...found.edges.map((e) => `edge ${e.id}`)] : []), [found]);
  return {
    ...content,
    path,
    loading: edgeLists.some((list) => list.isLoading) || expansions.some((f) => f.isLoading),
    error: expansions.find((f) => f.isError)?.error ?? edgeLists.find((list) => list.isError)?.error,
    omittedTypes: [...between.omitted, ...incomplete.filter((type) => type !== undefined)],
    fetching,
    pendingSteps: additions.filter((_, i) => expansions[i]?.isPending),
    cancel: () => void queries.cancelQueries(ofCanvas),
  };
}
