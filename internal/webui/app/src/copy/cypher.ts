// Lists, entities and changes as Cypher for Neo4j Browser and cypher-shell: values as parameters, names quoted.
import type { PropertyChanges, EntityKind, GraphEdge } from '../api/graph';
import { floatText } from '../api/json';
import { parseName } from '../explore/endNames';
import {
  comparesWithPart,
  comparesWithList,
  inferScalar,
  parseSort,
  parseValues,
  splitAlternatives,
  type Condition,
} from '../explore/filters';
import type { Selection } from '../explore/lists';
import { parseDraft } from '../values/draft';
import { isTagged, type Properties, type Scalar, type Value } from '../values/value';
import { escapeInvisible } from './escape';

/** Quotes a name. Cypher replaces \uXXXX before parsing, so a backslash is written as an escape. */
export function quoteName(name: string): string {
  return `\`${escapeInvisible(name.replaceAll('`', '``').replaceAll('\\', '\\u005C'))}\``;
}

export function quoteText(text: string): string {
  const escaped = text.replace(/[\\'\n\t]/g, (c) => {
    if (c === '\\') return '\\u005C\\u005C'; // an escaped backslash; neither half can form an escape with a following "u"
    if (c === "'") return "\\'";
    return c === '\n' ? '\\n' : '\\t';
  });
  return `'${escapeInvisible(escaped)}'`;
}

const functions: Record<string, string> = {
  Date: 'date',
  LocalDateTime: 'localdatetime',
  OffsetDateTime: 'datetime',
  ZonedDateTime: 'datetime',
  LocalTime: 'localtime',
  Time: 'time',
  Duration: 'duration',
};

function scalarLiteral(value: Scalar): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'number') return floatText(value);
  if (!isTagged(value)) return String(value);
  if (value.$type === 'Float') return value._value;
  if (value.$type === 'Point') return pointLiteral(value._value);
  // Before 1970 the text is in UTC, and datetime() accepts no offset that the zone does not have.
  const early = value.$type === 'ZonedDateTime' && /^((?:-|0|1[0-8]|19[0-6]).*Z)\[(.*)\]$/.exec(value._value);
  if (early) return `datetime({datetime: datetime(${quoteText(early[1]!)}), timezone: ${quoteText(early[2]!)}})`;
  const name = functions[value.$type];
  return name ? `${name}(${quoteText(value._value)})` : 'null /* Cypher has no literal for bytes */';
}

function pointLiteral(text: string): string {
  const read = /^SRID=(\d+);POINT(?: Z)? ?\(([-+.\dEe ]*)\)$/.exec(text);
  if (!read) return 'null';
  const members = read[2]!
    .trim()
    .split(/\s+/)
    .map((n, i) => `${'xyz'[i]}: ${n}`);
  return `point({srid: ${read[1]}, ${members.join(', ')}})`;
}

export function literal(value: Value | null): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? `[${value.map(scalarLiteral).join(', ')}]` : scalarLiteral(value);
}

function mapLiteral(properties: Properties | PropertyChanges): string {
  return `{${Object.entries(properties)
    .map(([k, v]) => `${quoteName(k)}: ${literal(v)}`)
    .join(', ')}}`;
}

const paramLine = (name: string, text: string) => `:param ${name} => ${text}\n`;

// Ids of managed types are texts of any form in the id property, whose name the schema has; all others are element ids.
export const isManagedId = (id: string) => !/^[45]:[0-9a-f-]+:\d+$/.test(id);

function nodeByParam(variable: string, type: string | null, id: string, idProperty: string, name = 'id'): string {
  const label = type === null ? '' : `:${quoteName(type)}`;
  return isManagedId(id)
    ? `MATCH (${variable}${label} {${quoteName(idProperty)}: $${name}})`
    : `MATCH (${variable}${label}) WHERE elementId(${variable}) = $${name}`;
}

function edgeByParam(type: string, id: string, idProperty: string): string {
  const pattern = `(a)-[r:${quoteName(type)}`;
  return isManagedId(id) ? `MATCH ${pattern} {${quoteName(idProperty)}: $id}]->(b)` : `MATCH ${pattern}]->(b) WHERE elementId(r) = $id`;
}

export function nodeCypher(type: string | null, id: string, idProperty: string): string {
  return `${paramLine('id', quoteText(id))}${nodeByParam('n', type, id, idProperty)}\nRETURN n`;
}

