// The lists that tables and the canvas read, page by page, and what a change does to them.
import { useInfiniteQuery, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { parameterOf, type Condition } from './filters';
import { listEdges, listNodes, type Entity, type EntityKind, type GraphEdge, type GraphNode, type Page } from '../api/graph';

export type Row = GraphNode | GraphEdge;

// The first page is small, to be there at once; the others are large, to cost few requests.
export const firstPage = 100;
const laterPages = 500;

export interface Selection {
  kind: EntityKind;
  type: string | null;
  conditions: Condition[];
  sort: string;
}

const listKey = (of: Selection) => ['list', of.kind, of.type, of.conditions.map(parameterOf), of.sort] as const;

export function useList(of: Selection, enabled = true) {
  return useInfiniteQuery({
    queryKey: listKey(of),
    queryFn: ({ pageParam, signal }): Promise<Page<Row>> => {
      const query = {
        type: of.type ?? undefined,
        limit: pageParam ? laterPages : firstPage,
        filters: of.conditions.map(parameterOf),
        ...(of.sort ? { sort: of.sort } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      return of.kind === 'node' ? listNodes(query, signal) : listEdges(query, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.page.next_cursor ?? undefined,
    enabled,
  });
}

type Pages = InfiniteData<Page<Row>, string>;

function eachList(queries: QueryClient, kind: EntityKind, change: (pages: Pages) => Pages) {
  queries.setQueriesData<Pages>({ queryKey: ['list', kind] }, (pages) => pages && change(pages));
}

/** Shows a changed entity wherever it is listed. */
export function showChanged(queries: QueryClient, changed: Entity) {
  queries.setQueryData(['entity', changed.kind, changed.entity.id], changed);
  eachList(queries, changed.kind, (pages) => ({
    ...pages,
    pages: pages.pages.map((p) => ({ ...p, items: p.items.map((item) => (item.id === changed.entity.id ? changed.entity : item)) })),
  }));
}

/** Takes a deleted entity out of every list; with a node, its edges. */
export function showDeleted(queries: QueryClient, kind: EntityKind, id: string) {
  queries.removeQueries({ queryKey: ['entity', kind, id] });
  const without = (gone: (row: Row) => boolean) => (pages: Pages) => ({
    ...pages,
    pages: pages.pages.map((p) => {
      const items = p.items.filter((item) => !gone(item));
      const total = p.page.total === undefined ? undefined : p.page.total - (p.items.length - items.length);
      return { ...p, items, page: { ...p.page, total } };
    }),
  });
  eachList(queries, kind, without((row) => row.id === id));
  if (kind === 'node') eachList(queries, 'edge', without((row) => 'source_id' in row && (row.source_id === id || row.target_id === id)));
  void queries.invalidateQueries({ queryKey: ['node-edges'] });
  void queries.invalidateQueries({ queryKey: ['schema'] });
}

/** Reads lists again that a new entity belongs to. */
export function showCreated(queries: QueryClient, created: Entity) {
  queries.setQueryData(['entity', created.kind, created.entity.id], created);
  void queries.invalidateQueries({ queryKey: ['list', created.kind] });
  void queries.invalidateQueries({ queryKey: ['node-edges'] });
  void queries.invalidateQueries({ queryKey: ['schema'] });
}
