// Cytoscape with this interface's style. Everything that differs between light and dark is in style().
import cytoscape, { type Core, type ElementDefinition, type StylesheetJson } from 'cytoscape';
import fcose from 'cytoscape-fcose';
import type { GraphEdge, GraphNode } from '../api/graph';
import { appearanceOf, edgeAppearanceOf } from '../explore/appearance';
import { captionOf, captionOrId, escapeInvisible } from '../values/text';
import { fitBeside, type Box } from './fit';
import { countOf, markLabel, type Drawing, type Mark } from './groups';
import { lineColour, type Scales } from './valueStyle';

cytoscape.use(fcose);

export type Positions = Map<string, { x: number; y: number; pinned?: boolean }>;

/** The room of a node without edges, in pixels: its caption, which is cut to it, has its largest size at the smallest zoom. */
const cell = { width: 170, height: 78 };

/** The size of nodes without a value, if values give the sizes. */
const smallestSize = 18; // pixels

export function labelOf(node: GraphNode): string {
  const text = node.partial
    ? captionOrId(node.partial.caption, node.id)
    : captionOf(node.properties, node.id, appearanceOf(node.type).caption);
  return text.length > 32 ? `${text.slice(0, 30)}…` : text;
}

/**
 * The size of captions at a zoom level, in pixels of the unzoomed canvas. On the screen they have 11 to 15 pixels, down to the level from
 * which there is no room for them. In steps, because the style of all elements changes with it.
 */
export function captionSize(zoom: number): number {
  return [12, 16, 20, 26].find((size) => size * zoom >= 11) ?? 26;
}

function style(dark: boolean, captions: number): StylesheetJson {
  const text = dark ? '#e6eaec' : '#1b2429';
  const background = dark ? '#15191b' : '#f6f8f9';
  const line = dark ? '#5d6970' : '#a7b3ba';
  const trail = dark ? '#f0a94a' : '#b4540a';
  const accent = dark ? '#58b7cf' : '#0f6b82';
  return [
    {
      selector: 'node',
      style: {
        'background-color': 'data(colour)',
        width: 'data(size)',
        height: 'data(size)',
        label: 'data(label)',
        color: text,
        'font-size': captions,
        'font-family': 'system-ui, sans-serif',
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-wrap': 'ellipsis',
        'text-max-width': `${10 * captions}px`,
        'text-outline-color': background,
        'text-outline-width': 2,
        'min-zoomed-font-size': 10.5,
        'border-width': 2,
        'border-color': background,
        'box-selection': 'overlap',
      },
    },
    {
      selector: 'edge',
      style: {
        width: 1.6,
        'line-color': line,
        'target-arrow-color': line,
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.85,
        'curve-style': 'bezier',
        label: 'data(label)',
        color: dark ? '#a6b1b8' : '#55636c',
        'font-size': captions * 0.9,
        'font-family': 'system-ui, sans-serif',
        'text-rotation': 'autorotate',
        'text-outline-color': background,
        'text-outline-width': 2,
        'min-zoomed-font-size': 9.5,
        'box-selection': 'none',
      },
    },
    { selector: 'edge[colour]', style: { 'line-color': 'data(colour)', 'target-arrow-color': 'data(colour)' } },
    { selector: 'edge[width]', style: { width: 'data(width)' } },
    {
      selector: 'node[?mark]',
      style: { shape: 'round-rectangle', 'background-opacity': 0.75, 'border-style': 'dashed', 'border-color': text },
    },
    { selector: 'edge[?mark]', style: { 'line-style': 'dashed' } },
    { selector: 'edge[?combined]', style: { 'target-arrow-shape': 'none' } }, // in both directions
    { selector: 'node.alone', style: { 'text-max-width': `${cell.width - 10}px` } },
    { selector: 'node.pinned', style: { 'border-width': 3, 'border-color': dark ? '#e6eaec' : '#1b2429', 'border-style': 'double' } },
    // Captions of faded elements must still be readable.
    { selector: '.faded', style: { opacity: dark ? 0.5 : 0.4 } },
    { selector: 'node.path', style: { 'underlay-color': trail, 'underlay-opacity': 0.45, 'underlay-padding': 8, opacity: 1 } },
    { selector: 'edge.path', style: { width: 4, 'line-color': trail, 'target-arrow-color': trail, opacity: 1 } },
    { selector: 'node:selected', style: { 'border-width': 4, 'border-color': accent, 'font-weight': 'bold' } },
    { selector: 'edge:selected', style: { width: 3, 'line-color': accent, 'target-arrow-color': accent } },
  ];
}

