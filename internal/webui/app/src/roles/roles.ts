// Roles, for administrators: what they grant on parts of the graph.
import { unwrap, client } from '../api/client';
import { maxLimit } from '../api/limits';
import type { components } from '../api/openapi';
import type { Permission } from '../session/session';
import { allActions, type Grant } from './grants';

export type Role = components['schemas']['Role'];
export type RoleChange = components['schemas']['RoleChange'];
export type NewRole = components['schemas']['NewRole'];
export type RolePreview = components['schemas']['RolePreview'];
export type PreviewedType = components['schemas']['PreviewedType'];

export async function listRoles(): Promise<{ roles: Role[]; more: boolean }> {
  const { data } = await unwrap(client.GET('/api/admin/roles', { params: { query: { limit: maxLimit } } }));
  return { roles: data.data, more: data.meta.page.has_more };
}

export async function createRole(role: NewRole): Promise<Role> {
  return (await unwrap(client.POST('/api/admin/roles', { body: role }))).data.data;
}

export async function changeRole(name: string, change: RoleChange): Promise<Role> {
  return (await unwrap(client.PUT('/api/admin/roles/{name}', { params: { path: { name } }, body: change }))).data.data;
}

/** Counts what grants show; conditions on the user are those of the named one, if any. */
export async function previewRole(grants: Grant[], user: string): Promise<RolePreview> {
  return (await unwrap(client.POST('/api/admin/roles/preview', { body: { grants, ...(user ? { user } : {}) } }))).data.data;
}

export async function deleteRole(name: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/roles/{name}', { params: { path: { name } } }));
}

/** The holders of a role, in words: "ann, bob and 3 more". */
export function nameList(names: string[], shown = 5): string {
  if (names.length <= shown + 1) return names.join(', ');
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}

/** What a user may do with one kind of entity: everything by a permission, or some types by grants of roles. */
export interface EffectiveRight {
  kind: 'node' | 'edge';
  action: Permission;
  everything: boolean;
  /** The grants, in words: "Person, if team, in team". */
  grants: { role: string; text: string }[];
}

/** What permissions and roles allow together. */
export function effectiveRights(permissions: Permission[], roles: Role[]): EffectiveRight[] {
  return (['node', 'edge'] as const).flatMap((kind) =>
    allActions.map((action) => ({
      kind,
      action,
      everything: permissions.includes(action),
      grants: roles.flatMap((role) =>
        role.grants
          .filter((grant) => grant.kind === kind && grant.actions.includes(action))
          .map((grant) => ({ role: role.name, text: grantText(grant) })),
      ),
    })),
  );
}

/** What a grant is for: "Person, if team and born". */
export function grantText(grant: Grant): string {
  const type = grant.type === '*' ? 'all types' : grant.type;
  const conditions = Object.keys(grant.where ?? {});
  return conditions.length > 0 ? `${type}, if ${conditions.join(' and ')}` : type;
}

/** The saved queries of a role, in words; empty if there are none. */
export function queriesText(queries: string[]): string[] {
  if (queries.length === 0) return [];
  return [queries.includes('*') ? 'all saved queries' : `queries: ${queries.join(', ')}`];
}
