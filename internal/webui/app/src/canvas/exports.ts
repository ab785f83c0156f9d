// The canvas as files.
import type { Core } from 'cytoscape';
import { bodyText } from '../api/json';
import { edgesCsv, nodesCsv } from '../transfer/csv';
import { save } from '../transfer/save';
import type { Picture } from './model';

export async function savePng(cy: Core, ground: string) {
  const blob = await cy.png({ output: 'blob-promise', full: true, scale: 2, bg: ground, maxWidth: 8000, maxHeight: 8000 });
  save('graph.png', 'image/png', blob);
}

export function saveJson(picture: Picture) {
  save('graph.json', 'application/json', bodyText({ nodes: picture.nodes, edges: picture.edges }, 2));
}

export const saveNodesCsv = (picture: Picture) => save('nodes.csv', 'text/csv;charset=utf-8', nodesCsv(picture.nodes));
export const saveEdgesCsv = (picture: Picture) => save('edges.csv', 'text/csv;charset=utf-8', edgesCsv(picture.edges));

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** Draws what is on the canvas as SVG: circles, lines with arrows, and text that stays text. */
export function svg(cy: Core, colours: { ground: string; text: string; line: string }): string {
  const area = cy.elements().boundingBox({});
  const pad = 24;
  const parts: string[] = [];
  cy.edges().forEach((edge) => {
    const from = edge.sourceEndpoint();
    const to = edge.targetEndpoint();
    const middle = edge.midpoint();
    const path = edge.isLoop()
      ? `M${num(from.x)} ${num(from.y)} C${num(middle.x - 30)} ${num(middle.y - 10)} ${num(middle.x + 10)} ${num(middle.y - 30)} ${num(to.x)} ${num(to.y)}`
      : `M${num(from.x)} ${num(from.y)} Q${num(2 * middle.x - (from.x + to.x) / 2)} ${num(2 * middle.y - (from.y + to.y) / 2)} ${num(to.x)} ${num(to.y)}`;
    parts.push(`<path d="${path}" fill="none" stroke="${colours.line}" stroke-width="1.6" marker-end="url(#arrow)"/>`);
    parts.push(`<text x="${num(middle.x)}" y="${num(middle.y)}" font-size="8.5" text-anchor="middle" fill="${colours.text}">${escape(String(edge.data('label')))}</text>`);
  });
  cy.nodes().forEach((node) => {
    const { x, y } = node.position();
    const radius = Number(node.data('size')) / 2;
    parts.push(`<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}" fill="${escape(String(node.data('colour')))}"/>`);
    parts.push(`<text x="${num(x)}" y="${num(y + radius + 13)}" font-size="11" text-anchor="middle" fill="${colours.text}">${escape(String(node.data('label')))}</text>`);
  });
  const [left, top, width, height] = [area.x1 - pad, area.y1 - pad, area.w + 2 * pad, area.h + 2 * pad];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${num(left)} ${num(top)} ${num(width)} ${num(height)}" width="${num(width)}" height="${num(height)}" font-family="system-ui, sans-serif">` +
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="${colours.line}"/></marker></defs>` +
    `<rect x="${num(left)}" y="${num(top)}" width="${num(width)}" height="${num(height)}" fill="${colours.ground}"/>${parts.join('')}</svg>`
  );
}

const num = (n: number) => String(Math.round(n * 10) / 10);

export function saveSvg(cy: Core, colours: { ground: string; text: string; line: string }) {
  save('graph.svg', 'image/svg+xml', svg(cy, colours));
}