/** Creates a canvas. With restyle, it gets its style again when the zoom changes the size of captions. */
export function createCanvas(container: HTMLElement, dark: boolean, restyle = applyStyle): Core {
  const cy = cytoscape({
    container,
    style: style(dark, captionSize(1)),
    minZoom: 0.05,
    maxZoom: 4,
    boxSelectionEnabled: true,
    selectionType: 'single',
    hideEdgesOnViewport: false,
    textureOnViewport: false,
  });
  let captions = captionSize(1);
  cy.on('zoom', () => {
    if (captions === captionSize(cy.zoom())) return;
    captions = captionSize(cy.zoom());
    restyle(cy, cy.scratch('dark') === true);
  });
  cy.scratch('dark', dark);
  return cy;
}

export function applyStyle(cy: Core, dark: boolean) {
  cy.scratch('dark', dark);
  cy.style(style(dark, captionSize(cy.zoom())));
}

function nodeData(node: GraphNode, { nodeColour, nodeSize }: Scales) {
  const { colour, size } = appearanceOf(node.type);
  const { properties } = node;
  return {
    id: node.id,
    type: node.type,
    label: labelOf(node),
    colour: nodeColour?.of(properties) ?? colour,
    size: nodeSize?.of(properties) ?? (nodeSize ? smallestSize : size),
  };
}

/** Values give an edge its colour and width, otherwise its type does if it has them. */
function edgeStyle({ type, properties }: GraphEdge, { edgeColour, edgeWidth }: Scales, dark: boolean) {
  const ofType = edgeAppearanceOf(type);
  const colour = edgeColour?.of(properties) ?? (ofType.colour && lineColour(ofType.colour, dark));
  const width = edgeWidth ? (edgeWidth.of(properties) ?? 1) : ofType.width;
  return { ...(colour ? { colour } : {}), ...(width ? { width } : {}) };
}

function edgeData(edge: GraphEdge, scales: Scales, dark: boolean) {
  return {
    id: `edge ${edge.id}`,
    edge: edge.id,
    type: edge.type,
    source: edge.source_id,
    target: edge.target_id,
    label: escapeInvisible(edge.type),
    ...edgeStyle(edge, scales, dark),
  };
}

/** The size of a mark grows with the logarithm of its count. */
const markData = (mark: Mark) => ({
  id: mark.id,
  type: mark.type,
  mark: true,
  label: markLabel(mark),
  colour: appearanceOf(mark.type).colour,
  size: Math.round(30 + 12 * Math.log10(countOf(mark))),
});

const markEdge = ({ id, hub, direction, edgeType, combined }: Mark) => ({
  id: `edge ${id}`,
  mark: true,
  combined: combined > 0,
  source: direction === 'out' ? hub : id,
  target: direction === 'out' ? id : hub,
  label: escapeInvisible(edgeType),
});

/** Adds and removes elements so that the canvas shows the drawing. Returns the ids of new nodes without a stored position. */
export function syncElements(cy: Core, drawing: Drawing, positions: Positions, scales: Scales = {}): string[] {
  const nodes = [...drawing.nodes.map((node) => nodeData(node, scales)), ...drawing.marks.map(markData)];
  const shownIds = new Set([
    ...nodes.map((data) => data.id),
    ...drawing.edges.map((e) => `edge ${e.id}`),
    ...drawing.marks.map((mark) => `edge ${mark.id}`),
  ]);
  const dark = cy.scratch('dark') === true;
  const newIds: string[] = [];
  cy.batch(() => {
    cy.elements()
      .filter((element) => !shownIds.has(element.id()))
      .remove();
    const added: ElementDefinition[] = [];
    for (const data of nodes) {
      const existing = cy.getElementById(data.id);
      if (existing.nonempty()) {
        existing.data(data);
        continue;
      }
      const saved = positions.get(data.id);
      if (!saved) newIds.push(data.id);
      added.push({
        group: 'nodes',
        data,
        ...(saved ? { position: { x: saved.x, y: saved.y } } : {}),
        ...(saved?.pinned ? { classes: 'pinned' } : {}),
      });
    }
    for (const mark of drawing.marks)
      if (cy.getElementById(`edge ${mark.id}`).empty()) added.push({ group: 'edges', data: markEdge(mark) });
    for (const edge of drawing.edges) {
      const existing = cy.getElementById(`edge ${edge.id}`);
      if (existing.empty()) added.push({ group: 'edges', data: edgeData(edge, scales, dark) });
      else existing.removeData('colour width').data(edgeStyle(edge, scales, dark));
    }
    cy.add(added);
    cy.nodes().forEach((node) => {
      node.toggleClass('alone', node.degree(false) === 0);
    });
  });
  return newIds;
}

