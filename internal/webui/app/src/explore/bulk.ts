// Edits and deletes of many entities at once, as one batch.
import type { PropertyChanges, EntityKind } from '../api/graph';
import type { Problem } from '../api/problem';
import { fieldWithinOperation, operationIndex, type BatchResult } from '../changesets/batch';
import { changedProperties, targetOf, type Operation } from '../changesets/operations';
import { findProposed, type ProposedOperation } from '../changesets/proposal';
import type { Field } from '../entity/form';
import { parseDraft, sameValue } from '../values/draft';
import { captionOf } from '../values/text';
import type { Properties, Value } from '../values/value';
import type { Row } from './lists';

/** The most operations of a batch, unless the service is configured otherwise. */
export const maxOperations = 1000;

/** What is done to all selected entities. */
export type BulkAction = { action: 'edit'; change: PropertyChanges } | { action: 'delete' };

export function operationsOf(kind: EntityKind, rows: Row[], bulk: BulkAction): Operation[] {
  return rows.map(({ id }) => {
    if (bulk.action === 'edit') return { op: kind === 'node' ? 'update_node' : 'update_edge', id, properties: bulk.change };
    return kind === 'node' ? { op: 'delete_node', id, detach: true } : { op: 'delete_edge', id };
  });
}

export interface BulkCounts {
  /** How many entities would be changed or deleted. */
  entities: number;
  /** How many already have the values. */
  unchanged: number;
  /** How many edges would be deleted with nodes. */
  edges: number;
}

/** Counts what a dry run would change. Values that a row does not have loaded count as changed. */
export function countChanges(rows: Row[], bulk: BulkAction, results: BatchResult[], loaded: (property: string) => boolean): BulkCounts {
  const edges = results.reduce((sum, { data }) => sum + (data && 'deleted_edges' in data ? (data.deleted_edges ?? 0) : 0), 0);
  if (bulk.action === 'delete') return { entities: results.length, unchanged: 0, edges };
  const same = (row: Row) =>
    Object.entries(bulk.change).every(([name, value]) => loaded(name) && sameValue(ownValue(row.properties, name), value ?? undefined));
  const unchanged = rows.filter(same).length;
  return { entities: rows.length - unchanged, unchanged, edges };
}

const ownValue = (properties: Properties, name: string): Value | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

export interface RowError {
  row: Row;
  message: string;
}

/** Assigns the errors of a batch to the rows; the message of the problem itself remains for those without a row. */
export function rowErrors(rows: Row[], problem: Problem): RowError[] {
  return problem.details.flatMap((detail) => {
    const row = rows[operationIndex(detail.field)];
    const property = fieldWithinOperation(detail.field).replace(/^properties\./, '');
    return row ? [{ row, message: property && property !== 'id' ? `${property}: ${detail.message}` : detail.message }] : [];
  });
}

/** The changes of the form: the values to set, and null for the properties to remove; the errors by field key. */
export function parseBulkFields(fields: Field[]): { change: PropertyChanges; errors: Map<number, string> } {
  const change = new Map<string, Value | null>();
  const errors = new Map<number, string>();
  for (const field of fields) {
    if (field.name === '') errors.set(field.key, 'A property needs a name');
    else if (change.has(field.name)) errors.set(field.key, 'Another property has this name');
    if (field.removed) {
      change.set(field.name, null);
      continue;
    }
    const parsed = parseDraft(field.draft);
    if ('error' in parsed) errors.set(field.key, parsed.error);
    else change.set(field.name, parsed.value);
  }
  return { change: Object.fromEntries(change), errors };
}

/** The operations to propose. A change adds to one that is proposed already; what is proposed for deletion stays so. */
export function proposedOperations(
  kind: EntityKind,
  rows: Row[],
  bulk: BulkAction,
  items: ProposedOperation[],
  loaded: (property: string) => boolean,
): ProposedOperation[] {
  return operationsOf(kind, rows, bulk).flatMap((operation, index) => {
    const row = rows[index]!;
    const described = { name: captionOf(row.properties, row.id), type: row.type };
    const earlier = findProposed(items, kind, targetOf(operation) ?? '');
    if (bulk.action === 'delete') return [{ ...described, operation }];
    if (earlier?.operation.op.startsWith('delete')) return [];
    const change = { ...(earlier ? changedProperties(earlier.operation) : {}), ...bulk.change };
    const known = Object.keys(bulk.change).filter((name) => loaded(name) && Object.hasOwn(row.properties, name));
    const before = {
      properties: { ...Object.fromEntries(known.map((name) => [name, row.properties[name]!])), ...earlier?.before?.properties },
    };
    const base = earlier && 'if_match' in earlier.operation && earlier.operation.if_match ? { if_match: earlier.operation.if_match } : {};
    return [{ ...described, operation: { ...operation, properties: change, ...base } as Operation, before }];
  });
}
