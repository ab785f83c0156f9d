// Full-text search, and its indexes.
import { unwrap, client } from '../api/client';
import type { EntityKind, GraphEdge, GraphNode, PageInfo } from '../api/graph';
import type { components } from '../api/openapi';

export type SearchIndex = components['schemas']['SearchIndex'];
export type NewSearchIndex = components['schemas']['NewSearchIndex'];

export type Hit =
  { kind: 'node'; node: GraphNode; matched: string[]; score: number } | { kind: 'edge'; edge: GraphEdge; matched: string[]; score: number };

/** Adds a wildcard to the last word, which may be incomplete while the user types. */
export function withPrefixMatch(text: string): string {
  const phrase = (text.match(/"/g) ?? []).length % 2 === 1;
  return !phrase && /[\p{L}\p{N}]$/u.test(text) ? `${text}*` : text;
}

/** Only nodes or edges of a type; null for all. */
export type SearchedType = { kind: EntityKind; type: string } | null;

const pageSize = 50;

/** The parameters of the first page of hits. The last word may be incomplete. */
export const searchRequest = (words: string, only: SearchedType) => ({ q: withPrefixMatch(words), limit: pageSize, ...only });

export async function search(
  q: string,
  query: { limit?: number; cursor?: string; kind?: EntityKind; type?: string; fuzzy?: boolean },
  signal?: AbortSignal,
): Promise<{ hits: Hit[]; page: PageInfo }> {
  const { data } = await unwrap(client.GET('/api/search', { params: { query: { q, ...query } }, signal }));
  return { hits: data.data as unknown as Hit[], page: data.meta.page };
}

export async function listSearchIndexes(): Promise<SearchIndex[]> {
  return (await unwrap(client.GET('/api/admin/search-indexes'))).data.data;
}

export async function createSearchIndex(body: NewSearchIndex): Promise<SearchIndex> {
  return (await unwrap(client.POST('/api/admin/search-indexes', { body }))).data.data;
}

export async function deleteSearchIndex(name: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/search-indexes/{name}', { params: { path: { name } } }));
}
