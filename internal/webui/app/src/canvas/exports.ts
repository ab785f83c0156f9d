// Exports of the canvas as files.
import type { Core, EdgeSingular } from 'cytoscape';
import { bodyText } from '../api/json';
import { getNeighbors } from '../api/graph';
import { appearanceOf, shapeOf } from '../explore/appearance';
import { completeNodes } from './complete';
import { edgesCsv, nodesCsv } from '../transfer/csv';
import { save } from '../transfer/save';
import { captionSize, captionText, captionWhole } from './captions';
import { drawIcon } from './icons';
import { drawLegend, drawMark, enlarge, escapeXml, legendWidth, type ImageColours, type LegendEntry } from './legendImage';
import type { CanvasContent } from './model';

const gap = 16; // pixels between the graph and its legend
const scale = 2; // pixels of a PNG for each pixel of the canvas
const largest = 8000;
const legendShare = 0.16; // of the width of the graph, at least

/** Saves the graph as PNG, with the legend at its right. */
export async function savePng(cy: Core, colours: ImageColours, entries: LegendEntry[]) {
  const faded = cy.$('.faded').removeClass('faded'); // the selection is of the screen
  const showView = captionWhole(cy);
  const image = cy.png({ output: 'blob-promise', full: true, scale, bg: colours.background, maxWidth: largest, maxHeight: largest });
  showView();
  faded.addClass('faded');
  const graph = await createImageBitmap(await image);
  const legend = drawLegend(entries, colours);
  // The larger the graph, the smaller its image is shown.
  const enlarged = scale * Math.max(1, (graph.width * legendShare) / (legend.width * scale));
  const [width, height] = [legend.width * enlarged, legend.height * enlarged];
  const board = document.createElement('canvas');
  board.width = graph.width + width + 2 * gap * scale;
  board.height = Math.max(graph.height, height + 2 * gap * scale);
  const context = board.getContext('2d')!;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, board.width, board.height);
  context.drawImage(graph, 0, 0);
  const drawnLegend = new Image(width, height);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${legend.width} ${legend.height}" font-family="system-ui, sans-serif">${legend.svg}</svg>`;
  drawnLegend.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await drawnLegend.decode();
  context.drawImage(drawnLegend, graph.width + gap * scale, gap * scale, width, height);
  const blob = await new Promise<Blob | null>((done) => board.toBlob(done, 'image/png'));
  if (!blob) throw new Error('The image is too large for this browser.');
  save('graph.png', 'image/png', blob);
}

export async function saveJson(content: CanvasContent) {
  const nodes = await completeNodes(content, getNeighbors);
  const edges = content.edges.map(({ source: _, target: __, ...edge }) => edge);
  save('graph.json', 'application/json', bodyText({ nodes, edges }, 2));
}

export const saveNodesCsv = async (content: CanvasContent) =>
  save('nodes.csv', 'text/csv;charset=utf-8', nodesCsv(await completeNodes(content, getNeighbors)));
export const saveEdgesCsv = async (content: CanvasContent) => save('edges.csv', 'text/csv;charset=utf-8', edgesCsv(content.edges));

