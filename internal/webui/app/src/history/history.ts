// The recorded changes, the trash and undo: the calls of the API.
import { unwrap, client } from '../api/client';
import type { EntityKind, GraphEdge, GraphNode, Page } from '../api/graph';
import { asProblem } from '../api/problem';
import type { components } from '../api/openapi';
import type { Value } from '../values/value';

type Schemas = components['schemas'];

export type Action = 'create' | 'update' | 'delete';
export const actions: Action[] = ['create', 'update', 'delete'];

/** The whole entity, or for an update the changed properties, with null for an absent one. */
export interface ChangeSide {
  labels?: string[];
  source_id?: string;
  target_id?: string;
  properties: Record<string, Value | null>;
}

/** One recorded create, update or delete of a node or an edge. */
export interface Change {
  id: string;
  at: string;
  user: string | null;
  request_id: string | null;
  action: Action;
  kind: EntityKind;
  entity: string;
  type: string | null;
  before: ChangeSide | null;
  after: ChangeSide | null;
  cause: Schemas['Cause'] | null;
  /** Whether the entity was changed outside the gateway since its previous recorded change. */
  gap: boolean;
}

export type DeletedEntity = Schemas['DeletedEntity'];
export type Undone = Schemas['Undone'];
export type UndoConflict = Schemas['UndoConflict'];

// The generated types declare integers as numbers; the client's parser returns bigints.
const asChanges = (wire: unknown) => wire as Change[];

export async function listHistory(kind: EntityKind, id: string, cursor: string, signal?: AbortSignal): Promise<Page<Change>> {
  const query = { limit: 50, ...(cursor ? { cursor } : {}) };
  const { data } =
    kind === 'node'
      ? await unwrap(client.GET('/api/nodes/{node_id}/history', { params: { path: { node_id: id }, query }, signal }))
      : await unwrap(client.GET('/api/edges/{id}/history', { params: { path: { id }, query }, signal }));
  return { items: asChanges(data.data), page: data.meta.page };
}

/** An entity at a time in the past, or now. */
export interface PastState {
  /** null if it did not exist. */
  state: GraphNode | GraphEdge | null;
  /** The time of the change that left this state; empty if that is not known. */
  asOf: string;
  /** Whether it was changed outside the gateway, so that the state is uncertain. */
  gap: boolean;
}

/** Reads an entity as it was at a time, or right after a change; as it is now if at is empty. */
export async function readPast(kind: EntityKind, id: string, at: string, signal?: AbortSignal): Promise<PastState> {
  const query = at === '' ? {} : { at };
  try {
    const { data, asOf } =
      kind === 'node'
        ? await unwrap(client.GET('/api/nodes/{node_id}', { params: { path: { node_id: id }, query }, signal }))
        : await unwrap(client.GET('/api/edges/{id}', { params: { path: { id }, query }, signal }));
    return { state: data.data as unknown as GraphNode | GraphEdge, asOf, gap: data.meta.gap ?? false };
  } catch (error) {
    if (asProblem(error).code !== 'NOT_FOUND') throw error;
    return { state: null, asOf: '', gap: false };
  }
}

/** The filters of the trash and of the feed, named as the API's parameters and as in the URL. */
export const trashFilters = ['kind', 'type', 'user'] as const;
export const feedFilters = ['kind', 'type', 'action'] as const;
export type TrashFilters = Partial<Record<(typeof trashFilters)[number], string>>;
export type FeedFilters = Partial<Record<(typeof feedFilters)[number], string>>;

export async function listTrash(filters: TrashFilters, cursor: string, signal?: AbortSignal): Promise<Page<DeletedEntity>> {
  const query = { ...filters, ...(cursor ? { cursor } : {}) } as { kind?: EntityKind };
  const { data } = await unwrap(client.GET('/api/trash', { params: { query }, signal }));
  return { items: data.data, page: data.meta.page };
}

export interface FeedPage {
  changes: Change[];
  /** The since of the next call, also if there are no changes. */
  next: string;
  hasMore: boolean;
}

/**
 * Reads the changes after a cursor, oldest first. Without a cursor it begins before the last changes, none by default. wait: seconds to
 * wait for a change.
 */
export async function readFeed(
  query: FeedFilters & { since?: string; last?: number; limit?: number; wait?: number },
  signal?: AbortSignal,
): Promise<FeedPage> {
  const { data } = await unwrap(client.GET('/api/changes', { params: { query: query as { kind?: EntityKind } }, signal }));
  const answer = data as unknown as { data: unknown; meta: { page: Schemas['FeedPageInfo'] } };
  return { changes: asChanges(answer.data), next: answer.meta.page.next_cursor, hasMore: answer.meta.page.has_more };
}

/** What is undone: one change, or all changes of a request, of an import or of a change set. */
export type UndoTarget = { change: string } | { request_id: string } | { import: string } | { changeset: string };

export async function undoChanges(target: UndoTarget, options: { dry_run?: boolean; on_conflict?: 'skip' } = {}): Promise<Undone> {
  return (await unwrap(client.POST('/api/undo', { body: { ...target, ...options } }))).data.data;
}

/** Reports whether an undo was refused because something was changed since: the error then names the entities. */
export function hasConflicts(error: unknown): boolean {
  const problem = asProblem(error);
  return problem.code === 'CONFLICT' && problem.details.length > 0;
}

/** Reports whether the service has no record to undo: it does not record changes, not of this type, or no longer has the record. */
export function isNotRecorded(error: unknown): boolean {
  const problem = asProblem(error);
  return problem.code === 'NOT_FOUND' || isHistoryOff(problem);
}

/** Reports whether the service does not record changes. It then answers CONFLICT without details. */
export function isHistoryOff(error: unknown): boolean {
  const problem = asProblem(error);
  return problem.code === 'CONFLICT' && problem.details.length === 0;
}
