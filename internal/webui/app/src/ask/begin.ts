// Questions that begin at what other pages show.
import type { Schema } from '../api/graph';
import { parseName } from '../explore/endNames';
import type { View } from '../explore/url';
import { filterOf } from './conditions';
import { beginQuestion, changeFirst, changeLink, extendChain, type Connection, type Question } from './question';

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

/** The question that a list answers, to go on from. */
export function questionOfList(schema: Schema, { kind, type, conditions, start: id }: View): Question | null {
  if (kind === 'node') {
    if (id) return beginQuestion({ id, ...(type === null ? {} : { type }) });
    return type === null ? null : beginQuestion({ type, filter: filterOf(conditions) });
  }
  const [connection] = schema.edge_types.find((each) => each.type === type)?.connections.toSorted((a, b) => b.count - a.count) ?? [];
  if (type === null || !connection?.source_type) return null;
  const question = questionOfConnection(type, connection.source_type, connection.target_type ?? null);
  const at = (end: 'source' | 'target' | null) =>
    filterOf(
      conditions.flatMap((condition) => {
        const { end: own, property } = parseName(condition.property);
        return own === end ? [{ ...condition, property }] : [];
      }),
    );
  const { first, links } = question.match[0]!;
  const withLink = changeLink(question, start, 0, {
    hop: { ...links[0]!.hop, filter: at(null) },
    node: { ...links[0]!.node, filter: at('target') },
  });
  return changeFirst(withLink, start, { ...first, filter: at('source') });
}

/** The question for the edges of a type between nodes of two types. */
export const questionOfConnection = (edge: string, source: string, target: string | null): Question =>
  extendChain(beginQuestion({ type: source }), start, { edge, direction: 'out', type: target });
