// Who did what, as administrators read it.
import { unwrap, client } from '../api/client';
import type { PageInfo } from '../api/graph';
import type { components, paths } from '../api/openapi';

export type AuditEntry = components['schemas']['AuditEntry'];
type Query = NonNullable<paths['/api/admin/audit']['get']['parameters']['query']>;

/** The filters, by the names of the API's parameters, as they are in the address. */
export const auditFilters = ['user', 'action', 'kind', 'entity', 'outcome', 'request_id', 'since', 'until'] as const;
export type AuditFilters = Partial<Record<(typeof auditFilters)[number], string>>;

/** Times are local in the form and in the address, and absolute for the service. */
export function auditQuery(filters: AuditFilters): Query {
  const toUtc = (local: string | undefined) => (local && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : undefined);
  const query = { ...filters, since: toUtc(filters.since), until: toUtc(filters.until) };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')) as Query;
}

export async function listAudit(filters: AuditFilters, cursor: string, signal?: AbortSignal): Promise<{ entries: AuditEntry[]; page: PageInfo }> {
  const { data } = await unwrap(client.GET('/api/admin/audit', { params: { query: { ...auditQuery(filters), ...(cursor ? { cursor } : {}) } }, signal }));
  return { entries: data.data, page: data.meta.page };
}
