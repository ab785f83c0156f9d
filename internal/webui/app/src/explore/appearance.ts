// Colours, captions and sizes of types: the same on the canvas, in tables and in the schema. The user's settings are stored in
// localStorage; they are not secret.
import { useSyncExternalStore } from 'react';
import type { Schema } from '../api/graph';
import { palette } from '../theme';

export interface Appearance {
  colour: string;
  caption?: string; // the name of the property to show
  size: number; // pixels
}

type Overrides = Record<string, Partial<Appearance>>;

const storageKey = 'graphrest.appearance';
let overrides: Overrides = loadOverrides();
let paletteIndex = new Map<string, number>();
let version = 0;
const listeners = new Set<() => void>();

function loadOverrides(): Overrides {
  try {
    const read = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Overrides;
    return Object.assign(Object.create(null) as Overrides, read);
  } catch {
    return Object.create(null) as Overrides;
  }
}

function notifyListeners() {
  version++;
  for (const listener of listeners) listener();
}

/** Assigns the palette's colours to types in the order of their names. */
export function assignColours(schema: Schema) {
  const names = schema.node_types.map((t) => t.type).sort();
  if (names.length === paletteIndex.size && names.every((n, i) => paletteIndex.get(n) === i)) return;
  paletteIndex = new Map(names.map((name, index) => [name, index]));
  notifyListeners();
}

function hash(text: string): number {
  let h = 7;
  for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) >>> 0;
  return h;
}

export function appearanceOf(type: string | null): Appearance {
  if (type === null) return { colour: '#6b747a', size: 40 };
  const index = paletteIndex.get(type) ?? hash(type);
  return { colour: palette[index % palette.length]!, size: 40, ...overrides[type] };
}

export function setAppearance(type: string, change: Partial<Appearance>) {
  overrides = Object.assign(Object.create(null) as Overrides, overrides, { [type]: { ...overrides[type], ...change } });
  try {
    localStorage.setItem(storageKey, JSON.stringify(overrides));
  } catch {
    // Storage may be disabled; then the setting lasts until the page is reloaded.
  }
  notifyListeners();
}

/** Renders again when any appearance changes; returns a version that changes with it. */
export function useAppearanceVersion(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
}
