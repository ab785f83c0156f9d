// Nodes and edges as CSV: a spreadsheet shows it, and an import, of this interface or of graphrest import, makes equal values of it.
import type { GraphEdge, GraphNode } from '../api/graph';
import { bodyText } from '../api/json';
import { isTagged, kindOf, type Properties, type Value } from '../values/value';
import { valueText } from '../values/text';
import { formatHeader, isFormula, withApostrophes, withoutFormulas, type ColumnKind } from './typedHeaders';

export const csvCell = (text: string): string => (/[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The type of a column: that of all its values, or JSON where a cell could not say what the value is. */
function kindOfColumn(values: Value[]): ColumnKind {
  const [first] = values;
  if (first === undefined || Array.isArray(first)) return 'Json';
  const kind = kindOf(first);
  const isOf = (value: Value) =>
    !Array.isArray(value) &&
    kindOf(value) === kind &&
    // An empty cell is an absent value, and a formula must not reach a spreadsheet.
    (kind !== 'String' || (typeof value === 'string' && value !== '' && !isFormula(value))) &&
    (kind !== 'Base64' || (isTagged(value) && value._value !== '')) &&
    (kind === 'Float' || !isTagged(value) || !isFormula(value._value));
  return values.every(isOf) ? kind : 'Json';
}

interface Row {
  cells: string[];
  properties: Properties;
}

/** What an export has beside the rows: columns that an import ignores. */
export interface Beside {
  titles: string[];
  /** The texts for a row, by its place. */
  texts: string[][];
}

const nothingBeside: Beside = { titles: [], texts: [] };

function csv(head: string[], rows: Row[], beside: Beside): string {
  const columns = new Map<string, Value[]>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row.properties)) {
      const values = columns.get(name);
      if (values) values.push(value);
      else columns.set(name, [value]);
    }
  const properties = [...columns].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => ({ name, kind: kindOfColumn(values) }));
  const cellOf = (of: Properties, { name, kind }: { name: string; kind: ColumnKind }) => {
    if (!Object.hasOwn(of, name)) return '';
    return kind === 'Json' ? withoutFormulas(bodyText(of[name])) : valueText(of[name]);
  };
  const lines = rows.map((row, at) => [
    ...row.cells,
    ...properties.map((p) => cellOf(row.properties, p)),
    ...(beside.texts[at] ?? []).map(withApostrophes),
  ]);
  const ignored = beside.titles.map((title) => `${formatHeader(title, 'String')}:IGNORE`);
  return (
    [[...head, ...properties.map((p) => formatHeader(p.name, p.kind)), ...ignored], ...lines]
      .map((cells) => cells.map(csvCell).join(','))
      .join('\r\n') + '\r\n'
  );
}

/** A cell that an import reads as it stands. Throws an Error if a spreadsheet would run it. */
function plainCell(what: 'type' | 'id', text: string): string {
  if (withApostrophes(text) !== text) throw new Error(`CSV cannot have the ${what} ${text}; export it as NDJSON`);
  return text;
}

/** The labels of a node in a cell. Throws an Error if a label would be read as two, or as a formula. */
function labelsCell(n: GraphNode): string {
  const labels = [...new Set([...(n.type === null ? [] : [n.type]), ...n.labels])];
  const bad = labels.find((label) => label.includes(';'));
  if (bad !== undefined) throw new Error(`CSV cannot have the type ${bad}; export it as NDJSON`);
  return labels.map((label) => plainCell('type', label)).join(';');
}

export function nodesCsv(nodes: GraphNode[], beside = nothingBeside): string {
  return csv(
    [':ID', ':LABEL'],
    nodes.map((n) => ({ cells: [plainCell('id', n.id), labelsCell(n)], properties: n.properties })),
    beside,
  );
}

export function edgesCsv(edges: GraphEdge[], beside = nothingBeside): string {
  return csv(
    ['id:IGNORE', ':TYPE', ':START_ID', ':END_ID'],
    edges.map((e) => ({
      cells: [plainCell('id', e.id), plainCell('type', e.type), plainCell('id', e.source_id), plainCell('id', e.target_id)],
      properties: e.properties,
    })),
    beside,
  );
}
