// The diff of a change set in words for users.
import { appearanceOf } from '../explore/appearance';
import { compareValues } from '../history/change';
import { captionOf, escapeInvisible, pluralize, shortId } from '../values/text';
import { operationIndex } from './batch';
import type { Diff, DiffEntity, DiffStatus, EntityState } from './changesets';
import { changedProperties, type Operation, type Reference } from './operations';
import type { ProposedOperation } from './proposal';

/** The statuses in the order of legends, with a symbol for each, so that they are readable without colours. */
export const diffStatuses: { status: DiffStatus; symbol: string; label: string }[] = [
  { status: 'added', symbol: '+', label: 'Added' },
  { status: 'changed', symbol: '~', label: 'Changed' },
  { status: 'removed', symbol: '−', label: 'Removed' },
  { status: 'unchanged', symbol: '=', label: 'Unchanged' },
];

/** Identifies a node or an edge: by its id, or by the ref of a new one. */
export const referenceKey = (reference: Reference) => (typeof reference === 'string' ? `id ${reference}` : `ref ${reference.ref}`);

/** Identifies an entity of a diff. */
export function entityKey(entity: DiffEntity): string {
  const reference = entity.id ?? (entity.ref ? { ref: entity.ref } : null);
  return reference === null ? `${entity.kind} of ${entity.operation}` : `${entity.kind} ${referenceKey(reference)}`;
}

/** The state that an entity is shown with: the new one, or that of a removed entity. */
export const stateOf = (entity: DiffEntity): EntityState | null => entity.after ?? entity.before;

const nodeCaption = (entity: DiffEntity, state: EntityState) =>
  captionOf(state.properties, entity.id ?? 'new', appearanceOf(state.type).caption);

/** The names of nodes by referenceKey: those of the diff, and others that were read. */
export function nodeNames(entities: DiffEntity[], others: Iterable<readonly [string, string]> = []): Map<string, string> {
  const names = new Map([...others].map(([id, name]) => [referenceKey(id), name]));
  for (const entity of entities) {
    const state = stateOf(entity);
    const reference = entity.id ?? (entity.ref ? { ref: entity.ref } : null);
    if (entity.kind === 'node' && state && reference !== null) names.set(referenceKey(reference), nodeCaption(entity, state));
  }
  return names;
}

/** The names of new nodes by referenceKey, from the operations that create them. */
export function newNodeNames(operations: Operation[]): [string, string][] {
  return operations.flatMap((operation): [string, string][] =>
    operation.op === 'create_node' && operation.ref ? [[referenceKey({ ref: operation.ref }), captionOf(operation.properties, 'new')]] : [],
  );
}

/** The name of the node at an end of an edge. */
export function endName(reference: Reference | undefined, names: Map<string, string>): string {
  if (reference === undefined) return '';
  return names.get(referenceKey(reference)) ?? (typeof reference === 'string' ? shortId(reference) : reference.ref);
}

/** The name of an entity: the caption of a node, the type and the ends of an edge. */
export function entityName(entity: DiffEntity, names: Map<string, string>): string {
  const state = stateOf(entity);
  if (!state) return shortId(entity.id ?? entity.ref ?? '');
  if (entity.kind === 'node') return nodeCaption(entity, state);
  return `${escapeInvisible(state.type ?? '')}: ${endName(state.source_id, names)} → ${endName(state.target_id, names)}`;
}

/** The values of an entity before and after. */
export const diffValues = ({ before, after }: DiffEntity) => compareValues(before?.properties, after?.properties);

/** An entity that an operation names, with the edges that are deleted with it. */
export interface DiffItem {
  entity: DiffEntity;
  deletedEdges: DiffEntity[];
  violations: Diff['violations'];
}

/** Groups a diff by the entities that operations name. */
export function diffItems(diff: Diff, operations: Operation[]): DiffItem[] {
  const items: DiffItem[] = [];
  for (const entity of diff.entities) {
    // One with a conflict is also named by a later operation, which meets that conflict.
    const isDeletedWithNode = entity.kind === 'edge' && entity.conflict === null && operations[entity.operation]?.op === 'delete_node';
    const node = isDeletedWithNode ? itemOfOperation(items, operations, entity.operation) : undefined;
    if (node) node.deletedEdges.push(entity);
    else items.push({ entity, deletedEdges: [], violations: [] });
  }
  for (const violation of diff.violations) itemOfOperation(items, operations, operationIndex(violation.field))?.violations.push(violation);
  return items;
}

/** The item that an operation concerns. */
export function itemOfOperation(items: DiffItem[], operations: Operation[], index: number): DiffItem | undefined {
  const operation = operations[index];
  if (!operation || !('id' in operation)) return items.find((item) => item.entity.operation === index);
  const { id } = operation;
  return (
    items.find(({ entity }) => (typeof id === 'string' ? entity.id === id : entity.ref === id.ref)) ??
    items.find((item) => item.entity.operation === index)
  );
}

