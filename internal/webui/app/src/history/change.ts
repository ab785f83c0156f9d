// Recorded changes in words for users.
import type { EntityKind } from '../api/graph';
import { edgeName } from '../explore/EntityName';
import type { Action as Right, KindRights } from '../session/session';
import { sameValue } from '../values/draft';
import { captionOf, nameRank, pluralize, sortedNames } from '../values/text';
import type { Properties, Value } from '../values/value';
import { actions, type Action, type Change, type ChangeSide, type UndoTarget } from './history';

export const actionLabels: Record<Action, string> = { create: 'Created', update: 'Changed', delete: 'Deleted' };

export const reversePermissions: Record<Action, Right> = { create: 'delete', update: 'edit', delete: 'create' };

/** Whether a user has the rights that undoing changes needs. The service also checks each entity, and changes that are not shown here. */
export function mayUndo(changes: Change[], may: Record<EntityKind, KindRights>): boolean {
  return changes.every((change) => may[change.kind][reversePermissions[change.action]]);
}

export interface ValueChange {
  name: string;
  /** undefined if the property was absent. */
  before: Value | undefined;
  after: Value | undefined;
}

const presentValue = (side: ChangeSide | null, name: string) =>
  side && Object.hasOwn(side.properties, name) ? (side.properties[name] ?? undefined) : undefined;

/** The values before and after a change: all of a created or deleted entity, the changed ones of an update. */
export function valueChanges(change: Change): ValueChange[] {
  const names = new Set([...Object.keys(change.before?.properties ?? {}), ...Object.keys(change.after?.properties ?? {})]);
  return [...names]
    .sort((a, b) => nameRank(a) - nameRank(b) || a.localeCompare(b))
    .map((name) => ({ name, before: presentValue(change.before, name), after: presentValue(change.after, name) }));
}

export interface ComparedValue extends ValueChange {
  differs: boolean;
}

const valueOf = (properties: Properties | undefined, name: string) =>
  properties && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** All values of two versions; undefined for a version that does not exist. */
export function compareValues(before: Properties | undefined, after: Properties | undefined): ComparedValue[] {
  return sortedNames({ ...before, ...after }).map((name) => {
    const [old, next] = [valueOf(before, name), valueOf(after, name)];
    return { name, before: old, after: next, differs: !sameValue(old, next) };
  });
}

/** The entity as it was, if the change recorded it as a whole. */
const wholeEntity = (change: Change): ChangeSide | null => (change.action === 'update' ? null : (change.after ?? change.before));

/** The caption of the changed entity, if the change recorded it. */
function recordedCaption(change: Change): string | null {
  if (change.kind !== 'node') return null;
  const whole = wholeEntity(change);
  if (whole) return captionOf(whole.properties as Properties, change.entity);
  const naming = valueChanges(change).find(({ name, after }) => nameRank(name) < 3 && after !== undefined);
  return naming ? captionOf({ [naming.name]: naming.after! }, change.entity) : null;
}

/** The names of the entities of changes, newest first, by their id, as far as these record them: the newest one. */
export function namesOf(changes: Change[]): Map<string, string> {
  const captions = new Map<string, string>();
  for (const change of changes) {
    const caption = recordedCaption(change);
    if (caption !== null && !captions.has(change.entity)) captions.set(change.entity, caption);
  }
  for (const { kind, entity, type, before, after } of changes) {
    const [source, target] = [after?.source_id ?? before?.source_id, after?.target_id ?? before?.target_id].map((id) =>
      captions.get(id ?? ''),
    );
    if (kind === 'edge' && source && target) captions.set(entity, edgeName(type, source, target));
  }
  return captions;
}

/** Where a change came from, if it was not a request for this entity alone. */
export function causeText(change: Change): string {
  const { cause } = change;
  if (cause?.undo) return 'by an undo';
  if (cause?.import) return 'by an import';
  if (cause?.changeset) return 'by a change set';
  if (cause?.deleted_with) return 'with its node';
  return '';
}

/** The loaded changes of one request, newest first. */
export interface RequestChanges {
  key: string;
  changes: Change[];
}

/** Groups changes, newest first, by what is undone together: their import or their request. A group is where its newest change was. */
export function groupByRequest(changes: Change[]): RequestChanges[] {
  const groups = new Map<string, RequestChanges>();
  for (const change of changes) {
    const ofImport = change.cause?.import && `import ${change.cause.import}`;
    const key = ofImport || (change.request_id === null ? `change ${change.id}` : `request ${change.request_id}`);
    const group = groups.get(key);
    if (group) group.changes.push(change);
    else groups.set(key, { key, changes: [change] });
  }
  return [...groups.values()];
}

/** What undoing a group reverses: its import, its request, or its only change. */
export function undoTargetOf(changes: Change[]): UndoTarget {
  const first = changes[0]!;
  if (first.cause?.import) return { import: first.cause.import };
  return first.request_id === null ? { change: first.id } : { request_id: first.request_id };
}

/** "1 node deleted, 3 edges deleted". */
export function summaryOf(changes: Change[]): string {
  const parts: string[] = [];
  for (const action of actions) {
    for (const kind of ['node', 'edge'] as const) {
      const n = changes.filter((change) => change.action === action && change.kind === kind).length;
      if (n > 0) parts.push(`${pluralize(n, kind)} ${actionLabels[action].toLowerCase()}`);
    }
  }
  return parts.join(', ');
}
