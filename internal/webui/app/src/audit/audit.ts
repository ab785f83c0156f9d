// The audit entries, for administrators.
import { unwrap, client } from '../api/client';
import type { Page } from '../api/graph';
import type { components, paths } from '../api/openapi';

export type AuditEntry = components['schemas']['AuditEntry'];
type Query = NonNullable<paths['/api/admin/audit']['get']['parameters']['query']>;

/** The filters, named as the API's parameters and as in the URL. */
export const auditFilters = ['user', 'action', 'kind', 'entity', 'outcome', 'request_id', 'since', 'until'] as const;
export type AuditFilters = Partial<Record<(typeof auditFilters)[number], string>>;

/** Converts filters to API parameters. Times are local in the form and in the URL, and UTC in the API. */
export function auditQuery(filters: AuditFilters): Query {
  const toUtc = (local: string | undefined) => (local && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : undefined);
  const query = { ...filters, since: toUtc(filters.since), until: toUtc(filters.until) };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== '')) as Query;
}

export async function listAudit(filters: AuditFilters, cursor: string, signal?: AbortSignal): Promise<Page<AuditEntry>> {
  const { data } = await unwrap(
    client.GET('/api/admin/audit', { params: { query: { ...auditQuery(filters), ...(cursor ? { cursor } : {}) } }, signal }),
  );
  return { items: data.data, page: data.meta.page };
}
