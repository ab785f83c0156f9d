// Layouts by levels: hierarchical from top to bottom along the edges, or radial around a center. Other than by forces, they are computed at
// once, since each node is looked at a few times only.
import { cell } from './cell';

export type LevelKind = 'hierarchical' | 'radial';

export interface LevelGraph {
  ids: string[];
  /** Source and target. */
  edges: [string, string][];
  /** Where the levels begin, if the user has selected them. */
  roots: string[];
}

type Point = { x: number; y: number };

/** The distance of levels in pixels. */
const levelHeight = 150;

/** How many nodes of a level stand in one row: a component is about as much wider than high as a canvas. */
const rowLength = (nodes: number) => Math.max(4, Math.ceil(Math.sqrt(nodes * 1.4)));

const ring = 170;

interface Neighbors {
  out: Map<string, string[]>;
  both: Map<string, string[]>;
  incoming: Map<string, number>;
}

function neighborsOf({ ids, edges }: LevelGraph): Neighbors {
  const known = new Set(ids);
  const out = new Map(ids.map((id): [string, string[]] => [id, []]));
  const both = new Map(ids.map((id): [string, string[]] => [id, []]));
  const incoming = new Map<string, number>();
  for (const [source, target] of edges) {
    if (source === target || !known.has(source) || !known.has(target)) continue;
    out.get(source)!.push(target);
    both.get(source)!.push(target);
    both.get(target)!.push(source);
    incoming.set(target, (incoming.get(target) ?? 0) + 1);
  }
  return { out, both, incoming };
}

function componentsOf(ids: string[], both: Neighbors['both']): string[][] {
  const seen = new Set<string>();
  return ids.flatMap((first) => {
    if (seen.has(first)) return [];
    seen.add(first);
    const found = [first];
    for (let i = 0; i < found.length; i++)
      for (const next of both.get(found[i]!)!)
        if (!seen.has(next)) {
          seen.add(next);
          found.push(next);
        }
    return [found];
  });
}

/** The level of each node of a component: its distance from the roots, along the edges first. */
function levelsOf(component: string[], kind: LevelKind, chosen: ReadonlySet<string>, { out, both, incoming }: Neighbors): string[][] {
  const ofUser = component.filter((id) => chosen.has(id));
  const sources = component.filter((id) => !incoming.has(id));
  const largest = component.reduce((a, b) => (both.get(b)!.length > both.get(a)!.length ? b : a));
  const roots = ofUser.length > 0 ? ofUser : kind === 'hierarchical' && sources.length > 0 ? sources : [largest];
  const level = new Map(roots.map((id) => [id, 0]));
  for (const along of kind === 'hierarchical' ? [out, both] : [both]) {
    const queue = [...level.keys()].sort((a, b) => level.get(a)! - level.get(b)!);
    for (let i = 0; i < queue.length; i++)
      for (const next of along.get(queue[i]!)!)
        if (!level.has(next)) {
          level.set(next, level.get(queue[i]!)! + 1);
          queue.push(next);
        }
  }
  const levels: string[][] = [];
  for (const [id, at] of level) (levels[at] ??= []).push(id);
  return sortLevels(levels, both);
}

/** Orders each level by the places of its neighbors in the level before, so that few edges cross. */
function sortLevels(levels: string[][], both: Neighbors['both']): string[][] {
  const place = new Map<string, number>();
  for (const ids of levels) {
    const wanted = new Map(
      ids.map((id, i) => {
        const before = both.get(id)!.flatMap((other) => place.get(other) ?? []);
        return [id, before.length > 0 ? before.reduce((a, b) => a + b, 0) / before.length : i / ids.length];
      }),
    );
    ids.sort((a, b) => wanted.get(a)! - wanted.get(b)!);
    for (const [i, id] of ids.entries()) place.set(id, (i + 0.5) / ids.length);
  }
  return levels;
}

