// Names of properties in filters and sorts of edges, in the service's notation (docs/lists.md): source:name, target:name, and edge:… for a
// property of the edge whose own name begins so.
import type { EntityKind } from '../api/graph';
import type { End } from '../entity/ends';

const needsPrefix = /^(edge:)*(source|target):/;

/** The name of a property of listed entities in filters and sorts. */
export const listedName = (kind: EntityKind, property: string) =>
  kind === 'edge' && needsPrefix.test(property) ? `edge:${property}` : property;

/** What a name in a filter or sort of edges means. */
export function parseName(name: string): { end: End | null; property: string } {
  const [, end, property] = /^(source|target):(.*)$/s.exec(name) ?? [];
  if (end !== undefined) return { end: end as End, property: property! };
  return { end: null, property: name.startsWith('edge:') && needsPrefix.test(name) ? name.slice('edge:'.length) : name };
}
