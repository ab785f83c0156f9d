// How types are drawn: the same on the canvas, in tables and in the schema. The service gives each type a colour and a shape; otherwise
// they follow from its name, the colour is the next that no other type has. A style of the type on the server comes before them, for all
// users, or a setting of this user, in localStorage, or of the saved view that is open. None is secret.
import { useSyncExternalStore } from 'react';
import type { EntityKind, GraphNode, Schema } from '../api/graph';
import { readLocalRecord, writeLocal } from '../shell/localStorage';
import { palette } from '../theme';
import { captionOf } from '../values/text';
import { isIcon } from './iconNames';
import { shapes } from './shapes';

export interface Appearance {
  colour: string;
  caption?: string; // the name of the property to show; or empty
  size: number; // pixels
  icon?: string; // see iconNames.ts; or empty
}

/** How the edges of a type are drawn; without members like all others. */
export interface EdgeAppearance {
  colour?: string;
  width?: number; // pixels; as a setting 0 is automatic, whatever width all users share
}

/** The settings of a type that differ from the defaults. */
export type Override = Partial<Appearance> & EdgeAppearance;
export type Overrides = Record<string, Override>;
export type Settings = Record<EntityKind, Overrides>;

export const noOverrides = () => Object.create(null) as Overrides;
const noSettings = (): Settings => ({ node: noOverrides(), edge: noOverrides() });

const storageKeys: Record<EntityKind, string> = { node: 'graphrest.appearance', edge: 'graphrest.appearance.edges' };
const own: Settings = { node: readLocalRecord<Override>(storageKeys.node), edge: readLocalRecord<Override>(storageKeys.edge) };
// The styles of types that are kept on the server.
let shared = noSettings();
// The appearance of the saved view that is open. It takes the place of the one that is stored in this browser, so that all see the same.
let ofSavedView: Settings | null = null;
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

/** The members that are set. */
const given = (override: Override | undefined): Override =>
  Object.fromEntries(Object.entries(override ?? {}).filter(([, value]) => value !== undefined));

/** The settings that this user, or the saved view that is open, has of a type. */
export const ownSettingsOf = (kind: EntityKind, type: string): Override => given((ofSavedView ?? own)[kind][type]);

/** The settings of a type as this user sees it: those of all users, and the own ones or those of the saved view that is open. */
const settingsOf = (kind: EntityKind, type: string): Override => ({ ...shared[kind][type], ...ownSettingsOf(kind, type) });

// The colours of the types of the schema: places in the palette. And the shapes that the service gives them.
let places = new Map<string, number>();
let shapePlaces = new Map<string, number>();

/** Gives each type the colour of its hash or, if another type has it, the next that is free; when all are taken, they are given again. */
function assignPlaces(types: string[], taken: number[]): Map<string, number> {
  const assigned = new Map<string, number>();
  let used = new Set(taken);
  for (const type of types) {
    if (used.size >= palette.length) used = new Set();
    let place = hash(type) % palette.length;
    while (used.has(place)) place = (place + 1) % palette.length;
    used.add(place);
    assigned.set(type, place);
  }
  return assigned;
}

export function appearanceOf(type: string | null): Appearance {
  if (type === null) return { colour: '#6b747a', size: 40 };
  return { colour: palette[places.get(type) ?? hash(type) % palette.length]!, size: 40, ...settingsOf('node', type) };
}

/** The name of a node by the caption of its type. */
export const nameOfNode = ({ properties, id, type }: Pick<GraphNode, 'properties' | 'id' | 'type'>) =>
  captionOf(properties, id, appearanceOf(type).caption);

/**
 * The shape of the nodes of a type; a circle if the type is unknown, or has an icon, which tells it from others and fits into circles. For
 * users to whom the service gives no places it depends on the name alone, so that no other type changes it.
 */
export const shapeOf = (type: string | null) =>
  type === null || isIcon(appearanceOf(type).icon) ? null : shapes[(shapePlaces.get(type) ?? hash(type) >>> 8) % shapes.length]!;

export function edgeAppearanceOf(type: string): EdgeAppearance {
  const { width, ...others } = settingsOf('edge', type);
  return width ? { ...others, width } : others;
}

/** The style that all users share of a type. */
export const sharedOf = (kind: EntityKind, type: string): Override => shared[kind][type] ?? {};

/** Whether this user, or the saved view that is open, has settings of a type. */
export const hasOwnSettings = (kind: EntityKind, type: string) => Object.keys(ownSettingsOf(kind, type)).length > 0;

export const isSavedAppearanceShown = () => ofSavedView !== null;

/** The settings that differ from those of all users: of the saved view that is open or, if there is none, those of the given types. */
export function appearanceSettings(types: Record<EntityKind, string[]>): Settings {
  if (ofSavedView) return ofSavedView;
  const settings = noSettings();
  for (const kind of ['node', 'edge'] as const)
    for (const type of types[kind]) if (hasOwnSettings(kind, type)) settings[kind][type] = own[kind][type]!;
  return settings;
}

/** Shows the styles of types that the server keeps. */
export function showSharedStyles(schema: Pick<Schema, 'node_types' | 'edge_types'>) {
  const next = noSettings();
  for (const { type, style } of schema.node_types) {
    if (style)
      next.node[type] = given({ colour: style.color, size: style.size && Number(style.size), caption: style.caption, icon: style.icon });
  }
  for (const { type, style } of schema.edge_types)
    if (style) next.edge[type] = given({ colour: style.color, width: style.width && Number(style.width) });
  // The service says which colour and shape a type has for good, but not to users who do not see everything. For them, types with a colour
  // of their own leave the others the rest of the palette.
  const types = schema.node_types.map(({ type }) => type);
  const placed = new Map(
    schema.node_types.flatMap(({ type, palette_place: place }) => (place ? [[type, Number(place) - 1] as const] : [])),
  );
  const styled = types.flatMap((type) => palette.indexOf(next.node[type]?.colour ?? '')).filter((place) => place >= 0);
  const automatic = types.filter((type) => !next.node[type]?.colour && !placed.has(type));
  const nextPlaces = new Map([...placed, ...assignPlaces(automatic, [...styled, ...placed.values()])]);
  const nextShapes = new Map(
    schema.node_types.flatMap(({ type, shape_place: place }) => (place ? [[type, Number(place) - 1] as const] : [])),
  );
  const now = [shared, ...places, ...shapePlaces];
  if (JSON.stringify([next, ...nextPlaces, ...nextShapes]) === JSON.stringify(now)) return;
  [shared, places, shapePlaces] = [next, nextPlaces, nextShapes];
  notifyListeners();
}

/** Shows the appearance of a saved view until it is closed with null. Changes belong to it meanwhile. */
export function showSavedAppearance(appearance: Settings | null) {
  if (ofSavedView === appearance) return;
  ofSavedView = appearance;
  notifyListeners();
}

function replaceSetting(kind: EntityKind, type: string, override: Override) {
  const replaced = Object.assign(noOverrides(), (ofSavedView ?? own)[kind], { [type]: override });
  if (Object.keys(override).length === 0) delete replaced[type];
  if (ofSavedView) ofSavedView = { ...ofSavedView, [kind]: replaced };
  else {
    own[kind] = replaced;
    writeLocal(storageKeys[kind], replaced);
  }
  notifyListeners();
}

export const setAppearance = (kind: EntityKind, type: string, change: Override) =>
  replaceSetting(kind, type, given({ ...ownSettingsOf(kind, type), ...change }));

/** Removes the settings that this user, or the saved view that is open, has of a type. */
export const resetAppearance = (kind: EntityKind, type: string) => replaceSetting(kind, type, {});

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
