// What the first page keeps for each user in localStorage: favourites and the entities opened last. Only ids and types are stored,
// no values: they stay on the computer after the user has logged out.
import type { EntityKind } from '../api/graph';
import { readLocalRecord, writeLocal } from '../shell/localStorage';

export interface Favourite {
  kind: EntityKind;
  type: string;
}

export interface Opened {
  kind: EntityKind;
  id: string;
  type: string | null;
}

interface Stored {
  favourites: Favourite[];
  opened: Opened[];
}

const maxOpened = 8;
const maxFavourites = 100;

const keyOf = (userId: string) => `graphrest.home.${userId}`;

const isKind = (kind: unknown): kind is EntityKind => kind === 'node' || kind === 'edge';
const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads what is stored for a user. Anything else than expected is left out: other versions of the interface may have written it. */
export function readStored(userId: string): Stored {
  const read: Partial<Record<keyof Stored, unknown>> = readLocalRecord(keyOf(userId));
  const list = (value: unknown) =>
    Array.isArray(value)
      ? ((value as unknown[]).filter((each) => typeof each === 'object' && each !== null) as Record<string, unknown>[])
      : [];
  return {
    favourites: list(read.favourites).flatMap(({ kind, type }) => (isKind(kind) && isText(type) ? [{ kind, type }] : [])),
    opened: list(read.opened).flatMap(({ kind, id, type }) =>
      isKind(kind) && isText(id) && (isText(type) || type === null) ? [{ kind, id, type }] : [],
    ),
  };
}

function update(userId: string, change: (stored: Stored) => Partial<Stored>) {
  const stored = readStored(userId);
  writeLocal(keyOf(userId), { ...stored, ...change(stored) });
}

/** Adds a type to the favourites, or removes it. Returns the favourites. */
export function toggleFavourite(userId: string, { kind, type }: Favourite): Favourite[] {
  update(userId, ({ favourites }) => {
    const others = favourites.filter((f) => f.kind !== kind || f.type !== type);
    return { favourites: others.length < favourites.length ? others : [...others, { kind, type }].slice(-maxFavourites) };
  });
  return readStored(userId).favourites;
}

// The names of entities opened in this tab. They are values, so they are not stored.
const names = new Map<string, string>();

export const nameOfOpened = ({ kind, id }: Opened) => names.get(`${kind} ${id}`);
export const forgetNames = () => names.clear();

/** Puts an entity first among those opened last. */
export function recordOpened(userId: string, entity: Opened, name: string) {
  names.set(`${entity.kind} ${entity.id}`, name);
  const { kind, id, type } = entity;
  update(userId, ({ opened }) => ({
    opened: [{ kind, id, type }, ...opened.filter((o) => o.kind !== kind || o.id !== id)].slice(0, maxOpened),
  }));
}
