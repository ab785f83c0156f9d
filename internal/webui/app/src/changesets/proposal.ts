// Proposing: while it is on, edits, creates and deletes are collected as operations of a change set instead of written. They are kept in
// this tab's sessionStorage, so that they survive a reload, and belong to the user who collected them.
import { useSyncExternalStore } from 'react';
import { storedAs } from '../api/address';
import { bodyText, parseAnswer } from '../api/json';
import type { EntityKind } from '../api/graph';
import { session, usePermissions, type KindRights } from '../session/session';
import type { Properties } from '../values/value';
import { actionOf, changedProperties, kindOf, targetOf, type Operation, type Reference } from './operations';

/** An operation and what its row shows. */
export interface ProposedOperation {
  operation: Operation;
  /** The name of the entity. */
  name: string;
  type: string | null;
  /** The values before an update, for the changed properties only. */
  before?: { properties: Properties };
}

export interface Proposal {
  /** Whether edits are collected. */
  active: boolean;
  items: ProposedOperation[];
  title: string;
  description: string;
  /** The change set that is edited, and its ETag; null for a new one. */
  changeSet: { id: string; etag: string } | null;
}

const emptyProposal: Proposal = { active: false, items: [], title: '', description: '', changeSet: null };
const storageKey = storedAs('graphrest.proposal');

const isSameTarget = (a: Operation, b: Operation) => kindOf(a) === kindOf(b) && targetOf(a) !== null && targetOf(a) === targetOf(b);

/** Adds an operation. It replaces an earlier one of the same entity; an update without changes only removes that. */
export function withOperation(items: ProposedOperation[], added: ProposedOperation): ProposedOperation[] {
  const { operation } = added;
  const others = items.filter((item) => !isSameTarget(item.operation, operation));
  if (actionOf(operation) === 'update' && Object.keys(changedProperties(operation)).length === 0) return others;
  const replaced = items.findIndex((item) => isSameTarget(item.operation, operation));
  // Deleting a node also deletes its edges, so an operation on an edge must come before.
  const firstDelete =
    operation.op === 'update_edge' || operation.op === 'delete_edge' ? others.findIndex((item) => item.operation.op === 'delete_node') : -1;
  const end = firstDelete < 0 ? others.length : firstDelete;
  const place = replaced < 0 || operation.op === 'delete_node' ? end : Math.min(replaced, end);
  return others.toSpliced(place, 0, added);
}

/** Removes an operation, and the operations that refer to the entity that it creates. */
export function withoutOperation(items: ProposedOperation[], removed: ProposedOperation): ProposedOperation[] {
  const ref = 'ref' in removed.operation ? removed.operation.ref : undefined;
  const left = items.filter((item) => item !== removed);
  if (ref === undefined) return left;
  return left.filter((item) => refsOf(item.operation).includes(ref)).reduce(withoutOperation, left);
}

function refsOf(operation: Operation): string[] {
  const references = operation.op === 'create_edge' ? [operation.source_id, operation.target_id] : 'id' in operation ? [operation.id] : [];
  return references.flatMap((reference) => (typeof reference === 'string' ? [] : [reference.ref]));
}

class ProposalStore {
  private current: Proposal = emptyProposal;
  private owner = '';
  private listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The proposal of the user who is logged in. */
  get = (): Proposal => {
    const user = session.getState().me?.id ?? '';
    if (user !== this.owner) {
      this.owner = user;
      this.current = load(user);
    }
    return this.current;
  };

  update(change: Partial<Proposal>) {
    this.current = { ...this.get(), ...change };
    try {
      sessionStorage.setItem(storageKey, bodyText({ owner: this.owner, ...this.current }));
    } catch {
      // Storage may be full or disabled; then the operations last until the page is reloaded.
    }
    for (const listener of this.listeners) listener();
  }

  /** Stops proposing and discards the operations. */
  clear() {
    this.update(emptyProposal);
    try {
      sessionStorage.removeItem(storageKey);
    } catch {
      // Storage may be disabled.
    }
  }

  add(...added: ProposedOperation[]) {
    this.update({ items: added.reduce(withOperation, this.get().items) });
  }

  remove(item: ProposedOperation) {
    this.update({ items: withoutOperation(this.get().items, item) });
  }
}

function load(user: string): Proposal {
  try {
    const { owner, ...stored } = parseAnswer(sessionStorage.getItem(storageKey) ?? '{}') as Proposal & { owner?: string };
    if (user !== '' && owner === user) return { ...emptyProposal, ...stored };
  } catch {
    // Storage may be disabled.
  }
  return emptyProposal;
}

export const proposal = new ProposalStore();

export function useProposal(): Proposal {
  return useSyncExternalStore(proposal.subscribe, proposal.get);
}

/** The collected operation on an existing entity. */
export function findProposed(items: ProposedOperation[], kind: EntityKind, id: string): ProposedOperation | undefined {
  return items.find((item) => kindOf(item.operation) === kind && targetOf(item.operation) === id);
}

/** The proposed new nodes, by their ref. */
export function newNodes(items: ProposedOperation[]): Map<string, ProposedOperation> {
  return new Map(items.flatMap((item) => (item.operation.op === 'create_node' && item.operation.ref ? [[item.operation.ref, item]] : [])));
}

/** A ref that is neither another entity's nor the id of a node. */
export function newRef(): string {
  return `new-${Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** An end of a new edge: a proposed new node or the id of an existing one. */
export function endOf(items: ProposedOperation[], value: string): Reference {
  return newNodes(items).has(value) ? { ref: value } : value;
}

const allRights: KindRights = { read: true, create: true, edit: true, delete: true };

/** What the user may do to nodes and edges here: write it or, while proposing, propose it. */
export function useEditPermissions() {
  const may = usePermissions();
  const { active } = useProposal();
  return active && may.see ? { ...may, node: allRights, edge: allRights, proposing: true } : { ...may, proposing: false };
}
