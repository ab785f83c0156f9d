// Colours, captions and sizes of types: the same on the canvas, in tables and in the schema. The user's settings are stored in
// localStorage; they are not secret.
import { useSyncExternalStore } from 'react';
import { readLocalRecord, writeLocal } from '../shell/localStorage';
import { palette } from '../theme';

export interface Appearance {
  colour: string;
  caption?: string; // the name of the property to show
  size: number; // pixels
}

export type Overrides = Record<string, Partial<Appearance>>;

const storageKey = 'graphrest.appearance';
let overrides: Overrides = readLocalRecord<Partial<Appearance>>(storageKey);
// The appearance of the saved view that is open. It takes the place of the one that is stored in this browser, so that all see the same.
let ofSavedView: Overrides | null = null;
let version = 0;
const listeners = new Set<() => void>();

function notifyListeners() {
  version++;
  for (const listener of listeners) listener();
}

/** The FNV-1a hash of a text. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  return (h ^ (h >>> 15)) >>> 0;
}

// A colour depends on the name of the type alone, so that it stays when other types appear. Two types may have the same one.
export function appearanceOf(type: string | null): Appearance {
  if (type === null) return { colour: '#6b747a', size: 40 };
  return { colour: palette[hash(type) % palette.length]!, size: 40, ...(ofSavedView ?? overrides)[type] };
}

const withChange = (all: Overrides, type: string, change: Partial<Appearance>): Overrides =>
  Object.assign(Object.create(null) as Overrides, all, { [type]: { ...all[type], ...change } });

/** The settings that differ from the defaults: of the saved view that is open or, if there is none, those of the given types. */
export function appearanceSettings(types: string[]): Overrides {
  if (ofSavedView) return ofSavedView;
  const settings = Object.create(null) as Overrides;
  for (const type of types) if (overrides[type]) settings[type] = overrides[type];
  return settings;
}

/** Shows the appearance of a saved view until it is closed with null. Changes belong to it meanwhile. */
export function showSavedAppearance(appearance: Overrides | null) {
  if (ofSavedView === appearance) return;
  ofSavedView = appearance;
  notifyListeners();
}

export function setAppearance(type: string, change: Partial<Appearance>) {
  if (ofSavedView) {
    ofSavedView = withChange(ofSavedView, type, change);
    return notifyListeners();
  }
  overrides = withChange(overrides, type, change);
  writeLocal(storageKey, overrides);
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
