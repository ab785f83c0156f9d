// Who may do what with a change set. The service decides; this only says which buttons are shown.
import { reversePermissions } from '../history/change';
import type { Action } from '../history/history';
import type { Me, Permission } from '../session/session';
import type { ChangeSet } from './changesets';
import { actionOf, type Operation } from './operations';

const permissions: Record<Action, Permission> = { create: 'create', update: 'edit', delete: 'delete' };

const permissionsBy = (operations: Operation[], of: Record<Action, Permission>) => [...new Set(operations.map((operation) => of[actionOf(operation)]))];

export interface Decisions {
  approve: boolean;
  reject: boolean;
  apply: boolean;
  edit: boolean;
  withdraw: boolean;
  undo: boolean;
  /** Why there is nothing to decide, or what is awaited; empty if that is plain. */
  hint: string;
}

/** What a user may do with a change set. */
export function decisionsOf({ status, author_id, operations }: Pick<ChangeSet, 'status' | 'author_id' | 'operations'>, me: Pick<Me, 'id' | 'permissions' | 'self_approval'>): Decisions {
  const own = author_id === me.id;
  const pending = status === 'open' || status === 'approved';
  const missing = permissionsBy(operations, permissions).filter((permission) => !me.permissions.includes(permission));
  const maySpeak = missing.length === 0 && (!own || me.self_approval);
  return {
    approve: status === 'open' && maySpeak,
    reject: pending && maySpeak,
    apply: status === 'approved' && missing.length === 0,
    edit: own && pending,
    withdraw: own && pending,
    undo: status === 'applied' && permissionsBy(operations, reversePermissions).every((permission) => me.permissions.includes(permission)),
    hint: hintFor(status, own && !me.self_approval, missing),
  };
}

function hintFor(status: ChangeSet['status'], needsAnother: boolean, missing: Permission[]): string {
  if (status === 'open' && needsAnother) return 'Somebody else must approve it before it can be applied.';
  if (missing.length === 0 || (status !== 'open' && status !== 'approved')) return '';
  const list = missing.length > 1 ? `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}` : missing[0];
  return `To ${status === 'open' ? 'approve' : 'apply'} it, you need the ${missing.length > 1 ? 'permissions' : 'permission'} ${list}.`;
}
