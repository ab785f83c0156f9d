// Exports of the canvas as files.
import type { Core } from 'cytoscape';
import { bodyText } from '../api/json';
import { getNeighbors } from '../api/graph';
import { completeNodes } from './complete';
import { edgesCsv, nodesCsv } from '../transfer/csv';
import { save } from '../transfer/save';
import { drawLegend, escapeXml, type ImageColours, type LegendEntry } from './legendImage';
import type { CanvasContent } from './model';

const gap = 16; // pixels between the graph and its legend
const scale = 2; // pixels of a PNG for each pixel of the canvas
const largest = 8000;

/** Saves the graph as PNG, with the legend at its right. */
export async function savePng(cy: Core, colours: ImageColours, entries: LegendEntry[]) {
  const graph = await createImageBitmap(
    await cy.png({ output: 'blob-promise', full: true, scale, bg: colours.background, maxWidth: largest, maxHeight: largest }),
  );
  const legend = drawLegend(entries, colours);
  const [width, height] = [legend.width * scale, legend.height * scale];
  const board = document.createElement('canvas');
  board.width = graph.width + width + 2 * gap * scale;
  board.height = Math.max(graph.height, height + 2 * gap * scale);
  const context = board.getContext('2d')!;
  context.fillStyle = colours.background;
  context.fillRect(0, 0, board.width, board.height);
  context.drawImage(graph, 0, 0);
  const image = new Image(width, height);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${legend.width} ${legend.height}" font-family="system-ui, sans-serif">${legend.svg}</svg>`;
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  context.drawImage(image, graph.width + gap * scale, gap * scale, width, height);
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
export const saveEdgesCsv = (content: CanvasContent) => save('edges.csv', 'text/csv;charset=utf-8', edgesCsv(content.edges));

/** Renders the canvas as SVG, with the legend at its right: circles, rectangles, lines with arrows, and text as text elements. */
export function renderSvg(cy: Core, colours: ImageColours, entries: LegendEntry[]): string {
  const bounds = cy.elements().boundingBox({});
  const padding = 24;
  const parts: string[] = [];
  cy.edges().forEach((edge) => {
    const from = edge.sourceEndpoint();
    const to = edge.targetEndpoint();
    const middle = edge.midpoint();
    const path = edge.isLoop()
      ? `M${formatNumber(from.x)} ${formatNumber(from.y)} C${formatNumber(middle.x - 30)} ${formatNumber(middle.y - 10)} ${formatNumber(middle.x + 10)} ${formatNumber(middle.y - 30)} ${formatNumber(to.x)} ${formatNumber(to.y)}`
      : `M${formatNumber(from.x)} ${formatNumber(from.y)} Q${formatNumber(2 * middle.x - (from.x + to.x) / 2)} ${formatNumber(2 * middle.y - (from.y + to.y) / 2)} ${formatNumber(to.x)} ${formatNumber(to.y)}`;
    parts.push(
      `<path d="${path}" fill="none" stroke="${escapeXml(String(edge.data('colour') ?? colours.line))}" stroke-width="${formatNumber(Number(edge.data('width') ?? 1.6))}" marker-end="url(#arrow)"/>`,
    );
    parts.push(
      `<text x="${formatNumber(middle.x)}" y="${formatNumber(middle.y)}" font-size="8.5" text-anchor="middle" fill="${colours.text}">${escapeXml(String(edge.data('label')))}</text>`,
    );
  });
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    const radius = Number(node.data('size')) / 2;
    const fill = escapeXml(String(node.data('colour')));
    parts.push(
      node.data('mark')
        ? `<rect x="${formatNumber(x - radius)}" y="${formatNumber(y - radius)}" width="${formatNumber(2 * radius)}" height="${formatNumber(2 * radius)}" rx="6" fill="${fill}" fill-opacity="0.75" stroke="${colours.text}" stroke-dasharray="4 3"/>`
        : `<circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(radius)}" fill="${fill}"/>`,
    );
    parts.push(
      `<text x="${formatNumber(x)}" y="${formatNumber(y + radius + 13)}" font-size="11" text-anchor="middle" fill="${colours.text}">${escapeXml(String(node.data('label')))}</text>`,
    );
  });
  const legend = drawLegend(entries, colours);
  const [left, top] = [bounds.x1 - padding, bounds.y1 - padding];
  const [width, height] = [bounds.w + 2 * padding + legend.width + gap, Math.max(bounds.h + 2 * padding, legend.height + 2 * gap)];
  parts.push(`<g transform="translate(${formatNumber(left + width - legend.width - gap)} ${formatNumber(top + gap)})">${legend.svg}</g>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${formatNumber(left)} ${formatNumber(top)} ${formatNumber(width)} ${formatNumber(height)}" width="${formatNumber(width)}" height="${formatNumber(height)}" font-family="system-ui, sans-serif">` +
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="${colours.line}"/></marker></defs>` +
    `<rect x="${formatNumber(left)}" y="${formatNumber(top)}" width="${formatNumber(width)}" height="${formatNumber(height)}" fill="${colours.background}"/>${parts.join('')}</svg>`
  );
}

const formatNumber = (n: number) => String(Math.round(n * 10) / 10);

export function saveSvg(cy: Core, colours: ImageColours, entries: LegendEntry[]) {
  save('graph.svg', 'image/svg+xml', renderSvg(cy, colours, entries));
}
