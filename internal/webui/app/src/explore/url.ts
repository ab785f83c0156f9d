// The state of the Explore page as a URL, so that a link reopens it.
import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { EntityKind } from '../api/graph';
import { basename } from '../session/viewAs';
import { filterParam, parseConditions, type Condition } from './filters';

export interface EntityRef {
  kind: EntityKind;
  id: string;
}

/** Beside the history: the entity as it was, in the form of history/past.ts. */
export type PanelTab = 'properties' | 'history' | `history:${string}`;

const parseTab = (text: string): PanelTab => (text === 'history' || text.startsWith('history:') ? (text as PanelTab) : 'properties');

export interface View {
  kind: EntityKind;
  /** null is every type. */
  type: string | null;
  view: 'table' | 'graph' | 'map';
  conditions: Condition[];
  /** The API's parameter sort: "name", "-born,name", or empty. */
  sort: string;
  /** The keys of the columns of the table, in their order; null for all. */
  columns: string[] | null;
  /** The entity in the side panel. */
  open: EntityRef | null;
  /** What the side panel shows. */
  tab: PanelTab;
  /** The node from which a graph is started, instead of a selection; or empty. */
  start: string;
  /** The id of a node: only edges that begin or end at it are listed; or empty. */
  end: string;
  /** The steps taken on the canvas, in the form of canvas/steps.ts. */
  steps: string;
  /** The style by value of the canvas, in the form of canvas/valueStyle.ts. */
  style: string;
  /** What the chart shows, in the form of charts/chart.ts; or empty. */
  chart: string;
  /** How many rows the canvas draws, if more than the first page was loaded; or 0. */
  rows: number;
  /** A question over several hops, in the form of ask/question.ts; if not empty, its answer replaces the list. */
  question: string;
  /** The text of a full-text search; if not empty, its results replace the list. */
  searchText: string;
  /** The saved view that was opened, in the form of views/opened.ts, or empty. */
  saved: string;
}

const defaultView: View = {
  kind: 'node',
  type: null,
  view: 'table',
  conditions: [],
  sort: '',
  columns: null,
  open: null,
  tab: 'properties',
  start: '',
  end: '',
  steps: '',
  style: '',
  chart: '',
  rows: 0,
  question: '',
  searchText: '',
  saved: '',
};

