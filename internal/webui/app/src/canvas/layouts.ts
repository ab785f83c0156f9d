// Where nodes were on the canvas, kept for each selection until the tab is closed.
import type { Positions } from './drawing';

const key = (name: string) => `graphrest.layout ${name}`;

export function keptLayout(name: string): Positions {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(key(name)) ?? '[]') as [string, { x: number; y: number; pinned?: boolean }][]);
  } catch {
    return new Map();
  }
}

export function keepLayout(name: string, positions: Positions) {
  try {
    sessionStorage.setItem(key(name), JSON.stringify([...positions]));
  } catch {
    // Storage may be full or switched off; then the layout is made anew.
  }
}
