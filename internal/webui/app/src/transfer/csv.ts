// Nodes and edges as CSV for spreadsheets.
import type { GraphEdge, GraphNode } from '../api/graph';
import type { Properties } from '../values/value';
import { valueText } from '../values/text';

// Spreadsheets interpret cells that start with these characters as formulas.
const formula = /^[=+\-@\t\r]/;

export function csvCell(text: string): string {
  const safe = formula.test(text) && !/^[+-]?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csv(head: string[], rows: { cells: string[]; properties: Properties }[]): string {
  const seen = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row.properties)) seen.add(name);
  const names = [...seen].sort();
  const own = (properties: Properties, name: string) => (Object.hasOwn(properties, name) ? valueText(properties[name]) : '');
  const lines = rows.map((r) => [...r.cells, ...names.map((n) => own(r.properties, n))]);
  return [[...head, ...names], ...lines].map((cells) => cells.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

export function nodesCsv(nodes: GraphNode[]): string {
  return csv(
    ['id', 'type'],
    nodes.map((n) => ({ cells: [n.id, n.type ?? ''], properties: n.properties })),
  );
}

export function edgesCsv(edges: GraphEdge[]): string {
  return csv(
    ['id', 'type', 'source_id', 'target_id'],
    edges.map((e) => ({ cells: [e.id, e.type, e.source_id, e.target_id], properties: e.properties })),
  );
}
