// The state of the console as the fragment of its address: browsers do not send it, so that no log has the text of a query.
import { bodyText, parseExact } from '../api/json';
import { kinds, type Kind } from '../values/value';
import type { Draft } from '../values/draft';
import type { ChartKind, ChartSpec } from './answer';
import type { Drafts } from './parameters';

export type ResultView = 'table' | 'graph' | 'chart' | 'plan';

export interface ConsoleState {
  cypher: string;
  drafts: Drafts;
  view: ResultView;
  chart: ChartSpec | null;
}

const views: readonly string[] = ['table', 'graph', 'chart', 'plan'];
const charts: readonly string[] = ['bar', 'line', 'scatter'];

export function serializeConsole({ cypher, drafts, view, chart }: ConsoleState): string {
  const params = new URLSearchParams({ cypher });
  if (Object.keys(drafts).length > 0) params.set('parameters', bodyText(drafts));
  if (view !== 'table') params.set('view', view);
  if (chart) params.set('chart', bodyText(chart));
  return `#${params}`;
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const parsed = parseExact(text ?? '{}');
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function parseDraft(value: unknown): Draft | null {
  const { kind, list, texts } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Draft>;
  const isKnown = (kinds as readonly unknown[]).includes(kind) && typeof list === 'boolean' && Array.isArray(texts);
  return isKnown && texts.every((text) => typeof text === 'string') && (list || texts.length === 1)
    ? { kind: kind as Kind, list, texts }
    : null;
}

/** Parses what a chart shows; null if it is the default of the answer. */
export function parseChart(text: string | null): ChartSpec | null {
  const { kind, x, y } = parseObject(text);
  return charts.includes(kind as string) && typeof x === 'string' && typeof y === 'string' ? { kind: kind as ChartKind, x, y } : null;
}

/** Parses the fragment; leaves out what is invalid. */
export function parseConsole(hash: string): ConsoleState {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const drafts = Object.entries(parseObject(params.get('parameters'))).flatMap(([name, value]) => {
    const draft = parseDraft(value);
    return draft ? [[name, draft] as const] : [];
  });
  const view = params.get('view') ?? '';
  return {
    cypher: params.get('cypher') ?? '',
    drafts: Object.fromEntries(drafts),
    view: views.includes(view) ? (view as ResultView) : 'table',
    chart: parseChart(params.get('chart')),
  };
}
