// What administrators see of the gateway and of the indexes of the database.
import type { QueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../api/client';
import type { components } from '../api/openapi';
import { formatCount, pluralize } from '../values/text';

export type System = components['schemas']['System'];
export type PropertyIndex = components['schemas']['PropertyIndex'];
export type IndexAdvice = components['schemas']['IndexAdvice'];
export type Findings = components['schemas']['Findings'];
export type Sizes = components['schemas']['Sizes'];

export const systemKey = ['system'];
export const findingsKey = ['system', 'findings'];
export const sizesKey = ['system', 'sizes'];
export const indexesKey = ['property-indexes'];
export const adviceKey = ['index-advice'];

export async function getSystem(): Promise<System> {
  return (await unwrap(client.GET('/api/admin/system'))).data.data;
}

/** What the service found when it last checked the database, at most once a minute. */
export async function getFindings(): Promise<Findings> {
  return (await unwrap(client.GET('/api/admin/system/findings'))).data.data;
}

export async function getSizes(): Promise<Sizes> {
  return (await unwrap(client.GET('/api/admin/system/sizes'))).data.data;
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

/** A number of bytes in the units of the settings: 1.5 GiB. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${formatCount(Math.round((bytes / 1024 ** power) * 10) / 10)} ${units[power]}`;
}

/** A time that records are kept, in its largest whole unit. */
export function formatKeep(seconds: number): string {
  const size = [86_400, 3600, 60, 1].find((each) => seconds % each === 0) ?? 1;
  return pluralize(seconds / size, { 86_400: 'day', 3600: 'hour', 60: 'minute' }[size] ?? 'second');
}

/** Reads again what a new or deleted index changes. */
export function refreshIndexes(queries: QueryClient) {
  for (const queryKey of [indexesKey, adviceKey, ['schema']]) void queries.invalidateQueries({ queryKey });
}