interface Fixed {
  nodeId: string;
  position: { x: number; y: number };
}

/** Lays out the given nodes; all others and pinned nodes keep their positions. */
export function runLayout(cy: Core, newIds: string[] | 'all') {
  const nodes = cy.nodes();
  if (nodes.empty()) return;
  const all = newIds === 'all' || newIds.length === nodes.length;
  const movingIds = new Set(newIds === 'all' ? nodes.map((n) => n.id()) : newIds);
  const moving = nodes.filter((node) => movingIds.has(node.id()) && !node.hasClass('pinned'));
  const alone = moving.filter('.alone');
  // The counts of a hub arrive after its neighbors have been placed.
  const marks = all ? cy.collection() : moving.filter('[?mark]');
  const laidOut = cy.elements().not(alone).not(marks).not(marks.connectedEdges());
  const fixed: Fixed[] = laidOut
    .nodes()
    .not(moving)
    .nodes()
    .map((node) => ({ nodeId: node.id(), position: { ...node.position() } }));
  if (!all) placeNearNeighbors(moving.not(alone).not(marks));
  if (laidOut.nodes().intersection(moving).nonempty()) {
    laidOut
      .layout({
        name: 'fcose',
        quality: nodes.length > 600 ? 'draft' : 'default',
        randomize: all,
        animate: false,
        fit: false,
        nodeSeparation: 90,
        idealEdgeLength: 105,
        nodeRepulsion: 7000,
        packComponents: true,
        nodeDimensionsIncludeLabels: true,
        fixedNodeConstraint: fixed.length > 0 ? fixed : undefined,
      } as unknown as cytoscape.LayoutOptions)
      .run();
  }
  placeAround(cy, marks as cytoscape.NodeCollection);
  if (alone.nonempty()) placeInGrid(cy, alone, cy.elements().not(alone).nonempty() ? cy.elements().not(alone).boundingBox({}) : null);
}

/** Places nodes without edges in rows below or beside the rest of the graph, so that all of it is shown as large as possible. */
function placeInGrid(cy: Core, nodes: cytoscape.NodeCollection, rest: cytoscape.BoundingBox12 | null) {
  const [restWidth, restHeight] = rest ? [rest.x2 - rest.x1, rest.y2 - rest.y1] : [0, 0];
  const best = { zoom: 0, columns: 1, beside: false };
  for (let columns = 1; columns <= nodes.length; columns++) {
    const [width, height] = [columns * cell.width, Math.ceil(nodes.length / columns) * cell.height];
    for (const beside of rest ? [false, true] : [false]) {
      const all = beside ? [restWidth + width, Math.max(restHeight, height)] : [Math.max(restWidth, width), restHeight + height];
      const zoom = Math.min((cy.width() || 1) / all[0]!, (cy.height() || 1) / all[1]!);
      if (zoom > best.zoom) Object.assign(best, { zoom, columns, beside });
    }
  }
  const rows = Math.ceil(nodes.length / best.columns);
  const left = best.beside ? rest!.x2 + cell.width / 2 : (rest ? (rest.x1 + rest.x2) / 2 : 0) - ((best.columns - 1) * cell.width) / 2;
  const top = best.beside ? (rest!.y1 + rest!.y2 - (rows - 1) * cell.height) / 2 : (rest?.y2 ?? 0) + cell.height / 2;
  nodes.forEach((node, index) => {
    node.position({ x: left + (index % best.columns) * cell.width, y: top + Math.floor(index / best.columns) * cell.height });
  });
}