/** Renders the canvas as SVG, with the legend at its right: circles, rectangles, lines with arrows, and text as text elements. */
export function renderSvg(cy: Core, colours: ImageColours, entries: LegendEntry[]): string {
  const showView = captionWhole(cy);
  const bounds = cy.elements().boundingBox({});
  const captions = captionSize(cy.zoom());
  const padding = 24;
  const parts: string[] = [];
  const texts: string[] = []; // above everything else: a node that is drawn later would cover a caption
  const arrows = new Map<string, string>();
  cy.edges().forEach((edge) => {
    const { x, y } = edge.midpoint();
    const colour = String(edge.data('colour') ?? colours.line);
    const arrow = arrows.get(colour) ?? `arrow${arrows.size}`;
    arrows.set(colour, arrow);
    parts.push(
      drawElement('path', {
        d: drawPath(edge),
        fill: 'none',
        stroke: colour,
        'stroke-width': Number(edge.data('width') ?? 1.6),
        'marker-end': `url(#${arrow})`,
      }),
    );
    const caption = { x, y, 'font-size': captions * 0.9, 'text-anchor': 'middle', fill: colours.text };
    if (edge.hasClass('captioned')) texts.push(drawElement('text', caption, escapeXml(String(edge.data('label')))));
  });
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    const size = Number(node.data('size'));
    const radius = size / 2;
    const fill = String(node.data('colour'));
    const type = (node.data('type') as string | undefined) ?? null;
    const square = { x: x - radius, y: y - radius, width: size, height: size, rx: 6 };
    parts.push(
      node.data('mark')
        ? drawElement('rect', { ...square, fill, 'fill-opacity': '0.75', stroke: colours.text, 'stroke-dasharray': '4 3' })
        : drawMark(shapeOf(type), x, y, radius, fill) + drawIcon(appearanceOf(type).icon, x, y, size, fill),
    );
    const caption = { x, y: y + radius + 4 + captions, 'font-size': captions, 'text-anchor': 'middle', fill: colours.text };
    if (node.hasClass('captioned')) texts.push(drawElement('text', caption, escapeXml(captionText(node, captions))));
  });
  showView();
  parts.push(...texts);
  const legend = enlarge(drawLegend(entries, colours), Math.max(1, (bounds.w * legendShare) / legendWidth));
  const [left, top] = [bounds.x1 - padding, bounds.y1 - padding];
  const [width, height] = [bounds.w + 2 * padding + legend.width + gap, Math.max(bounds.h + 2 * padding, legend.height + 2 * gap)];
  parts.push(`<g transform="translate(${formatPosition(left + width - legend.width - gap, top + gap)})">${legend.svg}</g>`);
  const marker = { viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto' };
  const drawArrow = (fill: string) => drawElement('path', { d: 'M0 0 10 5 0 10z', fill });
  const markers = [...arrows].map(([fill, id]) => drawElement('marker', { id, ...marker }, drawArrow(fill)));
  return drawElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `${formatPosition(left, top)} ${formatPosition(width, height)}`,
      width,
      height,
      'font-family': 'system-ui, sans-serif',
    },
    `<defs>${markers.join('')}</defs>` + drawElement('rect', { x: left, y: top, width, height, fill: colours.background }) + parts.join(''),
  );
}

/** The path of an edge: a loop is a cubic curve beside its node, another edge a quadratic one through its midpoint. */
function drawPath(edge: EdgeSingular): string {
  const [from, to, middle] = [edge.sourceEndpoint(), edge.targetEndpoint(), edge.midpoint()];
  const start = `M${formatPosition(from.x, from.y)}`;
  const end = formatPosition(to.x, to.y);
  if (edge.isLoop())
    return `${start} C${formatPosition(middle.x - 30, middle.y - 10)} ${formatPosition(middle.x + 10, middle.y - 30)} ${end}`;
  return `${start} Q${formatPosition(2 * middle.x - (from.x + to.x) / 2, 2 * middle.y - (from.y + to.y) / 2)} ${end}`;
}

/** An element of SVG around content, which is SVG too. Attributes are escaped, and their numbers are rounded to tenths. */
function drawElement(name: string, attributes: Record<string, string | number>, content?: string): string {
  const written = Object.entries(attributes).map(
    ([attribute, value]) => ` ${attribute}="${typeof value === 'number' ? formatNumber(value) : escapeXml(value)}"`,
  );
  return `<${name}${written.join('')}${content === undefined ? '/>' : `>${content}</${name}>`}`;
}

const formatNumber = (n: number) => String(Math.round(n * 10) / 10);
const formatPosition = (x: number, y: number) => `${formatNumber(x)} ${formatNumber(y)}`;

export function saveSvg(cy: Core, colours: ImageColours, entries: LegendEntry[]) {
  save('graph.svg', 'image/svg+xml', renderSvg(cy, colours, entries));
}
