// What is on the screen, as an address: a link reopens it.
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { EntityKind } from '../api/graph';
import { parameterOf, readConditions, type Condition } from './filters';

export interface Place {
  kind: EntityKind;
  id: string;
}

export interface View {
  kind: EntityKind;
  /** null is every type. */
  type: string | null;
  view: 'table' | 'graph';
  conditions: Condition[];
  /** As the API's parameter: "name", "-born", or empty. */
  sort: string;
  /** The entity in the side panel. */
  open: Place | null;
  /** What has been done on the canvas; canvas/steps.ts reads it. */
  steps: string;
  /** Words that are searched for in the whole database, instead of a list. */
  words: string;
}

const start: View = { kind: 'node', type: null, view: 'table', conditions: [], sort: '', open: null, steps: '', words: '' };

export function readView(params: URLSearchParams): View {
  const open = params.get('open') ?? '';
  const [openKind] = open.split(':', 1);
  const id = open.slice((openKind?.length ?? 0) + 1);
  return {
    kind: params.get('kind') === 'edge' ? 'edge' : 'node',
    type: params.get('type'),
    view: params.get('view') === 'graph' ? 'graph' : 'table',
    conditions: readConditions(params),
    sort: params.get('sort') ?? '',
    open: (openKind === 'node' || openKind === 'edge') && id ? { kind: openKind, id } : null,
    steps: params.get('steps') ?? '',
    words: params.get('q') ?? '',
  };
}

export function writeView(view: View): URLSearchParams {
  const params = new URLSearchParams();
  if (view.kind === 'edge') params.set('kind', 'edge');
  if (view.type !== null) params.set('type', view.type);
  if (view.view === 'graph') params.set('view', 'graph');
  for (const condition of view.conditions) params.append(...parameterOf(condition));
  if (view.sort) params.set('sort', view.sort);
  if (view.open) params.set('open', `${view.open.kind}:${view.open.id}`);
  if (view.steps) params.set('steps', view.steps);
  if (view.words) params.set('q', view.words);
  return params;
}

export function explorePath(view: Partial<View>): string {
  const query = writeView({ ...start, ...view }).toString();
  return query ? `/explore?${query}` : '/explore';
}

/** The view of the address, and how to change it: a change of the selection is a step back in the browser, others are not. */
export function useView(): [View, (change: Partial<View>) => void] {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => readView(params), [params]);
  const change = useCallback(
    (next: Partial<View>) => {
      setParams((current) => writeView({ ...readView(current), ...next }), { replace: !('type' in next || 'view' in next || 'open' in next || 'conditions' in next || 'sort' in next || 'words' in next) });
    },
    [setParams],
  );
  return [view, change];
}
