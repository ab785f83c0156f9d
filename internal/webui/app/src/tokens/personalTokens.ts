// Personal tokens: what a program needs to act as their user. Users make their own; administrators see and revoke those of others.
import { unwrap, client } from '../api/client';
import type { components } from '../api/openapi';

export type PersonalToken = components['schemas']['PersonalToken'];
export type CreatedPersonalToken = components['schemas']['CreatedPersonalToken'];
export type NewPersonalToken = components['schemas']['NewPersonalToken'];

/** The query key of a user's tokens; of the own ones without a name. */
export const personalTokensKey = (username?: string) => ['personal-tokens', username ?? ''] as const;

/** Lists the tokens of a user, or one's own. */
export async function listPersonalTokens(username?: string): Promise<PersonalToken[]> {
  if (username === undefined) return (await unwrap(client.GET('/api/auth/tokens'))).data.data;
  return (await unwrap(client.GET('/api/admin/users/{username}/tokens', { params: { path: { username } } }))).data.data;
}

export async function createPersonalToken(token: NewPersonalToken): Promise<CreatedPersonalToken> {
  return (await unwrap(client.POST('/api/auth/tokens', { body: token }))).data.data;
}

export async function revokePersonalToken(id: string, username?: string): Promise<void> {
  if (username === undefined) await unwrap(client.DELETE('/api/auth/tokens/{id}', { params: { path: { id } } }));
  else await unwrap(client.DELETE('/api/admin/users/{username}/tokens/{id}', { params: { path: { username, id } } }));
}

/** The rights that a token names, in words; a token that names nothing has all rights of its user. */
export function rightsText({ permissions, roles }: PersonalToken): string {
  if (permissions === null && roles === null) return 'all rights of the user';
  const parts = [...(permissions ?? []), ...(roles ?? []).map((role) => `role ${role}`)];
  return parts.length > 0 ? parts.join(', ') : 'none';
}
