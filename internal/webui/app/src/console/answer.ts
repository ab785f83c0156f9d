// The answer of a query: a table whose cells are values, nodes, edges, paths, lists and maps, and the entities in it.
import type { GraphEdge, GraphNode } from '../api/graph';
import { bodyText } from '../api/json';
import { numberOf } from '../canvas/valueStyle';
import { csvCell } from '../transfer/csv';
import { withApostrophes, withoutFormulas } from '../transfer/typedHeaders';
import { captionOf, cellText as valueCellText, valueText } from '../values/text';
import { areNumbers, isTagged, type Value } from '../values/value';
import type { EntityRef } from '../explore/url';

export interface Column {
  name: string;
  types: string[];
}

/** A cell: a value or null, a reference to an entity, a path, or a list or map of cells. */
export type Cell = unknown;

export interface Answer {
  columns: Column[];
  rows: Cell[][];
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** What cut the answer. */
  truncated?: 'rows' | 'bytes';
  /** Milliseconds in the service. */
  elapsed: number;
  /** The version of the saved query. */
  version?: number;
}

/** Reads the body of an answer, whose integers are bigints. */
export function answerOf(body: unknown): Answer {
  const { data, meta } = body as {
    data: Pick<Answer, 'columns' | 'rows' | 'nodes' | 'edges'>;
    meta?: { truncated?: 'rows' | 'bytes'; elapsed_ms?: number | bigint; version?: bigint };
  };
  return {
    ...data,
    elapsed: Number(meta?.elapsed_ms ?? 0),
    ...(meta?.truncated ? { truncated: meta.truncated } : {}),
    ...(meta?.version === undefined ? {} : { version: Number(meta.version) }),
  };
}

const isObject = (cell: Cell): cell is Record<string, Cell> => typeof cell === 'object' && cell !== null && !Array.isArray(cell);

/** The entity that a cell is. */
export function entityOf(cell: Cell): EntityRef | null {
  if (!isObject(cell)) return null;
  if (typeof cell['$node'] === 'string') return { kind: 'node', id: cell['$node'] };
  if (typeof cell['$edge'] === 'string') return { kind: 'edge', id: cell['$edge'] };
  return null;
}

/** The names of the entities of an answer, by kind and id. */
export type Names = ReadonlyMap<string, string>;

export function namesOf(answer: Answer): Names {
  return new Map([
    ...answer.nodes.map((node) => [`node ${node.id}`, captionOf(node.properties, node.id)] as const),
    ...answer.edges.map((edge) => [`edge ${edge.id}`, edge.type] as const),
  ]);
}

/** A cell as text for users; null is empty. */
export function cellText(cell: Cell, names: Names): string {
  if (cell === null || cell === undefined) return '';
  const entity = entityOf(cell);
  if (entity) return names.get(`${entity.kind} ${entity.id}`) ?? entity.id;
  if (Array.isArray(cell))
    return `[${cell.map((item) => (typeof item === 'string' ? JSON.stringify(item) : cellText(item, names) || 'null')).join(', ')}]`;
  if (!isObject(cell)) return valueCellText(cell as Value);
  if (Array.isArray(cell['$path'])) {
    const ids = cell['$path'] as string[];
    return ids.map((id, i) => names.get(`${i % 2 === 0 ? 'node' : 'edge'} ${id}`) ?? id).join(' - ');
  }
  if (cell['$type'] === 'Map' && isObject(cell['_value'])) return mapText(cell['_value'], names);
  return isTagged(cell) ? valueCellText(cell) : mapText(cell, names);
}

const mapText = (map: Record<string, Cell>, names: Names) =>
  `{${Object.entries(map)
    .map(([key, value]) => `${key}: ${cellText(value, names) || 'null'}`)
    .join(', ')}}`;

export const isNumeric = ({ types }: Column) => areNumbers(types);

/** The field of a CSV file: the text of a value, the id of an entity, and JSON for the rest, none of which a spreadsheet runs. */
function csvField(cell: Cell): string {
  if (cell === null) return '';
  const entity = entityOf(cell);
  const isPlain = !isObject(cell) || (isTagged(cell) && typeof cell._value === 'string');
  if (!entity && (Array.isArray(cell) || !isPlain)) return csvCell(withoutFormulas(bodyText(cell)));
  return csvCell(withApostrophes(entity ? entity.id : valueText(cell as Value)));
}

export function answerCsv({ columns, rows }: Answer): string {
  return [columns.map(({ name }) => csvField(name)), ...rows.map((row) => row.map(csvField))].map((row) => `${row.join(',')}\r\n`).join('');
}

export function answerNdjson({ columns, rows }: Answer): string {
  return rows.map((row) => `${bodyText(Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])))}\n`).join('');
}

export type ChartKind = 'bar' | 'line' | 'scatter';

export interface ChartSpec {
  kind: ChartKind;
  /** Names of columns. */
  x: string;
  y: string;
}

export interface ChartPoint {
  label: string;
  /** The place on the axis; undefined if the column has no numbers. */
  x: number | undefined;
  y: number;
}

const isMeasurable = (column: Column) =>
  isNumeric(column) ||
  (column.types.length > 0 && column.types.every((type) => /^(Date|LocalDateTime|ZonedDateTime|Integer|Float)$/.test(type)));

/** The chart that suits an answer; null if no column has numbers. */
export function defaultChart({ columns }: Answer): ChartSpec | null {
  const y = columns.findLast(isNumeric);
  if (!y) return null;
  const x = columns.find((column) => column !== y) ?? y;
  return { kind: isNumeric(x) && x !== y ? 'scatter' : isMeasurable(x) ? 'line' : 'bar', x: x.name, y: y.name };
}

/** More cannot be distinguished. */
export const maxPoints = 1000;

/** The points of a chart; rows without a number are left out. */
export function pointsOf(answer: Answer, spec: ChartSpec): ChartPoint[] {
  const names = namesOf(answer);
  const x = answer.columns.findIndex(({ name }) => name === spec.x);
  const y = answer.columns.findIndex(({ name }) => name === spec.y);
  const number = (cell: Cell) => numberOf((cell ?? undefined) as Value | undefined);
  return answer.rows.flatMap((row) => {
    const height = number(row[y]);
    if (height === undefined) return [];
    return [{ label: cellText(row[x], names), x: number(row[x]), y: height }];
  });
}
