// The positions of nodes on the canvas, stored for each selection until the tab is closed.
import { useSyncExternalStore } from 'react';
import { storedAs } from '../api/address';
import type { EntityKind } from '../api/graph';
import { formatConditions } from '../explore/filters';
import type { View } from '../explore/url';
import type { Positions } from './drawing';

/** The name under which the positions of a view's canvas are stored. */
export const layoutNameOf = (view: View) =>
  `${view.kind} ${view.type ?? '*'} ${view.start}${view.end}${formatConditions(view.conditions).join(' ')}${view.question}`;

const storageKey = (name: string) => storedAs(`graphrest.layout ${name}`);

/** Whether this tab has positions of a canvas. */
export function hasLayout(name: string): boolean {
  try {
    return sessionStorage.getItem(storageKey(name)) !== null;
  } catch {
    return false;
  }
}

function load<T>(key: string): T[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as T[];
  } catch {
    return [];
  }
}

function save(key: string, items: unknown[]) {
  try {
    sessionStorage.setItem(key, JSON.stringify(items));
  } catch {
    // Storage may be full or disabled; then the layout is computed again, and moves are undone until the page is left.
    drop((name) => name === key); // what is stored is older
  }
}

function drop(chosen: (key: string) => boolean) {
  try {
    for (const key of Object.keys(sessionStorage).filter(chosen)) sessionStorage.removeItem(key);
  } catch {
    // Storage is disabled.
  }
}

/** After a log-out: the next user has moved nothing. */
export const forgetLayouts = () => drop((key) => key.startsWith('graphrest.layout ') || key.startsWith('graphrest.moves '));

type Place = { x: number; y: number; pinned?: boolean };

export const loadLayout = (name: string): Positions => new Map(load<[string, Place]>(storageKey(name)));
export const saveLayout = (name: string, positions: Positions) => save(storageKey(name), [...positions]);

/** A move of nodes, pins or a layout: where the nodes that it changed were, and where they are. */
export interface Move {
  /** The steps of the address when it was made. */
  at: string;
  before: Positions;
  after: Positions;
}

const movesKey = (name: string) => storedAs(`graphrest.moves ${name}`);

type StoredMove = { at: string; before: [string, Place][]; after: [string, Place][] };

export const loadMoves = (name: string): Move[] =>
  load<StoredMove>(movesKey(name)).map(({ at, before, after }) => ({ at, before: new Map(before), after: new Map(after) }));
/** How many positions the stored moves have; the storage of a tab is small, and the latest moves are those that are undone. */
const maxStoredPositions = 10_000;

function latest(moves: Move[]): Move[] {
  let positions = 0;
  const first = moves.findLastIndex(({ before, after }) => (positions += before.size + after.size) > maxStoredPositions);
  return moves.slice(first + 1);
}

export const saveMoves = (name: string, moves: Move[]) =>
  save(
    movesKey(name),
    latest(moves).map(({ at, before, after }): StoredMove => ({ at, before: [...before], after: [...after] })),
  );

/** Places the nodes of a canvas that is opened as it was saved; what was moved there before cannot be undone any more. */
export function placeSaved(name: string, positions: Positions) {
  saveLayout(name, positions);
  saveMoves(name, []);
}

/** What the canvas that is shown has drawn. */
export interface Drawn {
  positions: () => Positions;
  /** The types of its nodes and edges. */
  types: () => Record<EntityKind, string[]>;
}

let drawn: Drawn | null = null;
let version = 0;
const listeners = new Set<() => void>();

/** Renders again what depends on the positions. */
export function notifyDrawn() {
  version++;
  for (const listener of listeners) listener();
}

/** Sets the canvas that is shown; null if there is none any more. */
export function setDrawn(canvas: Drawn | null) {
  drawn = canvas;
  notifyDrawn();
}

/** The canvas that is shown. Renders again when nodes are moved, pinned, added or removed. */
export function useDrawn(): Drawn | null {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return drawn;
}
