// What administrators see of the gateway and of the indexes of the database.
import type { QueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../api/client';
import type { components } from '../api/openapi';

export type System = components['schemas']['System'];
export type PropertyIndex = components['schemas']['PropertyIndex'];
export type IndexAdvice = components['schemas']['IndexAdvice'];

export const systemKey = ['system'];
export const indexesKey = ['property-indexes'];
export const adviceKey = ['index-advice'];

export async function getSystem(): Promise<System> {
  return (await unwrap(client.GET('/api/admin/system'))).data.data;
}

export async function listIndexes(): Promise<PropertyIndex[]> {
  return (await unwrap(client.GET('/api/admin/indexes'))).data.data;
}

export async function deleteIndex(name: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/indexes/{name}', { params: { path: { name } } }));
}

/** The indexes that lists would have needed, the most useful first. */
export async function listAdvice(): Promise<IndexAdvice[]> {
  return (await unwrap(client.GET('/api/admin/index-advice'))).data.data;
}

/** Reads again what a new or deleted index changes. */
export function refreshIndexes(queries: QueryClient) {
  for (const queryKey of [indexesKey, adviceKey, ['schema']]) void queries.invalidateQueries({ queryKey });
}
