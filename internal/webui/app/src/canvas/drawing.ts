// Cytoscape with this interface's style. Everything that differs between light and dark is in style().
import cytoscape, { type Core, type NodeSingular, type ElementDefinition, type StylesheetJson } from 'cytoscape';
import type { GraphEdge, GraphNode } from '../api/graph';
import { appearanceOf, nameOfNode, edgeAppearanceOf, shapeOf } from '../explore/appearance';
import { canvasShape } from '../explore/shapes';
import { captionOrId, escapeInvisible } from '../values/text';
import { captionSize, followCaptions, maxCaptionWidth, maxWidthAlone } from './captions';
import { fitBeside, type Box } from './fit';
import { iconImage, iconShare } from './icons';
import { countOf, markLabel, type Drawing, type Mark } from './groups';
import { colourOn, type Scales } from './valueStyle';

export type Positions = Map<string, { x: number; y: number; pinned?: boolean }>;

/** The size of nodes without a value, if values give the sizes. */
const smallestSize = 18; // pixels

export function labelOf(node: GraphNode): string {
  const text = node.partial ? captionOrId(node.partial.caption, node.id) : nameOfNode(node);
  return text.length > 32 ? `${text.slice(0, 30)}…` : text;
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
        color: text,
        'font-size': captions,
        'font-family': 'system-ui, sans-serif',
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-wrap': 'ellipsis',
        'text-max-width': `${maxCaptionWidth * captions}px`,
        'text-outline-color': background,
        'text-outline-width': captions / 6,
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
        color: dark ? '#a6b1b8' : '#55636c',
        'font-size': captions * 0.9,
        'font-family': 'system-ui, sans-serif',
        'text-rotation': 'autorotate',
        'text-outline-color': background,
        'text-outline-width': captions / 6,
        'box-selection': 'none',
      },
    },
    { selector: 'node[shape]', style: { shape: 'data(shape)' as never } },
    { selector: 'node[corners]', style: { 'shape-polygon-points': 'data(corners)' as never } },
    {
      selector: 'node[image]',
      style: {
        'background-image': 'data(image)',
        'background-width': `${100 * iconShare}%`,
        'background-height': `${100 * iconShare}%`,
      } as never,
    },
    { selector: '.captioned', style: { label: 'data(label)', 'z-index': 5 } }, // see captions.ts
    { selector: 'node.captioned', style: { 'z-index': ((node: NodeSingular) => 5 + node.degree(false)) as never } },
    { selector: 'edge[colour]', style: { 'line-color': 'data(colour)', 'target-arrow-color': 'data(colour)' } },
    { selector: 'edge[width]', style: { width: 'data(width)' } },
    {
      selector: 'node[?mark]',
      style: { shape: 'round-rectangle', 'background-opacity': 0.75, 'border-style': 'dashed', 'border-color': text },
    },
    { selector: 'edge[?mark]', style: { 'line-style': 'dashed' } },
    { selector: 'edge[?combined]', style: { 'target-arrow-shape': 'none' } }, // in both directions
    { selector: 'node.alone', style: { 'text-max-width': `${maxWidthAlone}px` } },
    { selector: 'node.pinned', style: { 'border-width': 3, 'border-color': dark ? '#e6eaec' : '#1b2429', 'border-style': 'double' } },
    // Captions of faded elements must still be readable.
    { selector: '.faded', style: { opacity: 0.5 } },
    { selector: 'edge.faded', style: { color: text } },
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
  followCaptions(cy);
  return cy;
}

export function applyStyle(cy: Core, dark: boolean) {
  cy.scratch('dark', dark);
  cy.style(style(dark, captionSize(cy.zoom())));
}

function nodeData(node: GraphNode, { nodeColour, nodeSize }: Scales, dark: boolean) {
  const { colour: ofType, size, icon } = appearanceOf(node.type);
  const colour = nodeColour?.of(node) ?? colourOn(ofType, dark);
  return {
    id: node.id,
    type: node.type,
    label: labelOf(node),
    colour,
    image: iconImage(icon, colour),
    ...canvasShape(shapeOf(node.type)),
    size: nodeSize?.of(node) ?? (nodeSize ? smallestSize : size),
  };
}

/** Values give an edge its colour and width, otherwise its type does if it has them. */
function edgeStyle(edge: GraphEdge, { edgeColour, edgeWidth }: Scales, dark: boolean) {
  const ofType = edgeAppearanceOf(edge.type);
  const colour = edgeColour?.of(edge) ?? (ofType.colour && colourOn(ofType.colour, dark));
  const width = edgeWidth ? (edgeWidth.of(edge) ?? 1) : ofType.width;
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
const markData = (mark: Mark, dark: boolean) => ({
  id: mark.id,
  type: mark.type,
  mark: true,
  label: markLabel(mark),
  colour: colourOn(appearanceOf(mark.type).colour, dark),
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
  const dark = cy.scratch('dark') === true;
  const nodes = [...drawing.nodes.map((node) => nodeData(node, scales, dark)), ...drawing.marks.map((mark) => markData(mark, dark))];
  const shownIds = new Set([
    ...nodes.map((data) => data.id),
    ...drawing.edges.map((e) => `edge ${e.id}`),
    ...drawing.marks.map((mark) => `edge ${mark.id}`),
  ]);
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

const padding = 48; // pixels
const maxFitZoom = 1.4; // so that a few nodes do not fill the screen

/** Zooms and pans so that all elements are visible, at most to maxFitZoom, and not below the legend or the tools. */
export function fitView(cy: Core, smoothly: boolean) {
  if (cy.elements().empty() || cy.width() === 0) return;
  if (smoothly && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    cy.animate(fittedViewport(cy), { duration: 250 });
    return;
  }
  cy.viewport(fittedViewport(cy));
}

// Captions do not count: which are shown depends on the zoom.
const withoutCaptions = { includeLabels: false };

function fittedViewport(cy: Core) {
  const nodes = cy.nodes().map((node) => node.boundingBox(withoutCaptions));
  const options = { width: cy.width(), height: cy.height(), covers: coversOf(cy), padding, minZoom: cy.minZoom(), maxZoom: maxFitZoom };
  return fitBeside(cy.elements().boundingBox(withoutCaptions), nodes, options);
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
    if (selection.nonempty()) cy.elements().not(selection.closedNeighborhood().union(selection.connectedNodes())).addClass('faded');
  });
  cy.emit('captions');
}

export function readPositions(cy: Core): Positions {
  const positions: Positions = new Map();
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    positions.set(node.id(), { x: Math.round(x), y: Math.round(y), ...(node.hasClass('pinned') ? { pinned: true } : {}) });
  });
  return positions;
}
