// Saved views: the calls of the API. Their states are checked by state.ts.
import { client, unwrap } from '../api/client';
import type { components } from '../api/openapi';

export type ViewSummary = components['schemas']['SavedViewSummary'];
export type SavedView = Omit<components['schemas']['SavedView'], 'state'> & { state: unknown };
export type ViewPage = ViewSummary['page'];

/** What a user may change of a saved view. */
export interface ViewMembers {
  name: string;
  description: string;
  roles: string[];
  everyone: boolean;
}

export interface ViewContent {
  page: ViewPage;
  state: Record<string, unknown>;
}

/** The path of the page that opens a saved view. */
export const viewPath = (id: string) => `/views/${encodeURIComponent(id)}`;

export async function listViews(signal?: AbortSignal): Promise<{ views: ViewSummary[]; more: boolean }> {
  const { data } = await unwrap(client.GET('/api/views', { params: { query: { limit: 300 } }, signal }));
  return { views: data.data, more: data.meta.page.has_more };
}

export async function getView(id: string, signal?: AbortSignal): Promise<SavedView> {
  return (await unwrap(client.GET('/api/views/{id}', { params: { path: { id } }, signal }))).data.data;
}

export async function createView(view: ViewMembers & ViewContent): Promise<SavedView> {
  return (await unwrap(client.POST('/api/views', { body: view }))).data.data;
}

/** Changes the given members. PRECONDITION_FAILED if the view no longer has the version; null changes any version. */
export async function changeView(id: string, change: Partial<ViewMembers & ViewContent>, version: number | null): Promise<SavedView> {
  const header = version === null ? {} : { 'If-Match': `"${version}"` };
  return (await unwrap(client.PUT('/api/views/{id}', { params: { path: { id }, header }, body: change }))).data.data;
}

export async function deleteView(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/views/{id}', { params: { path: { id } } }));
}

/** With whom a saved view is shared, in words. */
export function sharingText({ own, owner, roles, everyone }: ViewSummary): string {
  if (!own) return `by ${owner || 'a deleted user'}`;
  if (everyone) return 'shared with everyone';
  return roles && roles.length > 0 ? `shared with ${roles.join(', ')}` : 'private';
}
