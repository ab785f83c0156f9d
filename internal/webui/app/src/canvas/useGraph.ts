// The content of the canvas: the selection and the results of the steps.
import { keepPreviousData, useIsFetching, useQueries, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPath, maxAmong, type Subgraph } from '../api/graph';
import type { Row } from '../explore/lists';
import { fragmentOf, fragmentsOfRows, readAddition } from './additions';
import { betweenOptions } from './between';
import { degreeOptions, expandNode } from './expansion';
import { groupNeighbors, type CutExpansion, type Drawing } from './groups';
import { hiddenNodes, mergeFragments, withoutDropped, type Fragment, type CanvasContent } from './model';
import { isSuperseded, parseSteps, serializeSteps, simpleSteps, type SimpleStep } from './steps';

export interface Graph extends CanvasContent {
  /** The content with marks instead of grouped nodes. */
  drawing: Drawing;
  /** How many rows the selection has so far. */
  rows: number;
  loading: boolean;
  error: unknown;
  /** Whether there are more edges between the nodes than were read. */
  truncated: boolean;
  /** Whether a list or an answer that was added has more rows than were read. */
  cutAddition: boolean;
  /** Whether a request of the canvas runs. */
  fetching: boolean;
  /** The steps whose results have not been loaded. */
  pendingSteps: SimpleStep[];
  /** The ids of the elements on the canvas that make up the path found last. */
  path: string[];
  /** Aborts the requests of the canvas. */
  cancel: () => void;
}

/** The requests of the canvas: edges between the nodes of the selection, expansions, and paths. */
const ofCanvas = {
  predicate: ({ queryKey: [first, , third] }: Query) =>
    (first === 'list' && third === 'between') || (first === 'node-edges' && (third === 'path' || third === 'expansion')),
};

/** complete: no more rows of the address are being loaded. */
export function useGraph(rows: Row[], complete: boolean, stepsText: string): Graph {
  const queries = useQueryClient();
  const steps = useMemo(() => simpleSteps(parseSteps(stepsText)), [stepsText]);
  const initial = useMemo<Fragment>(() => fragmentOf(rows), [rows]);

  const additions = steps.filter((s) => s.do === 'path' || s.do === 'expand' || s.do === 'add');
  const expansions = useQueries({
    queries: additions.map((s) =>
      s.do === 'path'
        ? {
            queryKey: ['node-edges', s.id, 'path', s.to],
            queryFn: ({ signal }: { signal: AbortSignal }): Promise<Subgraph> => findPath(s.id, s.to, signal),
          }
        : s.do === 'add'
          ? {
              queryKey: ['node-edges', serializeSteps([s]), 'expansion'],
              queryFn: ({ signal }: { signal: AbortSignal }): Promise<Subgraph> => readAddition(queries, s, signal),
            }
          : {
              queryKey: ['node-edges', s.id, 'expansion', s.direction, s.type, ...(s.limit === undefined ? [] : [s.limit, s.nodeType])],
              queryFn: ({ signal }: { signal: AbortSignal }): Promise<Subgraph> => expandNode(s, signal),
              // What was read stays while more is read; a link reads all at once.
              enabled: !isSuperseded(s, additions),
            },
    ),
  });
  // An expansion that was cut leaves the others to a mark, which has their count.
  const cut = additions.flatMap((step, i) => (step.do === 'expand' && expansions[i]?.data?.truncated ? [step] : []));
  const hubs = [...new Set(cut.map((step) => step.id))];
  const degrees = useQueries({ queries: hubs.map(degreeOptions) });
  const fetching = useIsFetching(ofCanvas) > 0;

  // A graph of edges shows these and no others, unless something was added; a single node has no edges to others.
  const shown = [...new Set([initial, ...expansions.flatMap((f) => f.data ?? [])].flatMap((f) => f.nodes.map((n) => n.id)))].slice(
    0,
    maxAmong,
  );
  const isOfNodes = initial.edges.length === 0 || steps.some((s) => s.do === 'add');
  const between = useQuery({
    ...betweenOptions(shown),
    enabled: complete && isOfNodes && shown.length > 1 && !expansions.some((f) => f.isLoading),
    placeholderData: keepPreviousData,
  });

  const insideEdges = (isOfNodes && between.data?.pages.flatMap((p) => p.items)) || [];
  const read = [
    ...fragmentsOfRows(rows, steps),
    ...expansions.map((f, i) => ({ at: steps.indexOf(additions[i]!), nodes: f.data?.nodes ?? [], edges: f.data?.edges ?? [] })),
    { at: -1, nodes: [], edges: insideEdges },
  ];
  const hidden = hiddenNodes(read, steps);
  const fragments: Fragment[] = withoutDropped(read, steps);
  const signature = JSON.stringify([
    rows.length,
    rows[0]?.id,
    between.data && between.dataUpdatedAt,
    insideEdges.length,
    stepsText,
    [...expansions, ...degrees].map((f) => f.dataUpdatedAt),
  ]);
  const { content, drawing } = useMemo(() => {
    const merged = mergeFragments(fragments, hidden);
    const known = hidden.size === 0 ? merged : mergeFragments(fragments, new Set());
    const cuts = cut.flatMap((step): CutExpansion[] => {
      const degree = degrees[hubs.indexOf(step.id)]?.data;
      return degree ? [{ step, degree }] : [];
    });
    return { content: merged, drawing: groupNeighbors(merged, known, steps, cuts) };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the signature changes with the fragments
  }, [signature, initial]);
  const lastPath = additions.findLastIndex((s) => s.do === 'path');
  const found = expansions[lastPath]?.data;
  const path = useMemo(() => (found ? [...found.nodes.map((n) => n.id), ...found.edges.map((e) => `edge ${e.id}`)] : []), [found]);
  return {
    ...content,
    drawing,
    path,
    rows: rows.length,
    loading: !complete || between.isLoading || between.isPlaceholderData || expansions.some((f) => f.isLoading),
    error: expansions.find((f) => f.isError)?.error ?? between.error,
    truncated: between.data?.pages.some((p) => p.page.has_more) ?? false,
    cutAddition: additions.some((step, i) => step.do === 'add' && expansions[i]?.data?.truncated),
    fetching,
    pendingSteps: additions.filter((step, i) => expansions[i]?.isPending && !isSuperseded(step, additions)),
    cancel: () => void queries.cancelQueries(ofCanvas),
  };
}
