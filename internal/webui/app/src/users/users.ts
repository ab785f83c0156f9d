// User accounts, for administrators.
import { unwrap, client } from '../api/client';
import { integerOf } from '../api/json';
import { maxLimit } from '../api/limits';
import type { components } from '../api/openapi';

export type User = components['schemas']['User'];
export type UserChange = components['schemas']['UserChange'];
export type NewUser = components['schemas']['NewUser'];

function encodeLimit<T extends { rate_limit?: number | null }>(from: T): T {
  return typeof from.rate_limit === 'number' ? { ...from, rate_limit: integerOf(from.rate_limit) } : from;
}

export async function listUsers(): Promise<{ users: User[]; more: boolean }> {
  const { data } = await unwrap(client.GET('/api/admin/users', { params: { query: { limit: maxLimit } } }));
  return { users: data.data, more: data.meta.page.has_more };
}

export async function createUser(user: NewUser): Promise<User> {
  return (await unwrap(client.POST('/api/admin/users', { body: encodeLimit(user) }))).data.data;
}

export async function changeUser(username: string, change: UserChange): Promise<User> {
  return (await unwrap(client.PUT('/api/admin/users/{username}', { params: { path: { username } }, body: encodeLimit(change) }))).data.data;
}

export async function deleteUser(username: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/users/{username}', { params: { path: { username } } }));
}

/** When users logged in last, by their names, as far as that is among the newest logins of the audit. An earlier user may have had
 * the name. */
export async function lastLogins(signal?: AbortSignal): Promise<Map<string, string>> {
  const query = { action: 'login', outcome: 'done', limit: maxLimit } as const;
  const { data } = await unwrap(client.GET('/api/admin/audit', { params: { query }, signal }));
  return new Map(data.data.toReversed().flatMap(({ user, at }) => (user === null ? [] : [[user, at]])));
}
