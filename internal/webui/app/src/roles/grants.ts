// The grants of a role as a form, and as JSON.
import type { EntityKind } from '../api/graph';
import { bodyText, isObject, parseExact } from '../api/json';
import type { components } from '../api/openapi';
import type { Problem } from '../api/problem';
import { graphPermissions, type Action } from '../session/session';
import { parseCondition, whereRows, type Where, type WhereRow } from './where';

export type Grant = components['schemas']['Grant'];

export interface GrantDraft {
  key: number; // stable while the form is open
  kind: EntityKind;
  /** A label or an edge type; * for all. */
  type: string;
  actions: Action[];
  where: WhereRow[];
  hidden: string[];
  readOnly: string[];
}

/** The errors of a grant, at the controls that show them. */
export interface GrantErrors {
  type?: string;
  actions?: string;
  hidden?: string;
  readOnly?: string;
  /** By the key of the row. */
  where: Map<number, string>;
  /** What no control shows. */
  other?: string;
}

export const allActions: Action[] = graphPermissions;

let nextKey = 0;

export function newGrant(): GrantDraft {
  return { key: nextKey++, kind: 'node', type: '', actions: ['read'], where: [], hidden: [], readOnly: [] };
}

export function grantDraft(grant: Grant): GrantDraft {
  return {
    key: nextKey++,
    kind: grant.kind,
    type: grant.type,
    actions: [...grant.actions],
    where: whereRows((grant.where ?? {}) as Where),
    hidden: grant.hidden ?? [],
    readOnly: grant.read_only ?? [],
  };
}

/** The grants of the form, and the errors by the key of the grant. A value with an error stands there as its text. */
export function grantsOf(drafts: GrantDraft[]): { grants: Grant[]; errors: Map<number, GrantErrors> } {
  const errors = new Map<number, GrantErrors>();
  const grants = drafts.map((draft) => {
    const found: GrantErrors = { where: new Map() };
    const where = whereOf(draft.where, found.where);
    if (draft.type.trim() === '') found.type = 'Choose a type, or * for all';
    if (draft.actions.length === 0) found.actions = 'Choose at least one action';
    if (found.type || found.actions || found.where.size > 0) errors.set(draft.key, found);
    return {
      kind: draft.kind,
      type: draft.type,
      actions: allActions.filter((action) => draft.actions.includes(action)),
      ...(draft.where.length > 0 ? { where: where as Grant['where'] } : {}),
      ...(draft.hidden.length > 0 ? { hidden: draft.hidden } : {}),
      ...(draft.readOnly.length > 0 ? { read_only: draft.readOnly } : {}),
    };
  });
  return { grants, errors };
}

function whereOf(rows: WhereRow[], errors: Map<number, string>): Where {
  const where = new Map<string, Map<string, unknown>>();
  for (const row of rows) {
    const conditions = where.get(row.property) ?? new Map<string, unknown>();
    const parsed = parseCondition(row);
    if ('error' in parsed) errors.set(row.key, parsed.error);
    else if (conditions.has(row.operator)) errors.set(row.key, 'Another condition has this property and this operator');
    where.set(row.property, conditions.set(row.operator, 'error' in parsed ? row.text : parsed.value));
  }
  return Object.fromEntries([...where].map(([property, conditions]) => [property, Object.fromEntries(conditions)]));
}

export const grantsText = (grants: Grant[]) => bodyText(grants, 2);

const grantMembers = ['kind', 'type', 'actions', 'where', 'hidden', 'read_only'];
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Parses the JSON of grants. Throws an error with a text for users if a form cannot show them; the service validates the rest. */
export function parseGrants(text: string): GrantDraft[] {
  const grants = parseExact(text);
  if (!Array.isArray(grants)) throw new Error('must be an array of grants');
  return grants.map((grant, index) => {
    const fail = (member: string, message: string) => new Error(`grants[${index}]${member}: ${message}`);
    if (!isObject(grant)) throw fail('', 'must be an object');
    const unknown = Object.keys(grant).find((member) => !grantMembers.includes(member));
    if (unknown !== undefined) throw fail(`.${unknown}`, 'is not a member of a grant');
    if (grant['kind'] !== 'node' && grant['kind'] !== 'edge') throw fail('.kind', 'must be node or edge');
    if (typeof grant['type'] !== 'string') throw fail('.type', 'must be the name of a type, or *');
    const actions = grant['actions'];
    if (!isTexts(actions) || !actions.every((action) => (allActions as string[]).includes(action)))
      throw fail('.actions', 'must be an array of read, create, edit and delete');
    for (const member of ['hidden', 'read_only'])
      if (grant[member] !== undefined && !isTexts(grant[member])) throw fail(`.${member}`, 'must be an array of property names');
    const where = grant['where'] ?? {};
    if (!isObject(where) || !Object.values(where).every(isObject)) throw fail('.where', 'must be an object such as {"team":{"eq":"blue"}}');
    return grantDraft(grant as unknown as Grant);
  });
}

/** Assigns the service's errors to the grants, by their keys. The others, such as that of the name, are left. */
export function assignGrantErrors(drafts: GrantDraft[], problem: Problem): Map<number, GrantErrors> {
  const errors = new Map<number, GrantErrors>();
  for (const { field, message } of problem.details) {
    const [, index, member = ''] = /^grants\[(\d+)\]\.?(.*)$/s.exec(field) ?? [];
    const draft = index === undefined ? undefined : drafts[Number(index)];
    if (!draft) continue;
    const found: GrantErrors = errors.get(draft.key) ?? { where: new Map() };
    errors.set(draft.key, found);
    assignGrantError(draft, found, member, message);
  }
  return errors;
}

function assignGrantError(draft: GrantDraft, errors: GrantErrors, member: string, message: string) {
  if (member === 'type') errors.type = message;
  else if (/^actions\b/.test(member)) errors.actions = message;
  else if (/^hidden\b/.test(member)) errors.hidden = message;
  else if (/^read_only\b/.test(member)) errors.readOnly = message;
  else {
    const row = draft.where.find((each) => isOfRow(each, member));
    if (row) errors.where.set(row.key, message);
    else errors.other = [errors.other, member ? `${member}: ${message}` : message].filter(Boolean).join('; ');
  }
}

function isOfRow(row: WhereRow, member: string): boolean {
  const path = `where.${row.property}.${row.operator}`;
  return member === path || member === `where.${row.property}` || member.startsWith(`${path}[`);
}
