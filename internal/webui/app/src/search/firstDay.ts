// Searching before there is a search index: by the properties that name nodes, as far as that is soon done; and the index to make first.
import { listNodes, type NodeType, type Schema } from '../api/graph';
import { filterParam } from '../explore/filters';
import { isNamingType, namingRank } from '../values/text';
import { createSearchIndex, listSearchIndexes, type Hit, type NewSearchIndex } from './search';

/** How many types are searched by name, how many nodes each may have at most, and how many hits are read of each. */
const maxTypes = 8;
const maxNodes = 200_000;
const hitsOfType = 20;

const isText = (types: string[]) => types.includes('String');

/** The text that names the nodes of a type; undefined if none does. */
function namingText({ properties }: NodeType): string | undefined {
  const names = properties.filter(({ name, types }) => isText(types) && isNamingType(name, types)).map(({ name }) => name);
  return names.sort((a, b) => (namingRank(a) < namingRank(b) ? -1 : 1))[0];
}

export interface NameSearch {
  hits: Hit[];
  /** Which types were searched. */
  searched: string[];
  /** How many types with names were not. */
  left: number;
}

/** Finds nodes whose names contain a text, whatever its case. */
export async function searchNames(schema: Schema, text: string, signal?: AbortSignal): Promise<NameSearch> {
  const named = schema.node_types.flatMap((of) => {
    const property = namingText(of);
    return property === undefined ? [] : [{ of, property }];
  });
  const chosen = named
    .filter(({ of }) => (of.count ?? 0) <= maxNodes)
    .sort((a, b) => (b.of.count ?? 0) - (a.of.count ?? 0))
    .slice(0, maxTypes);
  const words = text.replaceAll(/["*]/g, ' ').trim();
  const pages = await Promise.all(
    chosen.map(async ({ of: { type }, property }) => {
      const filters = [filterParam({ property, operator: 'icontains', kind: 'String', text: words })];
      const { items } = await listNodes({ type, filters, limit: hitsOfType }, signal);
      return items.map((node): Hit => ({ kind: 'node', node, matched: [property], score: 0 }));
    }),
  );
  const hits = new Map(pages.flat().map((hit) => [hit.kind === 'node' ? hit.node.id : '', hit]));
  return { hits: [...hits.values()], searched: chosen.map(({ of }) => of.type), left: named.length - chosen.length };
}

const maxIndexTypes = 100;
const maxIndexProperties = 8;

/** The index that suits an unknown graph: the texts of all types, those that name nodes first; null if there are no texts. */
export function firstIndex(schema: Schema): NewSearchIndex | null {
  const types = schema.node_types.filter(({ properties }) => properties.some((property) => isText(property.types))).slice(0, maxIndexTypes);
  const uses = new Map<string, number>();
  for (const { count, properties } of types)
    for (const { name, types: of } of properties) if (isText(of)) uses.set(name, (uses.get(name) ?? 0) + (count ?? 1));
  const naming = new Set(types.map(namingText));
  const properties = [...uses.keys()].sort((a, b) => Number(naming.has(b)) - Number(naming.has(a)) || uses.get(b)! - uses.get(a)!);
  if (properties.length === 0) return null;
  return {
    name: 'texts',
    kind: 'node',
    types: types.map(({ type }) => type),
    properties: properties.slice(0, maxIndexProperties),
    analyzer: foldingAnalyzer,
  };
}

/** The analyzer for which neither case nor accents differ. */
export const foldingAnalyzer = 'standard-folding';

const buildPause = 500; // milliseconds

/** Makes an index and waits until it can be searched. */
export async function makeIndex(index: NewSearchIndex): Promise<void> {
  await createSearchIndex(index);
  for (;;) {
    const made = (await listSearchIndexes()).find(({ name }) => name === index.name);
    if (made?.state !== 'building') return;
    await new Promise((next) => setTimeout(next, buildPause));
  }
}
