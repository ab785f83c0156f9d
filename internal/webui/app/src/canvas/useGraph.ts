// The graph that a selection and the steps on it lead to.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPath, listEdges, type GraphEdge, type GraphNode, type Schema } from '../api/graph';
import type { Row } from '../explore/lists';
import { expand } from './expansion';
import { compose, type Fragment, type Picture } from './model';
import { readSteps } from './steps';

const edgesAtOnce = 1000;

/** Nodes that are known as ends of edges only: their type where the schema leaves no doubt. */
function endsOf(edges: GraphEdge[], schema: Schema): GraphNode[] {
  const only = (edge: string, side: 'source_type' | 'target_type') => {
    const types = new Set(schema.edge_types.find((t) => t.type === edge)?.connections.map((c) => c[side]));
    return types.size === 1 ? [...types][0]! : null;
  };
  const bare = (id: string, type: string | null): GraphNode => ({ id, type, labels: type === null ? [] : [type], properties: {} });
  return edges.flatMap((e) => [bare(e.source_id, only(e.type, 'source_type')), bare(e.target_id, only(e.type, 'target_type'))]);
}

/** Whether one request can read all edges that may lie between nodes of these types. */
function readable(types: ReadonlySet<string | null>, schema: Schema): { type: string | undefined } | null {
  const between = schema.edge_types.filter((t) => t.connections.some((c) => types.has(c.source_type) && types.has(c.target_type)));
  if (between.length === 0) return null;
  if (between.length === 1) return between[0]!.count <= edgesAtOnce ? { type: between[0]!.type } : null;
  return schema.edge_types.reduce((sum, t) => sum + t.count, 0) <= edgesAtOnce ? { type: undefined } : null;
}

export interface Graph extends Picture {
  loading: boolean;
  error: unknown;
  /** Whether edges between the selected nodes are left to expansions, because there are too many to read. */
  bare: boolean;
}

export function useGraph(rows: Row[], schema: Schema, stepsText: string): Graph {
  const steps = useMemo(() => readSteps(stepsText), [stepsText]);
  const seed = useMemo<Fragment>(() => {
    const edges = rows.filter((row): row is GraphEdge => 'source_id' in row);
    return edges.length > 0 ? { nodes: endsOf(edges, schema), edges } : { nodes: rows as GraphNode[], edges: [] };
  }, [rows, schema]);

  const types = useMemo(() => new Set(seed.nodes.map((n) => n.type)), [seed]);
  const between = useMemo(() => (seed.edges.length > 0 || seed.nodes.length === 0 ? null : readable(types, schema)), [seed, types, schema]);
  const inside = useQuery({
    queryKey: ['list', 'edge', 'between', between?.type ?? null],
    queryFn: async ({ signal }) => ({ pages: [await listEdges({ type: between?.type, limit: edgesAtOnce }, signal)], pageParams: [''] }),
    enabled: between !== null,
  });

  const found = useQueries({
    queries: steps
      .filter((s) => s.do !== 'hide')
      .map((s) =>
        s.do === 'path'
          ? { queryKey: ['node-edges', s.id, 'path', s.to], queryFn: () => findPath(s.id, s.to) }
          : { queryKey: ['node-edges', s.id, 'expansion', s.direction, s.type], queryFn: () => expand(s.id, s.direction, s.type) },
      ),
  });

  const hidden = new Set(steps.filter((s) => s.do === 'hide').map((s) => s.id));
  const insideEdges = inside.data?.pages.flatMap((p) => p.items) ?? [];
  const fragments: Fragment[] = [seed, { nodes: [], edges: insideEdges }, ...found.map((f): Fragment => f.data ?? { nodes: [], edges: [] })];
  // Edges read early may have both their ends on the canvas only after an expansion.
  fragments.push({ nodes: [], edges: insideEdges });
  const signature = JSON.stringify([rows.length, rows[0]?.id, inside.dataUpdatedAt, stepsText, found.map((f) => f.dataUpdatedAt)]);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the signature stands for the fragments
  const picture = useMemo(() => compose(fragments, hidden), [signature, seed]);
  return {
    ...picture,
    loading: (inside.isPending && between !== null) || found.some((f) => f.isPending),
    error: found.find((f) => f.isError)?.error ?? inside.error,
    bare: between === null && seed.edges.length === 0 && steps.length === 0,
  };
}
