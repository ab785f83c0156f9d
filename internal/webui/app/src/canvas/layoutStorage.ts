// The positions of nodes on the canvas, stored for each selection until the tab is closed.
import type { Positions } from './drawing';

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
