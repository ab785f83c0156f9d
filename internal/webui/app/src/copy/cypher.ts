// What is on the screen as Cypher for Neo4j Browser and cypher-shell: values as parameters, names quoted.
import type { Change, EntityKind, GraphEdge } from '../api/graph';
import { floatText } from '../api/json';
import { isTagged, type Properties, type Scalar, type Value } from '../values/value';

/** Quotes a name. Cypher replaces \uXXXX before it reads anything else, so a backslash is written as its own escape. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``').replaceAll('\\', '\\u005C')}\``;
}

export function quoteText(text: string): string {
  const escaped = text.replace(/[\\'\u0000-\u001f\u007f\u2028\u2029]/g, (c) => {
    if (c === '\\') return '\\u005C\\u005C'; // an escaped backslash, each half safe from a "u" behind it
    if (c === "'") return "\\'";
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${escaped}'`;
}

const functions: Record<string, string> = {
  Date: 'date', LocalDateTime: 'localdatetime', OffsetDateTime: 'datetime', ZonedDateTime: 'datetime', LocalTime: 'localtime',
  Time: 'time', Duration: 'duration',
};

function scalar(value: Scalar): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return floatText(value);
  if (!isTagged(value)) return String(value);
  if (value.$type === 'Float') return value._value;
  if (value.$type === 'Point') return pointOf(value._value);
  const name = functions[value.$type];
  return name ? `${name}(${quoteText(value._value)})` : 'null /* bytes have no form in Cypher */';
}

function pointOf(text: string): string {
  const read = /^SRID=(\d+);POINT(?: Z)? ?\(([^)]*)\)$/.exec(text);
  if (!read) return 'null';
  const members = read[2]!.trim().split(/\s+/).map((n, i) => `${'xyz'[i]}: ${n}`);
  return `point({srid: ${read[1]}, ${members.join(', ')}})`;
}

export function literal(value: Value | null): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? `[${value.map(scalar).join(', ')}]` : scalar(value);
}

function map(properties: Properties | Change): string {
  return `{${Object.entries(properties).map(([k, v]) => `${quoteName(k)}: ${literal(v)}`).join(', ')}}`;
}

const param = (name: string, text: string) => `:param ${name} => ${text}\n`;

// Ids of managed types are UUIDs in the property uuid; others are element ids.
const isOwn = (id: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id);

function nodeByParam(variable: string, type: string | null, id: string, name: string): string {
  const label = type === null ? '' : `:${quoteName(type)}`;
  return isOwn(id) ? `MATCH (${variable}${label} {uuid: $${name}})` : `MATCH (${variable}${label}) WHERE elementId(${variable}) = $${name}`;
}

function edgeByParam(type: string, id: string): string {
  const pattern = `(a)-[r:${quoteName(type)}`;
  return isOwn(id) ? `MATCH ${pattern} {uuid: $id}]->(b)` : `MATCH ${pattern}]->(b) WHERE elementId(r) = $id`;
}

export function nodeCypher(type: string | null, id: string): string {
  return `${param('id', quoteText(id))}${nodeByParam('n', type, id, 'id')}\nRETURN n`;
}

export function edgeCypher(type: string, id: string): string {
  return `${param('id', quoteText(id))}${edgeByParam(type, id)}\nRETURN a, r, b`;
}

export function listCypher(kind: EntityKind, type: string | null, limit: number): string {
  const name = type === null ? '' : `:${quoteName(type)}`;
  if (kind === 'edge') return `${param('limit', String(limit))}MATCH (a)-[r${name}]->(b)\nRETURN a, r, b\nLIMIT $limit`;
  return `${param('limit', String(limit))}MATCH (n${name})\nRETURN n\nLIMIT $limit`;
}

export function changeCypher(kind: EntityKind, type: string | null, id: string, change: Change): string {
  const found = kind === 'node' ? nodeByParam('n', type, id, 'id') : edgeByParam(type ?? '', id);
  const variable = kind === 'node' ? 'n' : 'r';
  return `${param('id', quoteText(id))}${param('changes', map(change))}${found}\nSET ${variable} += $changes\nRETURN ${variable}`;
}

export function createNodeCypher(type: string, properties: Properties): string {
  return `${param('properties', map(properties))}CREATE (n:${quoteName(type)})\nSET n = $properties\nRETURN n`;
}

export function createEdgeCypher(edge: Omit<GraphEdge, 'id'>): string {
  return (
    param('source', quoteText(edge.source_id)) + param('target', quoteText(edge.target_id)) + param('properties', map(edge.properties)) +
    `${nodeByParam('a', null, edge.source_id, 'source')}\n${nodeByParam('b', null, edge.target_id, 'target')}\n` +
    `CREATE (a)-[r:${quoteName(edge.type)}]->(b)\nSET r = $properties\nRETURN a, r, b`
  );
}
