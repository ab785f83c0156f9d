import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createEdge, createNode, deleteEntity, listNodeEdges, type Entity, type GraphEdge, type Page } from '../api/graph';
import { proposal, useProposal } from '../changesets/proposal';
import { applyCreate, applyDelete } from '../explore/lists';
import { usePermissions } from '../session/session';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { notify, notifyChange } from '../shell/notify';
import { captionOf, pluralize } from '../values/text';
import { recordChange } from './changes';

// The number of edges that are restored without history: more would need too many requests.
const undoEdges = 100;

interface Props {
  entity: Entity;
  name: string;
  onClose: () => void;
  onDeleted: () => void;
}

/** Deletes an entity, after showing how many edges are deleted with it. */
export function DeleteDialog({ entity, name, onClose, onDeleted }: Props) {
  const queries = useQueryClient();
  const may = usePermissions();
  const proposing = useProposal().active;
  const { id } = entity.entity;
  const isNode = entity.kind === 'node';
  const edges = useQuery({
    queryKey: ['node-edges', id, 'all'],
    queryFn: () => listNodeEdges(id, { limit: undoEdges, count: 'exact' }),
    enabled: isNode && may.edge.read,
    staleTime: 0,
  });

  async function run() {
    if (proposing) {
      const operation = {
        op: isNode ? 'delete_node' : 'delete_edge',
        id,
        if_match: entity.etag,
        ...(isNode ? { detach: true } : {}),
      } as const;
      proposal.add({ operation, name, type: entity.entity.type });
      notify(name, 'Collected');
      onClose();
      return;
    }
    const { deletedEdges, requestId } = await deleteEntity(entity.kind, id, entity.etag);
    applyDelete(queries, entity.kind, id);
    recordChange({
      label: `deleted ${name}`,
      kind: entity.kind,
      needs: 'create',
      requestId,
      several: deletedEdges > 0,
      undoUnrecorded: undoUnrecorded(edges.data),
    });
    notifyChange(isNode && deletedEdges > 0 ? `${pluralize(deletedEdges, 'edge')} deleted with it.` : '', `${name} deleted`);
    onDeleted();
  }

  /**
   * How to create the entity again; null for a node with several labels or with more edges than were read, which could not be restored
   * completely.
   */
  function undoUnrecorded(edgePage: Page<GraphEdge> | undefined): (() => Promise<void>) | null {
    if (entity.kind === 'edge') {
      const { type, source_id, target_id, properties } = entity.entity;
      return async () => {
        const created = await createEdge(type, source_id, target_id, properties);
        applyCreate(queries, { kind: 'edge', entity: created.data, etag: created.etag });
      };
    }
    const node = entity.entity;
    if (node.labels.length !== 1 || !edgePage || edgePage.page.has_more) return null;
    return async () => {
      const created = await createNode(node.labels[0]!, node.properties);
      const newIdOf = (end: string) => (end === id ? created.data.id : end);
      for (const edge of edgePage.items) await createEdge(edge.type, newIdOf(edge.source_id), newIdOf(edge.target_id), edge.properties);
      applyCreate(queries, { kind: 'node', entity: created.data, etag: created.etag });
      void queries.invalidateQueries({ queryKey: ['list', 'edge'] });
    };
  }

  const total = edges.data ? (edges.data.page.total ?? edges.data.items.length) : undefined;
  return (
    <ConfirmDialog
      title={proposing ? `Propose to delete this ${entity.kind}?` : `Delete this ${entity.kind}?`}
      label={proposing ? 'Propose deletion' : total ? `Delete with ${pluralize(total, 'edge')}` : 'Delete'}
      loading={isNode && may.edge.read && edges.isPending}
      run={run}
      onClose={onClose}
      messageFor={(problem) =>
        problem.code === 'PRECONDITION_FAILED'
          ? 'Another user has changed it since you opened it. Close it, open it again, then delete it.'
          : problem.text
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{name || captionOf(entity.entity.properties, id)}</strong> will be deleted from the database
        {proposing ? ' when the change set is applied' : ''}.
      </Text>
      {isNode && (
        <Text size="sm" mt="xs" role="status">
          {edges.isPending && may.edge.read && 'Counting its edges…'}
          {total !== undefined && (total === 0 ? 'It has no edges.' : `${pluralize(total, 'edge')} will be deleted with it.`)}
          {(edges.isError || !may.edge.read) && 'Its edges will be deleted with it.'}
        </Text>
      )}
    </ConfirmDialog>
  );
}