/** Places new marks on a circle around their hub, outside of its neighbors. */
function placeAround(cy: Core, marks: cytoscape.NodeCollection) {
  const hubs = new Map<string, cytoscape.NodeSingular[]>();
  marks.forEach((mark) => {
    const hub = mark.neighborhood('node').first();
    hubs.set(hub.id(), [...(hubs.get(hub.id()) ?? []), mark]);
  });
  for (const [id, around] of hubs) {
    const hub = cy.getElementById(id);
    const { x, y } = hub.position();
    const distances = hub
      .neighborhood('node')
      .not(marks)
      .nodes()
      .map((node) => Math.hypot(node.position('x') - x, node.position('y') - y));
    const radius = Math.max(110, ...distances) + 110;
    around.forEach((mark, index) => {
      const angle = ((index + 0.5) * 2 * Math.PI) / around.length;
      mark.position({ x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) });
    });
  }
}

const padding = 48; // pixels
const maxFitZoom = 1.4; // so that a few nodes do not fill the screen

/** Zooms and pans so that all elements are visible, at most to maxFitZoom, and not below the legend or the tools. */
export function fitView(cy: Core, smoothly: boolean) {
  if (cy.elements().empty() || cy.width() === 0) return;
  if (smoothly && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    cy.animate(fittedViewport(cy), { duration: 250 });
    return;
  }
  cy.zoom(zoomOfPositions(cy)); // measuring captions takes most of the time: most often it is done once, for about the right zoom
  const captions = captionSize(cy.zoom());
  cy.viewport(fittedViewport(cy));
  if (captionSize(cy.zoom()) !== captions) cy.viewport(fittedViewport(cy)); // with captions of the new zoom, which are wider or narrower
}

/** The zoom at which the positions of all nodes are visible. */
function zoomOfPositions(cy: Core): number {
  const positions = cy.nodes().map((node) => node.position());
  const scale = (room: number, along: number[]) => (room - 2 * padding) / Math.max(Math.max(...along) - Math.min(...along), 1);
  const zoom = Math.min(
    scale(
      cy.width(),
      positions.map(({ x }) => x),
    ),
    scale(
      cy.height(),
      positions.map(({ y }) => y),
    ),
    maxFitZoom,
  );
  return Math.max(zoom, cy.minZoom());
}

function fittedViewport(cy: Core) {
  const nodes = cy.nodes().map((node) => node.boundingBox({}));
  const options = { width: cy.width(), height: cy.height(), covers: coversOf(cy), padding, minZoom: cy.minZoom(), maxZoom: maxFitZoom };
  return fitBeside(cy.elements().boundingBox({}), nodes, options);
}

/** What lies over the canvas. */
export const overlaysOf = (cy: Core): Element[] => [...(cy.container()?.parentElement?.querySelectorAll('.legend, .canvas-tools') ?? [])];

function coversOf(cy: Core): Box[] {
  const stage = cy.container()!.getBoundingClientRect();
  return overlaysOf(cy).map((overlay) => {
    const { left, top, right, bottom } = overlay.getBoundingClientRect();
    return { x1: left - stage.left, y1: top - stage.top, x2: right - stage.left, y2: bottom - stage.top };
  });
}

/** Places new nodes near a neighbor that has a position, because the layout starts from there. */
function placeNearNeighbors(moving: cytoscape.NodeCollection) {
  let turn = 0;
  moving.forEach((node) => {
    const anchor = node.neighborhood('node').not(moving).first();
    const from = anchor.nonempty() ? (anchor as cytoscape.NodeSingular).position() : { x: 0, y: 0 };
    turn += 2.4; // the golden angle, in radians, spreads any number evenly
    node.position({ x: from.x + Math.cos(turn) * 110, y: from.y + Math.sin(turn) * 110 });
  });
}

/** Marks the elements of a path, and fades all others except the selection and its neighbors. */
export function highlight(cy: Core, ids: string[], path: string[]) {
  cy.batch(() => {
    cy.elements().removeClass(['faded', 'path']);
    for (const id of path) cy.getElementById(id).addClass('path');
    const selection = cy.collection(
      ids
        .map((id) => cy.getElementById(id))
        .filter((e) => e.nonempty())
        .flatMap((e) => e.toArray()) as never,
    );
    if (selection.empty()) return;
    cy.elements().not(selection.closedNeighborhood().union(selection.connectedNodes())).addClass('faded');
  });
}

export function readPositions(cy: Core): Positions {
  const positions: Positions = new Map();
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    positions.set(node.id(), { x: Math.round(x), y: Math.round(y), ...(node.hasClass('pinned') ? { pinned: true } : {}) });
  });
  return positions;
}
