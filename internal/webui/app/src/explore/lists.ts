// The lists of tables and the canvas, loaded page by page, and how changes update them.
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { filterParam, type Condition } from './filters';
import {
  getNode,
  listEdges,
  listNodes,
  type Entity,
  type EntityKind,
  type GraphEdge,
  type GraphNode,
  type Page,
  type PageInfo,
} from '../api/graph';
import { maxLimit } from '../api/limits';

export type Row = GraphNode | GraphEdge;

// The first page is small, so that it loads fast; later pages are large, to save requests.
export const firstPageSize = 100;
const laterPageSizes = [500, maxLimit] as const;
// How many pages of a list stay in the cache when it is not shown or is refetched: each page costs a request then.
const keptPages = 3;

export interface Selection {
  kind: EntityKind;
  type: string | null;
  conditions: Condition[];
  sort: string;
  /** The id of a node that is listed alone, to start a graph from it. */
  start?: string;
  /** The id of a node, to list only the edges that begin or end at it. */
  end?: string;
  /** How many rows are shown at once; the first page has them if it can. */
  rows?: number;
  /** The properties to read; all if it is missing or null. */
  fields?: string[] | null;
}

const listKey = (of: Selection) =>
  ['list', of.kind, of.type, of.conditions.map(filterParam), of.sort, of.start ?? '', of.fields ?? null, of.end ?? ''] as const;

const endOf = ({ end }: Pick<Selection, 'end'>) => (end ? { node_id: end } : {});

interface PageParam {
  cursor: string;
  limit: number;
}

export async function readPage(of: Selection, { cursor, limit }: PageParam, signal: AbortSignal): Promise<Page<Row>> {
  if (of.start)
    return { items: [(await getNode(of.start, signal)).data], page: { has_more: false, limit: 1, next_cursor: null } as PageInfo };
  const query = {
    type: of.type ?? undefined,
    limit,
    filters: of.conditions.map(filterParam),
    ...(of.sort ? { sort: of.sort } : {}),
    ...(of.fields ? { fields: JSON.stringify(of.fields) } : {}),
    ...(cursor ? { cursor } : {}),
  };
  return of.kind === 'node' ? listNodes(query, signal) : listEdges({ ...query, ...endOf(of), ends: 'caption' }, signal);
}

export function listOptions(of: Selection) {
  return infiniteQueryOptions({
    queryKey: listKey(of),
    queryFn: ({ pageParam, signal }) => readPage(of, pageParam, signal),
    initialPageParam: { cursor: '', limit: Math.max(firstPageSize, Math.min(of.rows ?? 0, maxLimit)) } as PageParam,
    getNextPageParam: (last, all) => {
      if (last.page.next_cursor == null) return undefined;
      const missing = (of.rows ?? 0) - all.reduce((sum, page) => sum + page.items.length, 0);
      return { cursor: last.page.next_cursor, limit: Math.max(laterPageSizes[all.length - 1] ?? maxLimit, Math.min(missing, maxLimit)) };
    },
    // Structural sharing would compare all rows again for every page.
    structuralSharing: false,
    // While another order or filter is loaded, the rows of the previous one stay.
    placeholderData: (previous, query) =>
      query && query.queryKey[1] === of.kind && query.queryKey[2] === of.type && query.queryKey[5] === (of.start ?? '')
        ? previous
        : undefined,
  });
}

export function useList(of: Selection, enabled = true) {
  const queries = useQueryClient();
  const queryKey = listKey(of);
  const name = JSON.stringify(queryKey);
  useEffect(() => () => trimPages(queries, JSON.parse(name) as unknown[]), [queries, name]);
  // The list is passed to components that are loaded later: what only they read must render this component again, too.
  return useInfiniteQuery({ ...listOptions(of), enabled, notifyOnChangeProps: 'all' });
}

/** How many entities a list has, once it is asked for: counting may read all of them. */
export function useExactCount({ kind, type, conditions, end }: Selection, enabled: boolean) {
  const filters = conditions.map(filterParam);
  return useQuery({
    queryKey: ['count', kind, type, filters, end ?? ''],
    queryFn: async ({ signal }) => {
      const query = { type: type ?? undefined, filters, limit: 1, count: 'exact' } as const;
      return (await (kind === 'node' ? listNodes(query, signal) : listEdges({ ...query, ...endOf({ end }) }, signal))).page.total ?? null;
    },
    enabled,
  });
}

/** Aborts the running request of a list. The list keeps the rows that it had before. */
export function cancelList(queries: QueryClient, of: Selection) {
  void queries.cancelQueries({ queryKey: listKey(of), exact: true });
}

export type Pages = InfiniteData<Page<Row>, PageParam>;

/** Removes the later pages of all lists whose keys start with the given key. */
function trimPages(queries: QueryClient, queryKey: readonly unknown[]) {
  queries.setQueriesData<Pages>({ queryKey }, (data) => {
    if (!data || data.pages.length <= keptPages) return data;
    return { pages: data.pages.slice(0, keptPages), pageParams: data.pageParams.slice(0, keptPages) };
  });
}

