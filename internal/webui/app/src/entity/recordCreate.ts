import type { QueryClient } from '@tanstack/react-query';
import { deleteEntity, type Entity } from '../api/graph';
import { applyCreate, applyDelete } from '../explore/lists';
import { recordChange } from './changes';

/** Shows a created entity in the lists, and makes its creation the change that can be undone. */
export function recordCreate(queries: QueryClient, created: Entity, requestId: string, label: string) {
  const { kind, entity, etag } = created;
  applyCreate(queries, created);
  recordChange({
    label,
    kind,
    needs: 'delete',
    requestId,
    undoUnrecorded: async () => {
      await deleteEntity(kind, entity.id, etag);
      applyDelete(queries, kind, entity.id);
    },
  });
}
