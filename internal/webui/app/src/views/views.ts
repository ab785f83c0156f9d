// Saved views: the calls of the API. Their states are checked by state.ts.
import { client, unwrap } from '../api/client';
import type { components } from '../api/openapi';
import { escapeInvisible } from '../values/text';

export type ViewSummary = components['schemas']['SavedViewSummary'];
export type SavedView = Omit<components['schemas']['SavedView'], 'state'> & { state: unknown };
export type ViewPage = ViewSummary['page'];
type NewState = components['schemas']['NewSavedView']['state'];

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

export const viewsKey = ['views'];
export const viewKey = (id: string) => ['views', 'one', id];

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
  return (await unwrap(client.POST('/api/views', { body: { ...view, state: view.state as NewState } }))).data.data;
}

/** Changes the given members. PRECONDITION_FAILED if the view no longer has the version; null changes any version. */
export async function changeView(id: string, change: Partial<ViewMembers & ViewContent>, version: number | null): Promise<SavedView> {
  const header = version === null ? {} : { 'If-Match': `"${version}"` };
  const body = { ...change, state: change.state as NewState | undefined };
  return (await unwrap(client.PUT('/api/views/{id}', { params: { path: { id }, header }, body }))).data.data;
}

export async function deleteView(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/views/{id}', { params: { path: { id } } }));
}

/** Whose a saved view is or, of one's own, with whom it is shared, in words. */
export function sharingText({ own, owner, roles, everyone }: Pick<ViewSummary, 'own' | 'owner' | 'roles' | 'everyone'>): string {
  if (!own) return `by ${escapeInvisible(owner) || 'a deleted user'}`;
  if (everyone) return 'shared with everyone';
  return roles && roles.length > 0 ? `shared with ${roles.map(escapeInvisible).join(', ')}` : 'private';
}

const pageNames: Record<ViewPage, string> = { nodes: 'Table of nodes', edges: 'Table of edges', explore: 'Graph' };

export const pageName = ({ page }: Pick<ViewSummary, 'page'>) => pageNames[page] ?? page;

/** The views whose names, descriptions or owners contain a text. */
export function searchViews(views: ViewSummary[], text: string): ViewSummary[] {
  const wanted = text.trim().toLowerCase();
  return wanted === ''
    ? views
    : views.filter((view) => [view.name, view.description, view.own ? '' : view.owner].some((part) => part.toLowerCase().includes(wanted)));
}