/** "1 added, 2 removed (3 edges with them)". */
export function summarize(items: DiffItem[]): string {
  const parts = diffStatuses.flatMap(({ status, label }) => {
    const n = items.filter(({ entity }) => entity.status === status && !isMissing(entity)).length;
    return n > 0 ? [`${n} ${label.toLowerCase()}`] : [];
  });
  const deletedEdges = items.reduce((sum, item) => sum + item.deletedEdges.length, 0);
  if (deletedEdges > 0) parts.push(`${pluralize(deletedEdges, 'edge')} deleted with nodes`);
  return parts.join(', ') || 'No changes';
}

/**
 * Reports whether an entity exists neither before nor after: an operation names what does not exist, or deletes what an earlier one
 * creates.
 */
export const isMissing = (entity: DiffEntity) => entity.before === null && entity.after === null;

/** How many entities have conflicts. */
export const countConflicts = (diff: Diff) => diff.entities.filter((entity) => entity.conflict !== null).length;

export interface DiffGraphNode {
  key: string;
  /** context: the node is not changed, but is an end of a changed edge. */
  status: DiffStatus | 'context';
  name: string;
  entity: DiffEntity | null;
}
export interface DiffGraphEdge {
  key: string;
  source: string;
  target: string;
  status: DiffStatus;
  name: string;
  entity: DiffEntity;
}

/** The diff as a graph: its entities, and the ends of its edges. At most max elements. */
export function diffGraph(
  entities: DiffEntity[],
  names: Map<string, string>,
  max: number,
): { nodes: DiffGraphNode[]; edges: DiffGraphEdge[]; omitted: number } {
  const nodes = new Map<string, DiffGraphNode>();
  const edges: DiffGraphEdge[] = [];
  let omitted = 0;
  const isFull = () => nodes.size + edges.length >= max;
  for (const entity of entities) {
    if (entity.kind !== 'node' || isMissing(entity)) continue;
    const key = entityKey(entity);
    if (isFull()) omitted++;
    else nodes.set(key, { key, status: entity.status, name: entityName(entity, names), entity });
  }
  for (const entity of entities) {
    const state = stateOf(entity);
    if (entity.kind !== 'edge' || !state?.source_id || !state.target_id) continue;
    if (isFull()) {
      omitted++;
      continue;
    }
    const [source, target] = [state.source_id, state.target_id].map((end) => {
      const key = `node ${referenceKey(end)}`;
      if (!nodes.has(key)) nodes.set(key, { key, status: 'context', name: endName(end, names), entity: null });
      return key;
    });
    edges.push({
      key: entityKey(entity),
      source: source!,
      target: target!,
      status: entity.status,
      name: escapeInvisible(state.type ?? ''),
      entity,
    });
  }
  return { nodes: [...nodes.values()], edges, omitted };
}

/** The ids of existing nodes that operations name, or connect by new edges. */
export function namedNodes(operations: Operation[]): string[] {
  const references = operations.flatMap((operation) =>
    operation.op === 'create_edge' ? [operation.source_id, operation.target_id] : operation.op === 'update_node' ? [operation.id] : [],
  );
  return [...new Set(references.filter((reference): reference is string => typeof reference === 'string'))];
}

/** The ids of existing nodes that are ends of edges of a diff and not in it. */
export function unknownEnds(entities: DiffEntity[]): string[] {
  const known = new Set(entities.filter((entity) => entity.kind === 'node').map((entity) => entity.id));
  const ends = entities.flatMap((entity) => [stateOf(entity)?.source_id, stateOf(entity)?.target_id]);
  return [...new Set(ends.filter((end): end is string => typeof end === 'string' && !known.has(end)))];
}

/** The operations with the names of their entities, and the values before updates. */
export function describeOperations(operations: Operation[], items: DiffItem[], names: Map<string, string>): ProposedOperation[] {
  return operations.map((operation, index) => {
    const entity = itemOfOperation(items, operations, index)?.entity;
    const changed = Object.keys(changedProperties(operation));
    const old = entity?.before?.properties;
    return {
      operation,
      name: entity ? entityName(entity, names) : operationName(operation, names),
      type: entity?.type ?? ('type' in operation ? operation.type : null),
      ...(old && changed.length > 0
        ? { before: { properties: Object.fromEntries(changed.flatMap((name) => (Object.hasOwn(old, name) ? [[name, old[name]!]] : []))) } }
        : {}),
    };
  });
}

function operationName(operation: Operation, names: Map<string, string>): string {
  if (operation.op === 'create_node') return captionOf(operation.properties, 'new');
  return operation.op === 'create_edge' ? operation.type : endName(operation.id, names);
}
