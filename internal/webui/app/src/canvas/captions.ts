// Which captions are drawn: as many as have room without covering each other, the most important first.
import type { Core, EdgeSingular, NodeSingular } from 'cytoscape';
import { cell } from './cell';

/** Where there are more edges, or one type of them, only the edges that are pointed at, selected or on a path have captions. */
const maxEdgesWithCaptions = 60;

/** The least height of captions on the screen, in pixels. */
const minHeight = 11;
const lineHeight = 1.25;
const belowNode = 4; // pixels of the unzoomed canvas, as the text margin in drawing.ts

/** The size of captions at a zoom level, in pixels of the unzoomed canvas, so that they have 11 to 15 pixels on the screen. */
export function captionSize(zoom: number): number {
  // In steps, because the style of all elements changes with it.
  let size = 12;
  while (size * zoom < minHeight) size *= 1.25;
  return size;
}

/** The width of captions, as a multiple of their size; a longer one is cut. */
export const maxCaptionWidth = 10;

/** The width of the caption of a node without edges, in pixels of the unzoomed canvas. */
export const maxWidthAlone = cell.width - 10;

interface Box {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface Candidate {
  id: string;
  /** The caption on the screen, in pixels. */
  box: Box;
  /** The node itself, which captions that are not more important must not cover. */
  node?: Box;
  priority: number;
}

const tile = 64; // pixels

const overlap = (a: Box, b: Box) => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;

function tilesOf({ x1, y1, x2, y2 }: Box): string[] {
  const keys: string[] = [];
  for (let x = Math.floor(x1 / tile); x <= Math.floor(x2 / tile); x++)
    for (let y = Math.floor(y1 / tile); y <= Math.floor(y2 / tile); y++) keys.push(`${x} ${y}`);
  return keys;
}

/** Boxes by the tiles of the screen in which they lie. */
class Tiles<T> {
  private tiles = new Map<string, [Box, T][]>();
  add(box: Box, of: T) {
    for (const key of tilesOf(box)) {
      const found = this.tiles.get(key);
      if (found) found.push([box, of]);
      else this.tiles.set(key, [[box, of]]);
    }
  }
  has = (box: Box, accept: (of: T) => boolean) =>
    tilesOf(box).some((key) => this.tiles.get(key)?.some(([other, of]) => overlap(box, other) && accept(of)));
}

/** Chooses captions that cover neither each other nor a node that is as important: more important ones before others. */
export function chooseCaptions(candidates: Candidate[]): Set<string> {
  const chosen = new Set<string>();
  const nodes = new Tiles<Candidate>();
  for (const candidate of candidates) if (candidate.node) nodes.add(candidate.node, candidate);
  const captions = new Tiles<null>();
  for (const candidate of candidates.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))) {
    const { id, box, priority } = candidate;
    if (captions.has(box, () => true) || nodes.has(box, (other) => other.id !== id && other.priority >= priority)) continue;
    chosen.add(id);
    captions.add(box, null);
  }
  return chosen;
}

let board: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

