// The queries that a user ran last, in this browser.
import { readLocalRecord, writeLocal } from '../shell/localStorage';
import type { Drafts } from './parameters';

export interface RanQuery {
  cypher: string;
  drafts: Drafts;
  /** When it ran last, in ISO 8601. */
  at: string;
}

const storageKey = 'graphrest.queries';
const kept = 50;

const isRan = (value: unknown): value is RanQuery => {
  const { cypher, drafts, at } = (typeof value === 'object' && value !== null ? value : {}) as Partial<RanQuery>;
  return typeof cypher === 'string' && typeof at === 'string' && typeof drafts === 'object' && drafts !== null;
};

/** The queries of a user, the last first. */
export function loadHistory(userId: string): RanQuery[] {
  const all = readLocalRecord<unknown>(storageKey);
  const own = Object.hasOwn(all, userId) ? all[userId] : [];
  return Array.isArray(own) ? own.filter(isRan) : [];
}

export function recordQuery(userId: string, cypher: string, drafts: Drafts): RanQuery[] {
  const others = loadHistory(userId).filter((ran) => ran.cypher !== cypher);
  return keepHistory(userId, [{ cypher, drafts, at: new Date().toISOString() }, ...others].slice(0, kept));
}

export function keepHistory(userId: string, queries: RanQuery[]): RanQuery[] {
  writeLocal(storageKey, { ...readLocalRecord<unknown>(storageKey), [userId]: queries });
  return queries;
}