export function edgeCypher(type: string, id: string, idProperty: string): string {
  return `${paramLine('id', quoteText(id))}${edgeByParam(type, id, idProperty)}\nRETURN a, r, b`;
}

/** The literal of a condition's value: of its type if the condition has one, otherwise as the service parses it. */
function conditionValue(c: Condition): string {
  if (c.kind === null) return comparesWithPart(c.operator) ? quoteText(c.text) : literal(inferScalar(c.text));
  const parsed = parseDraft({ kind: c.kind, list: false, texts: [c.text] });
  return 'value' in parsed ? literal(parsed.value) : quoteText(c.text);
}

const operatorSymbols: Record<string, string> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  contains: 'CONTAINS',
  starts_with: 'STARTS WITH',
  ends_with: 'ENDS WITH',
  in: 'IN',
};

/** A comparison of a property with the text of a value; of `exists`, whether it is false. */
export function comparisonCypher(operator: string, property: string, value: string): string {
  if (operator === 'exists') return `${property} IS ${value === 'false' ? '' : 'NOT '}NULL`;
  if (operator === 'icontains') return `toLower(${property}) CONTAINS toLower(${value})`;
  if (operator === 'nin') return `NOT ${property} IN ${value}`;
  if (operator === 'has') return `${value} IN ${property}`;
  return `${property} ${operatorSymbols[operator] ?? '='} ${value}`;
}

export function listCypher(of: Selection, limit: number): string {
  const type = of.type === null ? '' : `:${quoteName(of.type)}`;
  const property = (name: string) => {
    if (of.kind === 'node') return `n.${quoteName(name)}`;
    const { end, property: own } = parseName(name);
    return `${end === 'source' ? 'a' : end === 'target' ? 'b' : 'r'}.${quoteName(own)}`;
  };
  const params = of.conditions.flatMap((c, i) => {
    if (c.operator === 'exists') return [];
    return [paramLine(`p${i}`, comparesWithList(c.operator) ? literal(parseValues(c.text)) : conditionValue(c))];
  });
  const valueOf = (c: Condition) => (c.operator === 'exists' ? c.text : `$p${of.conditions.indexOf(c)}`);
  const test = (c: Condition) => comparisonCypher(c.operator, property(c.property), valueOf(c));
  const { always, alternatives } = splitAlternatives(of.conditions);
  const where = always.map(test);
  if (alternatives.length > 0) where.push(`(${alternatives.map((some) => some.map(test).join(' AND ')).join(' OR ')})`);
  const orders = parseSort(of.sort).map((order) => `${property(order.property)}${order.descending ? ' DESC' : ''}`);
  return [
    ...params.map((p) => p.trimEnd()),
    paramLine('limit', String(limit)).trimEnd(),
    of.kind === 'edge' ? `MATCH (a)-[r${type}]->(b)` : `MATCH (n${type})`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    of.kind === 'edge' ? 'RETURN a, r, b' : 'RETURN n',
    ...(orders.length > 0 ? [`ORDER BY ${orders.join(', ')}`] : []),
    'LIMIT toInteger($limit)',
  ].join('\n');
}

export function changeCypher(kind: EntityKind, type: string | null, id: string, idProperty: string, change: PropertyChanges): string {
  const match = kind === 'node' ? nodeByParam('n', type, id, idProperty) : edgeByParam(type ?? '', id, idProperty);
  const variable = kind === 'node' ? 'n' : 'r';
  const params = paramLine('id', quoteText(id)) + paramLine('changes', mapLiteral(change));
  return `${params}${match}\nSET ${variable} += $changes\nRETURN ${variable}`;
}

export function createNodeCypher(type: string, properties: Properties): string {
  return `${paramLine('properties', mapLiteral(properties))}CREATE (n:${quoteName(type)})\nSET n = $properties\nRETURN n`;
}

export function createEdgeCypher(edge: Omit<GraphEdge, 'id'>, idProperty: string): string {
  return (
    paramLine('source', quoteText(edge.source_id)) +
    paramLine('target', quoteText(edge.target_id)) +
    paramLine('properties', mapLiteral(edge.properties)) +
    `${nodeByParam('a', null, edge.source_id, idProperty, 'source')}\n${nodeByParam('b', null, edge.target_id, idProperty, 'target')}\n` +
    `CREATE (a)-[r:${quoteName(edge.type)}]->(b)\nSET r = $properties\nRETURN a, r, b`
  );
}
