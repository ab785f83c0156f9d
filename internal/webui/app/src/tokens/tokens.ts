// Service tokens, for administrators: the credentials of programs.
import { unwrap, client } from '../api/client';
import { integerOf } from '../api/json';
import { maxLimit } from '../api/limits';
import type { components } from '../api/openapi';
import { allPermissions, graphPermissions, type Me, type Permission } from '../session/session';

export type ServiceToken = components['schemas']['ServiceToken'];
export type CreatedServiceToken = components['schemas']['CreatedServiceToken'];
export type NewServiceToken = components['schemas']['NewServiceToken'];

export async function listTokens(): Promise<{ tokens: ServiceToken[]; more: boolean }> {
  const { data } = await unwrap(client.GET('/api/admin/tokens', { params: { query: { limit: maxLimit } } }));
  return { tokens: data.data, more: data.meta.page.has_more };
}

export async function createToken({ rate_limit, ...token }: NewServiceToken): Promise<CreatedServiceToken> {
  const body = { ...token, ...(typeof rate_limit === 'number' ? { rate_limit: integerOf(rate_limit) } : {}) };
  return (await unwrap(client.POST('/api/admin/tokens', { body }))).data.data;
}

export async function revokeToken(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/tokens/{id}', { params: { path: { id } } }));
}

const dayMs = 86_400_000;
// A token that expires within this many days is marked.
const soonDays = 14;

/** How much time a token has left, in words, if that is little; empty if it has more. */
export function expiryNote(expiresAt: string, now: number): string {
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  if (left > soonDays * dayMs) return '';
  const days = Math.floor(left / dayMs);
  if (days === 0) return 'expires within a day';
  return `expires in ${days === 1 ? '1 day' : `${days} days`}`;
}

/** A local date as the value of an input of type date. */
function dateText(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The dates on which a new token may expire, and the default. */
export function expiryDates(now: Date): { min: string; max: string; preset: string } {
  const after = (days: number) => dateText(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days));
  return { min: after(1), max: dateText(new Date(now.getFullYear() + 1, now.getMonth(), now.getDate())), preset: after(90) };
}

/** The beginning of a local date, as a time of the API. */
export function startOfDate(date: string): string {
  return new Date(`${date}T00:00:00`).toISOString();
}

/** What a user may give to a service token: own permissions and own roles; with all permissions for the graph every role. */
export function grantable(me: Pick<Me, 'permissions' | 'roles'>, roles: string[]): { permissions: Permission[]; roles: string[] } {
  const permissions = allPermissions.filter((p) => me.permissions.includes(p));
  return {
    permissions,
    roles: graphPermissions.every((p) => me.permissions.includes(p)) ? roles : roles.filter((role) => me.roles.includes(role)),
  };
}