/** Refetches the first pages of lists, each with few requests. */
export function refetchLists(queries: QueryClient, kind?: EntityKind) {
  const queryKey = kind ? ['list', kind] : ['list'];
  trimPages(queries, queryKey);
  void queries.invalidateQueries({ queryKey });
  refetchLinked(queries);
}

/** Refetches what useLinkedNodes.ts reads beside the rows of tables: any change of the graph may change it. */
const refetchLinked = (queries: QueryClient) => void queries.invalidateQueries({ queryKey: ['linked'] });

/** Refetches it only where it shows nodes of these ids; the rest when the window is used again. A page of rows costs several requests. */
function refetchLinkedTo(queries: QueryClient, ids: ReadonlySet<string>) {
  void queries.invalidateQueries({ queryKey: ['linked'], refetchType: 'none' });
  void queries.refetchQueries({
    queryKey: ['linked'],
    type: 'active',
    predicate: ({ state }) =>
      [...((state.data as Map<string, { nodes: { id: string }[] }> | undefined) ?? [])].some(
        ([id, { nodes }]) => ids.has(id) || nodes.some((node) => ids.has(node.id)),
      ),
  });
}

function updateLists(queries: QueryClient, kind: EntityKind, change: (pages: Pages) => Pages) {
  queries.setQueriesData<Pages>({ queryKey: ['list', kind] }, (pages) => pages && change(pages));
}

/** Replaces a changed entity in every cached list. */
export function applyUpdate(queries: QueryClient, changed: Entity) {
  // The answer to a change has no captions of an edge's ends; they stay.
  queries.setQueryData<Entity>(['entity', changed.kind, changed.entity.id], (before) =>
    before ? ({ ...changed, entity: { ...before.entity, ...changed.entity } } as Entity) : changed,
  );
  updateLists(queries, changed.kind, (pages) => ({
    ...pages,
    pages: pages.pages.map((p) => ({
      ...p,
      items: p.items.map((item) => (item.id === changed.entity.id ? ({ ...item, ...changed.entity } as Row) : item)),
    })),
  }));
  refetchLinkedTo(queries, new Set([changed.entity.id]));
}

const withoutRows =
  (gone: (row: Row) => boolean) =>
  (pages: Pages): Pages => ({
    ...pages,
    pages: pages.pages.map((p) => {
      const items = p.items.filter((item) => !gone(item));
      const total = p.page.total === undefined ? undefined : p.page.total - (p.items.length - items.length);
      return { ...p, items, page: { ...p.page, total } as PageInfo };
    }),
  });

/** Removes a deleted entity from every cached list; for a node, also its edges. */
export function applyDelete(queries: QueryClient, kind: EntityKind, id: string) {
  applyDeletes(queries, kind, new Set([id]));
}

/** Replaces many changed entities in every cached list. */
export function applyUpdates(queries: QueryClient, kind: EntityKind, changed: Map<string, Row>) {
  for (const id of changed.keys()) void queries.invalidateQueries({ queryKey: ['entity', kind, id] });
  updateLists(queries, kind, (pages) => ({
    ...pages,
    pages: pages.pages.map((p) => ({
      ...p,
      items: p.items.map((item) => (changed.has(item.id) ? ({ ...item, ...changed.get(item.id) } as Row) : item)),
    })),
  }));
  refetchLinkedTo(queries, new Set(changed.keys()));
  for (const key of ['schema', 'history', 'count']) void queries.invalidateQueries({ queryKey: [key] });
}

/** Removes many deleted entities from every cached list; for nodes, also their edges. */
export function applyDeletes(queries: QueryClient, kind: EntityKind, ids: ReadonlySet<string>) {
  for (const id of ids) queries.removeQueries({ queryKey: ['entity', kind, id] });
  updateLists(
    queries,
    kind,
    withoutRows((row) => ids.has(row.id)),
  );
  if (kind === 'node')
    updateLists(
      queries,
      'edge',
      withoutRows((row) => 'source_id' in row && (ids.has(row.source_id) || ids.has(row.target_id))),
    );
  refetchLinked(queries);
  for (const key of ['node-edges', 'schema', 'history', 'trash', 'count']) void queries.invalidateQueries({ queryKey: [key] });
}

/** Refetches everything that an undo may have changed. */
export function refetchGraph(queries: QueryClient) {
  refetchLists(queries);
  for (const key of ['entity', 'node-edges', 'degree', 'schema', 'count', 'pick', 'pick-node', 'search', 'history', 'trash'])
    void queries.invalidateQueries({ queryKey: [key] });
}

/** Refetches the lists that a new entity may belong to. */
export function applyCreate(queries: QueryClient, created: Entity) {
  // A created edge is read again, because the answer has no captions of its ends.
  if (created.kind === 'node') queries.setQueryData(['entity', created.kind, created.entity.id], created);
  refetchLists(queries, created.kind);
  void queries.invalidateQueries({ queryKey: ['node-edges'] });
  void queries.invalidateQueries({ queryKey: ['schema'] });
}
