// The details of a DATABASE_TIMEOUT: which parameter made the request slow, and the index that would help.
import type { components } from './openapi';
import type { Problem } from './problem';

/** An index of one property; type is empty if the service names no type. */
export type SuggestedIndex = Pick<components['schemas']['NewIndex'], 'entity' | 'kind' | 'type'> & { property: string };

export interface TimeoutCause {
  /** The part of the request, as users know it. */
  label: string;
  message: string;
  /** The index that would help, or null. */
  index: SuggestedIndex | null;
}

export const isTimeout = (problem: Problem) => problem.status === 504;

const labels: Record<string, string> = {
  type: 'Type',
  filter: 'Filters',
  sort: 'Sort',
  offset: 'Offset',
  count: 'Count',
  depth: 'Depth',
  max_depth: 'Path length',
  edge_type: 'Edge type',
};
const filterField = /^(?:filter|any\[\d+\])\[(.*)\]\[[^\]]*\]$/s;
const remedy = /; a (range|text) index on it would help.*$/s;

export function timeoutCauses(problem: Problem): TimeoutCause[] {
  return problem.details.map(({ field, message }) => {
    const property = filterField.exec(field)?.[1];
    return {
      label: property === undefined ? (labels[field] ?? field) : `Filter on ${property}`,
      message: capitalize(message.replace(/ \(POST \/api\/[^)]*\)/, '')),
      index: suggestedIndex(message, property),
    };
  });
}

/**
 * Reads the type and the property from a message such as "Person.score has no index, so about 500 nodes are read; a range index on it would
 * help".
 */
function suggestedIndex(message: string, filtered: string | undefined): SuggestedIndex | null {
  const kind = remedy.exec(message)?.[1];
  const name = /^(.+?) has no (?:\w+ )?index/s.exec(message)?.[1];
  if (kind === undefined || name === undefined) return null;
  // A name may contain dots. The property of a filter is known from its field.
  const split = filtered !== undefined && name.endsWith(`.${filtered}`) ? name.length - filtered.length - 1 : name.indexOf('.');
  if (split <= 0) return null;
  const entity = /\bedges (found )?are read/.test(message) ? 'edge' : 'node';
  return { entity, kind: kind as SuggestedIndex['kind'], type: name.slice(0, split), property: name.slice(split + 1) };
}

const capitalize = (text: string) => (/^[a-z]+ /.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text);

/** The suggestion as the query of the Schema page, which opens the dialog for it. */
export function newIndexPath(index: SuggestedIndex): string {
  const { kind, entity, type, property } = index;
  return `/schema?${new URLSearchParams({ new_index: kind, entity, type, property }).toString()}`;
}

export function parseNewIndex(params: URLSearchParams): SuggestedIndex | null {
  const kind = params.get('new_index');
  if (kind !== 'range' && kind !== 'text') return null;
  return {
    kind,
    entity: params.get('entity') === 'edge' ? 'edge' : 'node',
    type: params.get('type') ?? '',
    property: params.get('property') ?? '',
  };
}

/** A name for the index, of the characters that the service allows. */
export function indexName({ type, property }: Pick<SuggestedIndex, 'type' | 'property'>): string {
  if (type === '' || property === '') return '';
  return `${type}_${property}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .slice(0, 64);
}
