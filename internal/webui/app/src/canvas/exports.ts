// Exports of the canvas as files.
import type { Core } from 'cytoscape';
import { bodyText } from '../api/json';
import { getNeighbors } from '../api/graph';
import { completeNodes } from './complete';
import { edgesCsv, nodesCsv } from '../transfer/csv';
import { save } from '../transfer/save';
import type { CanvasContent } from './model';

export async function savePng(cy: Core, background: string) {
  const blob = await cy.png({ output: 'blob-promise', full: true, scale: 2, bg: background, maxWidth: 8000, maxHeight: 8000 });
  save('graph.png', 'image/png', blob);
}

export async function saveJson(content: CanvasContent) {
  const nodes = await completeNodes(content, getNeighbors);
  const edges = content.edges.map(({ source: _, target: __, ...edge }) => edge);
  save('graph.json', 'application/json', bodyText({ nodes, edges }, 2));
}

export const saveNodesCsv = async (content: CanvasContent) => save('nodes.csv', 'text/csv;charset=utf-8', nodesCsv(await completeNodes(content, getNeighbors)));
export const saveEdgesCsv = (content: CanvasContent) => save('edges.csv', 'text/csv;charset=utf-8', edgesCsv(content.edges));

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Renders the canvas as SVG: circles, lines with arrows, and text as text elements. */
export function renderSvg(cy: Core, colours: { background: string; text: string; line: string }): string {
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
    parts.push(`<path d="${path}" fill="none" stroke="${escapeXml(String(edge.data('colour') ?? colours.line))}" stroke-width="${formatNumber(Number(edge.data('width') ?? 1.6))}" marker-end="url(#arrow)"/>`);
    parts.push(`<text x="${formatNumber(middle.x)}" y="${formatNumber(middle.y)}" font-size="8.5" text-anchor="middle" fill="${colours.text}">${escapeXml(String(edge.data('label')))}</text>`);
  });
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    const radius = Number(node.data('size')) / 2;
    parts.push(`<circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(radius)}" fill="${escapeXml(String(node.data('colour')))}"/>`);
    parts.push(`<text x="${formatNumber(x)}" y="${formatNumber(y + radius + 13)}" font-size="11" text-anchor="middle" fill="${colours.text}">${escapeXml(String(node.data('label')))}</text>`);
  });
  const [left, top, width, height] = [bounds.x1 - padding, bounds.y1 - padding, bounds.w + 2 * padding, bounds.h + 2 * padding];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${formatNumber(left)} ${formatNumber(top)} ${formatNumber(width)} ${formatNumber(height)}" width="${formatNumber(width)}" height="${formatNumber(height)}" font-family="system-ui, sans-serif">` +
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="${colours.line}"/></marker></defs>` +
    `<rect x="${formatNumber(left)}" y="${formatNumber(top)}" width="${formatNumber(width)}" height="${formatNumber(height)}" fill="${colours.background}"/>${parts.join('')}</svg>`
  );
}

const formatNumber = (n: number) => String(Math.round(n * 10) / 10);

export function saveSvg(cy: Core, colours: { background: string; text: string; line: string }) {
  save('graph.svg', 'image/svg+xml', renderSvg(cy, colours));
}
