// The positions of nodes on the canvas, stored for each selection until the tab is closed.
import { formatCondition } from '../explore/filters';
import type { View } from '../explore/url';
import type { Positions } from './drawing';

/** The name under which the positions of a view's canvas are stored. */
export const layoutNameOf = (view: View) => `${view.kind} ${view.type ?? '*'} ${view.start}${view.conditions.map(formatCondition).join(' ')}`;

const storageKey = (name: string) => `graphrest.layout ${name}`;

export function loadLayout(name: string): Positions {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey(name)) ?? '[]') as [string, { x: number; y: number; pinned?: boolean }][]);
  } catch {
    return new Map();
  }
}

export function saveLayout(name: string, positions: Positions) {
  try {
    sessionStorage.setItem(storageKey(name), JSON.stringify([...positions]));
  } catch {
    // Storage may be full or disabled; then the layout is computed again.
  }
}

let readDrawn: (() => Positions) | null = null;

/** Says how to read the positions on the canvas that is shown; null if there is none any more. */
export function setDrawn(read: (() => Positions) | null) {
  readDrawn = read;
}

/** The positions on the canvas that is shown. */
export const drawnPositions = (): Positions => readDrawn?.() ?? new Map();
