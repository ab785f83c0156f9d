// A node or edge that is opened. The row of a list that was loaded a short time ago already has its properties, so that opening it takes
// no request for them; what is changed or deleted is read first, because lists have no ETags.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getEntity, type Entity } from '../api/graph';
import type { Pages, Row } from './lists';
import type { EntityRef } from './url';

/** How long the row of a list stands for its entity, in milliseconds. */
const rowLifetime = 5 * 60_000;
/** How long an entity that was read is shown without being read again, in milliseconds. */
const readLifetime = 60_000;

interface Found {
  row: Row;
  /** When its list was loaded. */
  at: number;
}

/** The newest row of a list with all properties. */
function findRow(queries: QueryClient, { kind, id }: EntityRef): Found | null {
  let newest: Found | null = null;
  for (const query of queries.getQueryCache().findAll({ queryKey: ['list', kind] })) {
    const { data, dataUpdatedAt: at } = query.state;
    const fields = query.queryKey[6]; // of listKey; null if no property is left out
    if (fields !== null || !data || (newest && newest.at >= at)) continue;
    const row = (data as Pages).pages.flatMap((page) => page.items).find((item) => item.id === id);
    if (row) newest = { row, at };
  }
  return newest;
}

export function entityOptions(queries: QueryClient, ref: EntityRef) {
  const { kind, id } = ref;
  return queryOptions({
    queryKey: ['entity', kind, id],
    queryFn: ({ signal }): Promise<Entity> => getEntity(kind, id, signal),
    initialData: () => {
      const found = findRow(queries, ref);
      return found ? ({ kind, entity: found.row, etag: '' } as Entity) : undefined;
    },
    initialDataUpdatedAt: () => findRow(queries, ref)?.at,
    staleTime: ({ state }) => (state.data?.etag === '' ? rowLifetime : readLifetime),
  });
}

/** The entity with its ETag, which is read if the entity is only known from a row. */
export function readEntity(queries: QueryClient, entity: Entity): Promise<Entity> {
  if (entity.etag !== '') return Promise.resolve(entity);
  const { kind } = entity;
  const { id } = entity.entity;
  return queries.fetchQuery({
    queryKey: ['entity', kind, id],
    queryFn: ({ signal }): Promise<Entity> => getEntity(kind, id, signal),
    staleTime: 0,
  });
}
