// Questions that begin at what other pages show.
import type { Schema } from '../api/graph';
import { parseName } from '../explore/endNames';
import { splitAlternatives, type Condition } from '../explore/filters';
import type { View } from '../explore/url';
import { conditionsOfPart, filtersOf, partsOf } from './conditions';
import { addFilters, beginQuestion, changeHop, changeNode, extendChain, maxChains, type Connection, type Question } from './question';

const start = { of: 'match', index: 0 } as const;

/** What the schema knows behind the nodes of a type; of any type everything. The most frequent come first. */
export function connectionsOf(schema: Schema, type: string | null): (Connection & { count: number })[] {
  const found = new Map<string, Connection & { count: number }>();
  const add = (edge: string, direction: 'out' | 'in', other: string | null, count: number) => {
    const key = JSON.stringify([edge, direction, other]);
    const before = found.get(key)?.count ?? 0;
    found.set(key, { edge, direction, type: other, count: before + count });
  };
  for (const { type: edge, connections } of schema.edge_types)
    for (const { source_type, target_type, count } of connections) {
      if (type === null || source_type === type) add(edge, 'out', target_type, count);
      if (type === null || target_type === type) add(edge, 'in', source_type, count);
    }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.edge ?? '').localeCompare(b.edge ?? ''));
}

/** The question that a list answers, to go on from; null if no question answers the same. */
export function questionOfList(schema: Schema, { kind, type, conditions, start: id, end }: View): Question | null {
  if (kind === 'edge') return type === null ? null : questionOfEdges(schema, type, conditions, end);
  if (id) return beginQuestion({ id, ...(type === null ? {} : { type }) });
  if (type === null) return null;
  const parts = partsOf(conditions);
  if (!parts || parts.filters.length > maxChains) return null;
  const [filter, ...further] = parts.filters;
  const question = beginQuestion({ type, filter, ...(parts.any.length > 0 ? { any: parts.any } : {}) });
  return addFilters(question, question.match[0]!.first.as!, further);
}

/** The only type of an end of edges; null if there are several. */
const onlyType = (types: (string | null)[]) => (new Set(types).size === 1 ? types[0]! : null);

function questionOfEdges(schema: Schema, type: string, conditions: Condition[], end: string): Question | null {
  const { always, alternatives } = splitAlternatives(conditions);
  if (alternatives.flat().some((c) => parseName(c.property).end !== null)) return null;
  const at = (side: 'source' | 'target' | null, some = always) =>
    some.flatMap((condition) => {
      const { end: own, property } = parseName(condition.property);
      return own === side ? [{ ...condition, property }] : [];
    });
  const [ofSource, ofTarget] = [filtersOf(at('source')), filtersOf(at('target'))];
  const parts = partsOf(at(null, conditions));
  const ofEdge = parts && conditionsOfPart(parts);
  // Which end of its edges a node is differs.
  if (!ofEdge || [ofSource, ofTarget].some((filters) => filters.length > 1)) return null;
  if (end && ofSource.length + ofTarget.length > 0) return null;
  const connections = schema.edge_types.find((each) => each.type === type)?.connections ?? [];
  const source = onlyType(connections.map((each) => each.source_type ?? null));
  const target = onlyType(connections.map((each) => each.target_type ?? null));
  if (!end && source === null && target === null) return null; // a chain needs a node with a type
  const question = end
    ? extendChain(beginQuestion({ id: end }), start, { edge: type, direction: 'both', type: null })
    : questionOfConnection(type, source, target);
  const ofHop = changeHop(question, start, 0, (hop) => ({ ...hop, ...ofEdge }));
  const withTarget = changeNode(ofHop, start, 1, (node) => ({ ...node, filter: ofTarget[0] }));
  return changeNode(withTarget, start, 0, (node) => ({ ...node, filter: ofSource[0] }));
}

/** The question for the edges of a type between nodes of two types. */
export const questionOfConnection = (edge: string, source: string | null, target: string | null): Question =>
  extendChain(beginQuestion(source === null ? {} : { type: source }), start, { edge, direction: 'out', type: target });
