// Colours, captions and sizes of types: the same on the canvas, in tables and in the schema. What a user has chosen is kept in
// localStorage; it is no secret.
import { useSyncExternalStore } from 'react';
import type { Schema } from '../api/graph';
import { palette } from '../theme';

export interface Look {
  colour: string;
  caption?: string; // the property to show
  size: number; // pixels
}

type Chosen = Record<string, Partial<Look>>;

const key = 'graphrest.appearance';
let chosen: Chosen = load();
let order = new Map<string, number>();
let version = 0;
const listeners = new Set<() => void>();

function load(): Chosen {
  try {
    const read = JSON.parse(localStorage.getItem(key) ?? '{}') as Chosen;
    return Object.assign(Object.create(null) as Chosen, read);
  } catch {
    return Object.create(null) as Chosen;
  }
}

function announce() {
  version++;
  for (const listener of listeners) listener();
}

/** Types take the palette's colours in the order of their names. */
export function learnTypes(schema: Schema) {
  const names = schema.node_types.map((t) => t.type).sort();
  if (names.length === order.size && names.every((n, i) => order.get(n) === i)) return;
  order = new Map(names.map((name, index) => [name, index]));
  announce();
}

function hash(text: string): number {
  let h = 7;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return h;
}

export function look(type: string | null): Look {
  if (type === null) return { colour: '#6b747a', size: 40 };
  const place = order.get(type) ?? hash(type);
  return { colour: palette[place % palette.length]!, size: 40, ...chosen[type] };
}

export function chooseLook(type: string, change: Partial<Look>) {
  chosen = Object.assign(Object.create(null) as Chosen, chosen, { [type]: { ...chosen[type], ...change } });
  try {
    localStorage.setItem(key, JSON.stringify(chosen));
  } catch {
    // Storage may be switched off; then the choice lasts until the reload.
  }
  announce();
}

/** Rerenders when any look changes; the number is the state of all of them. */
export function useLooks(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
}
