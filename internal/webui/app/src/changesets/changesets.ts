// Change sets: the calls of the API.
import { client, unwrap } from '../api/client';
import type { EntityKind, Page } from '../api/graph';
import type { components } from '../api/openapi';
import type { Properties } from '../values/value';
import type { Operation, Reference } from './operations';

type Schemas = components['schemas'];

export const statuses = ['open', 'approved', 'applied', 'rejected', 'withdrawn'] as const;
export type Status = (typeof statuses)[number];

// The generated types declare integers as numbers; the client's parser returns bigints in properties. The casts are in this file only.
// Members that are optional in the description are absent only for users who may not read anything, who do not get to these pages.
export type ChangeSet = Required<Omit<Schemas['ChangeSet'], 'operations'>> & {
  operations: Operation[];
  /** Whether the user's roles do not show the operations, which are then empty. */
  hidden: boolean;
};
export type Conflict = Schemas['ChangeSetConflict'];

export type DiffStatus = 'added' | 'changed' | 'removed' | 'unchanged';

/** An entity as it is or would be. The ends of an edge may be new nodes. */
export interface EntityState {
  type: string | null;
  labels?: string[];
  source_id?: Reference;
  target_id?: Reference;
  properties: Properties;
}

/** A node or an edge that a change set concerns. A new one has its ref, if it has one, instead of an id. */
export interface DiffEntity {
  kind: EntityKind;
  id?: string;
  ref?: string | null;
  /** The index of the first operation that concerns it. */
  operation: number;
  type: string | null;
  status: DiffStatus;
  /** null if it does not exist. */
  before: EntityState | null;
  after: EntityState | null;
  conflict: Conflict | null;
}

export interface Diff {
  entities: DiffEntity[];
  /** Violations of declared types. A field begins with the operation. */
  violations: { field: string; message: string }[];
}

const asChangeSet = (wire: unknown): ChangeSet => {
  const changeSet = wire as Omit<ChangeSet, 'operations'> & { operations: Operation[] | null };
  return { ...changeSet, operations: changeSet.operations ?? [], hidden: changeSet.operations === null };
};
const asOperations = (operations: Operation[]) => operations as unknown as Schemas['BatchOperation'][];

/** The filters of the list, named as the API's parameters and as in the URL. */
export const changeSetFilters = ['status', 'author'] as const;
export type ChangeSetFilters = Partial<Record<(typeof changeSetFilters)[number], string>>;

export async function listChangeSets(filters: ChangeSetFilters, cursor: string, signal?: AbortSignal): Promise<Page<ChangeSet>> {
  const query = { ...filters, ...(cursor ? { cursor } : {}) } as { status?: Status };
  const { data } = await unwrap(client.GET('/api/changesets', { params: { query }, signal }));
  return { items: data.data.map(asChangeSet), page: data.meta.page };
}

export interface ReadChangeSet {
  changeSet: ChangeSet;
  etag: string;
}

export async function getChangeSet(id: string, signal?: AbortSignal): Promise<ReadChangeSet> {
  const { data, etag } = await unwrap(client.GET('/api/changesets/{id}', { params: { path: { id } }, signal }));
  return { changeSet: asChangeSet(data.data), etag };
}

export async function getDiff(id: string, signal?: AbortSignal): Promise<Diff> {
  return (await unwrap(client.GET('/api/changesets/{id}/diff', { params: { path: { id } }, signal }))).data.data as unknown as Diff;
}

export interface ChangeSetContent {
  title: string;
  description: string;
  operations: Operation[];
}

export async function proposeChangeSet({ operations, ...texts }: ChangeSetContent): Promise<ChangeSet> {
  return asChangeSet(
    (await unwrap(client.POST('/api/changesets', { body: { ...texts, operations: asOperations(operations) } }))).data.data,
  );
}

/** Replaces the content of a change set that still has the ETag. */
export async function editChangeSet(id: string, etag: string, { operations, ...texts }: ChangeSetContent): Promise<ChangeSet> {
  return asChangeSet(
    (
      await unwrap(
        client.PUT('/api/changesets/{id}', {
          params: { path: { id }, header: { 'If-Match': etag } },
          body: { ...texts, operations: asOperations(operations) },
        }),
      )
    ).data.data,
  );
}

export async function addComment(id: string, text: string): Promise<void> {
  await unwrap(client.POST('/api/changesets/{id}/comments', { params: { path: { id } }, body: { text } }));
}

export type Decision = 'approve' | 'reject' | 'apply' | 'withdraw';

/** Takes a decision on a change set that still has the ETag: what is approved is what was read. */
export async function decide(id: string, etag: string, decision: Decision): Promise<ChangeSet> {
  const params = { params: { path: { id }, header: { 'If-Match': etag } } };
  const calls = {
    approve: () => unwrap(client.POST('/api/changesets/{id}/approve', params)),
    reject: () => unwrap(client.POST('/api/changesets/{id}/reject', params)),
    apply: () => unwrap(client.POST('/api/changesets/{id}/apply', params)),
    withdraw: () => unwrap(client.POST('/api/changesets/{id}/withdraw', params)),
  };
  return asChangeSet((await calls[decision]()).data.data);
}