/** Names separated by commas or, if one has a comma or a bracket, as a JSON array. */
function serializeNames(names: string[]): string {
  return names.some((name) => /[,[]/.test(name)) ? JSON.stringify(names) : names.join(',');
}

function parseNames(text: string): string[] | null {
  if (text === '') return null;
  if (!text.startsWith('[')) return text.split(',');
  try {
    const names = JSON.parse(text) as unknown;
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : null;
  } catch {
    return null;
  }
}

const parseShown = (text: string | null): View['view'] => (text === 'graph' || text === 'map' ? text : 'table');

function parseOpen(text: string): EntityRef | null {
  const [, kind, id] = /^(node|edge):(.+)$/s.exec(text) ?? [];
  return id === undefined ? null : { kind: kind as EntityKind, id };
}

/** What the rows of an address can be shown as: an answer is on no map, and what a search finds is a list. */
const viewsOf = (params: URLSearchParams): string[] =>
  params.get('ask') ? ['table', 'graph'] : params.get('q') ? ['table'] : ['table', 'graph', 'map'];

/** Whether a parameter has a value that this page knows, of those that decide what is shown. */
const isKnownValue: Record<string, (text: string, params: URLSearchParams) => boolean> = {
  kind: (text) => text === 'node' || text === 'edge',
  view: (text, params) => viewsOf(params).includes(text),
  open: (text) => parseOpen(text) !== null,
};

/** The parameters of a URL whose values this page does not know: something else is shown. */
export function unknownParameters(params: URLSearchParams): string[] {
  return Object.entries(isKnownValue).flatMap(([name, isKnown]) => {
    const text = params.get(name) ?? '';
    return text === '' || isKnown(text, params) ? [] : [`${name}=${text}`];
  });
}

export function parseView(params: URLSearchParams): View {
  return {
    kind: params.get('kind') === 'edge' ? 'edge' : 'node',
    type: params.get('type'),
    view: parseShown(params.get('view')),
    conditions: parseConditions(params),
    sort: params.get('sort') ?? '',
    columns: parseNames(params.get('columns') ?? ''),
    open: parseOpen(params.get('open') ?? ''),
    tab: parseTab(params.get('tab') ?? ''),
    start: params.get('view') === 'graph' ? (params.get('start') ?? '') : '',
    end: params.get('kind') === 'edge' ? (params.get('end') ?? '') : '',
    steps: params.get('steps') ?? '',
    style: params.get('view') === 'graph' ? (params.get('style') ?? '') : '',
    chart: params.get('chart') ?? '',
    rows: params.get('view') === 'graph' ? Number(params.get('rows')) || 0 : 0,
    question: params.get('ask') ?? '',
    searchText: params.get('q') ?? '',
    saved: params.get('saved') ?? '',
  };
}

export function serializeView(view: View): URLSearchParams {
  const params = new URLSearchParams();
  if (view.kind === 'edge') params.set('kind', 'edge');
  if (view.type !== null) params.set('type', view.type);
  if (view.view !== 'table') params.set('view', view.view);
  for (const condition of view.conditions) params.append(...filterParam(condition));
  if (view.sort) params.set('sort', view.sort);
  if (view.columns) params.set('columns', serializeNames(view.columns));
  if (view.open) params.set('open', `${view.open.kind}:${view.open.id}`);
  if (view.open && view.tab !== 'properties') params.set('tab', view.tab);
  if (view.start && view.view === 'graph') params.set('start', view.start);
  if (view.end && view.kind === 'edge') params.set('end', view.end);
  if (view.steps) params.set('steps', view.steps);
  if (view.style && view.view === 'graph') params.set('style', view.style);
  if (view.chart) params.set('chart', view.chart);
  if (view.rows && view.view === 'graph') params.set('rows', String(view.rows));
  if (view.question) params.set('ask', view.question);
  if (view.searchText) params.set('q', view.searchText);
  if (view.saved) params.set('saved', view.saved);
  return params;
}

/** The path of a view: of the page of questions if it has one. */
export function explorePath(view: Partial<View>): string {
  const query = serializeView({ ...defaultView, ...view }).toString();
  const page = view.question ? '/ask' : '/explore';
  return query ? `${page}?${query}` : page;
}

/** Changes members of the view; a function gets the view that the address has. */
export type ChangeView = (next: Partial<View> | ((current: View) => Partial<View>)) => void;

/** The view of the URL, and a function to change it. Changes of the selection add to the browser's history; others replace the entry. */
export function useView(): [View, ChangeView] {
  const [params, setParams] = useSearchParams();
  const page = basename + useLocation().pathname;
  const view = useMemo(() => parseView(params), [params]);
  const change = useCallback<ChangeView>(
    (changed) => {
      if (location.pathname !== page) return; // the user has gone to another page meanwhile
      // Based on the address, not on what was rendered last: a second action may come before the first is rendered, and must not undo it.
      const current = parseView(new URLSearchParams(location.search));
      const next = typeof changed === 'function' ? changed(current) : changed;
      // Another type is another page, no longer the saved view.
      const left = 'type' in next || 'kind' in next || 'searchText' in next ? { saved: '' } : {};
      setParams(serializeView({ ...current, ...left, ...next }), {
        replace: !(
          'type' in next ||
          'view' in next ||
          'open' in next ||
          'conditions' in next ||
          'end' in next ||
          'sort' in next ||
          'columns' in next ||
          'style' in next ||
          'question' in next ||
          'searchText' in next
        ),
      });
    },
    [setParams, page],
  );
  return [view, change];
}
