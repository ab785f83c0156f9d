// The edges between the nodes of the canvas, read with one request.
import { queryOptions } from '@tanstack/react-query';
import { listEdgesAmong } from '../api/graph';
import { capacity } from './model';

/** The order of the nodes does not matter, so that a saved view can ask for the edges beside the nodes. */
export function betweenOptions(ids: string[]) {
  const sorted = [...ids].sort();
  return queryOptions({
    queryKey: ['list', 'edge', 'between', sorted],
    queryFn: async ({ signal }) => ({ pages: [await listEdgesAmong(sorted, capacity, signal)], pageParams: [''] }),
  });
}