/** A level that is too long for one row is placed column by column, so that each node stays near its neighbors in the level before. */
function placeRows(levels: string[][]): Placed {
  const positions = new Map<string, Point>();
  const most = Math.max(...levels.map((ids) => ids.length));
  const widest = Math.min(rowLength(levels.flat().length), most);
  let top = 0;
  for (const ids of levels) {
    const rows = Math.ceil(ids.length / widest);
    const columns = Math.ceil(ids.length / rows);
    for (const [i, id] of ids.entries()) {
      const column = (widest - columns) / 2 + Math.floor(i / rows) + 0.5;
      positions.set(id, { x: column * cell.width, y: top + (i % rows) * (cell.height + 20) });
    }
    top += (rows - 1) * (cell.height + 20) + levelHeight;
  }
  return { positions, width: widest * cell.width, height: top - levelHeight };
}

function placeRings(levels: string[][]): Placed {
  const positions = new Map<string, Point>();
  const radii: number[] = [];
  for (const [i, ids] of levels.entries()) {
    const needed = ids.length === 1 && i === 0 ? 0 : (ids.length * cell.height) / (2 * Math.PI);
    radii.push(i === 0 ? needed : Math.max(needed, radii[i - 1]! + ring));
  }
  const outer = radii.at(-1)!;
  const center = outer + cell.width / 2;
  for (const [i, ids] of levels.entries())
    for (const [k, id] of ids.entries()) {
      const angle = ((k + 0.5) / ids.length) * 2 * Math.PI - Math.PI / 2;
      positions.set(id, { x: center + radii[i]! * Math.cos(angle), y: outer + radii[i]! * Math.sin(angle) });
    }
  return { positions, width: 2 * center, height: 2 * outer };
}

/** A component that is placed right of and below the origin. */
interface Placed {
  positions: Map<string, Point>;
  width: number;
  height: number;
}

/** How much wider than high a canvas is, and how many ways to divide components into rows are tried. */
const canvasRatio = 1.6;
const maxTried = 60;

/** Places components from left to right, in rows of at most a width. Returns where each begins, and the size of all. */
function placeInRows(components: Placed[], widest: number) {
  let [left, top, rowHeight, width] = [0, 0, 0, 0];
  const begins = components.map((component): Point => {
    if (left > 0 && left + component.width > widest) [left, top, rowHeight] = [0, top + rowHeight + levelHeight, 0];
    const begin = { x: left, y: top };
    width = Math.max(width, left + component.width);
    left += component.width + cell.width;
    rowHeight = Math.max(rowHeight, component.height);
    return begin;
  });
  return { begins, ratio: width / (top + rowHeight + levelHeight) };
}

/** Places components, the largest first, in rows that have together the form of a canvas. */
function placeBeside(components: Placed[]): Map<string, Point> {
  const step = Math.ceil(components.length / maxTried);
  let first = -cell.width;
  let best = { begins: [] as Point[], ratio: 0 };
  for (const [i, { width }] of components.entries()) {
    first += cell.width + width;
    if (i % step > 0 && i < components.length - 1) continue;
    const tried = placeInRows(components, first);
    if (Math.abs(Math.log(tried.ratio / canvasRatio)) < Math.abs(Math.log(best.ratio / canvasRatio))) best = tried;
  }
  const all = new Map<string, Point>();
  for (const [i, { positions }] of components.entries())
    for (const [id, { x, y }] of positions) all.set(id, { x: best.begins[i]!.x + x, y: best.begins[i]!.y + y });
  return all;
}

/** The positions of connected nodes. */
export function placeInLevels(graph: LevelGraph, kind: LevelKind): Map<string, Point> {
  const neighbors = neighborsOf(graph);
  const chosen = new Set(graph.roots);
  const components = componentsOf(graph.ids, neighbors.both).sort((a, b) => b.length - a.length);
  const place = kind === 'radial' ? placeRings : placeRows;
  return placeBeside(components.map((component) => place(levelsOf(component, kind, chosen, neighbors))));
}
