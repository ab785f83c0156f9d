// Who may do what with a change set. The service decides; this only selects the buttons.
import type { EntityKind } from '../api/graph';
import { reversePermissions } from '../history/change';
import type { Action } from '../history/history';
import type { Me, Permission } from '../session/session';
import type { ChangeSet } from './changesets';
import { actionOf, kindOf, type Operation } from './operations';

/** The user, as far as decisions depend on it. */
type Decider = Pick<Me, 'id' | 'self_approval'> & { effective: Record<EntityKind, readonly Permission[]> };

const permissions: Record<Action, Permission> = { create: 'create', update: 'edit', delete: 'delete' };

/** The rights that a user lacks for operations: by a permission or, for entities of the kind, by grants of roles. */
function missingRights(operations: Operation[], of: Record<Action, Permission>, effective: Decider['effective']): Permission[] {
  return [
    ...new Set(
      operations
        .filter((operation) => !effective[kindOf(operation)].includes(of[actionOf(operation)]))
        .map((operation) => of[actionOf(operation)]),
    ),
  ];
}

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
export function decisionsOf(
  { status, author_id, operations }: Pick<ChangeSet, 'status' | 'author_id' | 'operations'>,
  me: Decider,
): Decisions {
  const own = author_id === me.id;
  const pending = status === 'open' || status === 'approved';
  const missing = missingRights(operations, permissions, me.effective);
  // Operations that the user does not see may need any right.
  const mayWrite = missing.length === 0 && [...me.effective.node, ...me.effective.edge].some((action) => action !== 'read');
  const mayReview = mayWrite && (!own || me.self_approval);
  return {
    approve: status === 'open' && mayReview,
    reject: pending && mayReview,
    apply: status === 'approved' && mayWrite,
    edit: own && pending,
    withdraw: own && pending,
    undo: status === 'applied' && missingRights(operations, reversePermissions, me.effective).length === 0,
    hint: hintFor(status, own && !me.self_approval, missing),
  };
}

function hintFor(status: ChangeSet['status'], needsOtherReviewer: boolean, missing: Permission[]): string {
  if (status === 'open' && needsOtherReviewer) return 'Somebody else must approve it before it can be applied.';
  if (missing.length === 0 || (status !== 'open' && status !== 'approved')) return '';
  const list = missing.length > 1 ? `${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}` : missing[0];
  return `To ${status === 'open' ? 'approve' : 'apply'} it, you need the ${missing.length > 1 ? 'permissions' : 'permission'} ${list}.`;
}
