// The operations of a change set, which are those of a batch.
import type { EntityKind, PropertyChanges } from '../api/graph';
import type { Action } from '../history/history';
import type { Properties } from '../values/value';

/** An id, or the ref of an entity that an earlier operation creates. */
export type Reference = string | { ref: string };

export type Operation =
  | { op: 'create_node'; ref?: string; type: string; labels?: string[]; properties: Properties }
  | { op: 'create_edge'; ref?: string; type: string; source_id: Reference; target_id: Reference; properties?: Properties }
  | { op: 'update_node' | 'update_edge'; id: Reference; properties: PropertyChanges; if_match?: string }
  | { op: 'delete_node' | 'delete_edge'; id: Reference; if_match?: string; detach?: boolean };

export const actionOf = ({ op }: Operation) => op.slice(0, op.indexOf('_')) as Action;
export const kindOf = ({ op }: Operation) => op.slice(op.indexOf('_') + 1) as EntityKind;

/** The properties that an update changes; none for another operation. */
export const changedProperties = (operation: Operation): PropertyChanges =>
  operation.op === 'update_node' || operation.op === 'update_edge' ? operation.properties : {};

/** The existing entity that an operation changes or deletes; null if it creates one or changes a new one. */
export function targetOf(operation: Operation): string | null {
  return 'id' in operation && typeof operation.id === 'string' ? operation.id : null;
}
