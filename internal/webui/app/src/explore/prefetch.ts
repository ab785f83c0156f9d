// What a view of the Explore page needs, requested before the page is there to show it.
import type { QueryClient } from '@tanstack/react-query';
import { maxAmong } from '../api/graph';
import { betweenOptions } from '../canvas/between';
import { fieldsOf } from './columns';
import { listOptions, type Selection } from './lists';
import type { View } from './url';

export const loadCanvas = () => import('../canvas/CanvasView');
export const loadPanel = () => import('../entity/EntityPanel').then(({ EntityPanel: component }) => ({ default: component }));

/** What the list of a view reads: for a canvas all properties, since any of them may name a node. */
export const selectionOf = (view: View): Selection => ({ ...view, fields: view.view === 'table' ? fieldsOf(view.columns) : null });

/** Requests the first rows of a view, and the code that draws them. placed: the nodes that a saved view has positions of. */
export function prefetchView(queries: QueryClient, view: View, placed: string[] = []) {
  if (view.question) return;
  if (!view.searchText) void queries.prefetchInfiniteQuery(listOptions(selectionOf(view)));
  if (view.view !== 'graph') return;
  void loadCanvas().catch(() => undefined);
  // Without steps the canvas shows the nodes of the list, which are probably those that were saved: their edges need not wait for them.
  const ids = placed.slice(0, maxAmong);
  if (view.kind === 'node' && !view.start && view.steps === '' && ids.length > 1) void queries.prefetchQuery(betweenOptions(ids));
}