/** The width of a text of one pixel's size; that of selected nodes is bold. */
function textWidth(text: string, bold = false): number {
  const key = bold ? `bold ${text}` : `text ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    board ??= document.createElement('canvas').getContext('2d');
    if (board) board.font = `${bold ? 'bold ' : ''}100px system-ui, sans-serif`;
    width = board ? board.measureText(text).width / 100 : text.length * 0.56;
    if (widths.size > 20_000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** Pointed at, selected, on a path, then by the number of edges; what is faded comes last. */
function priorityOf(element: NodeSingular | EdgeSingular, hovered: string): number {
  if (element.id() === hovered) return 4e6;
  if (element.selected()) return 3e6;
  if (element.hasClass('path')) return 2e6;
  const degree = element.isNode() ? element.degree(false) : 0;
  return element.hasClass('faded') ? degree - 2e6 : element.isNode() ? degree : degree - 1e6;
}

/** whole: also those out of view. */
function candidatesOf(cy: Core, hovered: string, whole = false): Candidate[] {
  const zoom = cy.zoom();
  const size = captionSize(zoom) * zoom;
  const [width, height] = [cy.width(), cy.height()];
  const candidates: Candidate[] = [];
  const around = (x: number, y: number, w: number, h: number) => ({ x1: x - w / 2, y1: y - h / 2, x2: x + w / 2, y2: y + h / 2 });
  const add = (element: NodeSingular | EdgeSingular, box: Box, node?: Box) => {
    if (!whole && (box.x2 < 0 || box.y2 < 0 || box.x1 > width || box.y1 > height)) return;
    candidates.push({ id: element.id(), box, node, priority: priorityOf(element, hovered) });
  };
  cy.nodes().forEach((node) => {
    const { x, y } = node.renderedPosition();
    const limit = node.hasClass('alone') ? maxWidthAlone * zoom : maxCaptionWidth * size;
    const w = Math.min(textWidth(String(node.data('label')), node.selected()) * size, limit);
    const top = y + (node.height() / 2 + belowNode) * zoom;
    const inner = node.height() * zoom * 0.7; // the square within the circle
    add(node, around(x, top + (size * lineHeight) / 2, w, size * lineHeight), around(x, y, inner, inner));
  });
  for (const edge of edgesWithCaptions(cy, hovered)) {
    const [from, to] = [edge.source().renderedPosition(), edge.target().renderedPosition()];
    const w = textWidth(String(edge.data('label'))) * size * 0.9;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    // The text lies along the edge, that of a loop at the upper left of its node.
    const [cos, sin] = length > 0 ? [Math.abs(to.x - from.x) / length, Math.abs(to.y - from.y) / length] : [Math.SQRT1_2, Math.SQRT1_2];
    const h = size * lineHeight;
    const { x, y } = edge.renderedMidpoint(); // edges between the same nodes are curved
    add(edge, around(x, y, w * cos + h * sin, w * sin + h * cos));
  }
  return candidates;
}

function edgesWithCaptions(cy: Core, hovered: string): EdgeSingular[] {
  const edges = cy.edges().toArray();
  const all = edges.length <= maxEdgesWithCaptions && new Set(edges.map((edge) => String(edge.data('label')))).size > 1;
  return all ? edges : edges.filter((edge) => edge.selected() || edge.hasClass('path') || edge.id() === hovered);
}

/** How many captions have room. */
export const countCaptions = (cy: Core): number => chooseCaptions(candidatesOf(cy, '')).size;

/** Shows the captions that have room in the whole graph, for an image of it. Returns what shows those of the view again. */
export function captionWhole(cy: Core): () => void {
  const before = cy.$('.captioned');
  const chosen = chooseCaptions(candidatesOf(cy, '', true));
  cy.batch(() => {
    before.removeClass('captioned');
    for (const id of chosen) cy.getElementById(id).addClass('captioned');
  });
  return () => cy.batch(() => void (cy.elements().removeClass('captioned'), before.addClass('captioned')));
}

/** The caption of a node of a size, cut to the width that it has on the canvas. */
export function captionText(node: NodeSingular, size: number): string {
  const text = String(node.data('label'));
  const limit = node.hasClass('alone') ? maxWidthAlone : maxCaptionWidth * size;
  const fits = (part: string) => textWidth(part) * size <= limit;
  if (fits(text)) return text;
  let end = text.length - 1;
  while (end > 1 && !fits(`${text.slice(0, end)}…`)) end--;
  return `${text.slice(0, end)}…`;
}

/** Shows the captions that have room: now, and after each change of the view, the elements or the selection. */
export function followCaptions(cy: Core) {
  let frame = 0;
  let hovered = '';
  let shown = new Set<string>();
  const update = () => {
    frame = 0;
    if (cy.destroyed()) return;
    const next = chooseCaptions(candidatesOf(cy, hovered));
    cy.batch(() => {
      for (const id of shown) if (!next.has(id)) cy.getElementById(id).removeClass('captioned');
      for (const id of next) if (!shown.has(id)) cy.getElementById(id).addClass('captioned');
    });
    shown = next;
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(update);
  };
  cy.on('mouseover', 'node, edge', (event) => {
    hovered = (event.target as { id: () => string }).id();
    schedule();
  });
  cy.on('mouseout', 'node, edge', () => {
    hovered = '';
    schedule();
  });
  cy.on('viewport resize', schedule);
  cy.on('position add remove data select unselect', 'node, edge', schedule);
  cy.on('destroy', () => cancelAnimationFrame(frame));
  // Fading and paths are classes of elements.
  cy.on('captions', schedule);
  schedule();
}
