// The steps taken on the canvas, in order. The steps are in the URL, so a link reopens the view, and removing the last step
// undoes it.
import type { Direction, EntityKind } from '../api/graph';
import { maxLimit } from '../api/limits';
import { explorePath } from '../explore/url';
import { isSameGroup, type GroupKey } from './groupKey';

/** The most nodes that are added one by one: each is read with a request, if no list that was loaded has it. */
export const maxSingleNodes = 100;

/** What add puts on the canvas: single nodes, the rows of a list by its address, or the answer of a question. */
export type Addition = { ids: string[] } | { list: string } | { question: string };

/**
 * keep leaves the nodes with the ids, discard leaves the others, and drop leaves none of a type, or no node without a label. What is added
 * later stays. With keep, so do the rows that are loaded later: rows is how many there were, all without it.
 */
export type SimpleStep =
  | { do: 'path'; id: string; to: string }
  | { do: 'expand'; id: string; direction: Direction; type: string | null; limit?: number; nodeType?: string }
  | { do: 'group'; id: string; groups: GroupKey[] }
  | { do: 'collapse'; id: string }
  | { do: 'ungroup'; id: string; group: GroupKey }
  | { do: 'hide'; id: string }
  | { do: 'keep'; ids: string[]; rows?: number }
  | { do: 'discard'; ids: string[] }
  | { do: 'drop'; kind: EntityKind; type: string | null }
  | ({ do: 'add' } & Addition);

/**
 * expand adds neighbors of a node, at most limit, of all types or of nodeType; path adds a shortest path between two nodes; hide removes a
 * node until a later step names or finds it; group draws neighbors of a node as one mark; collapse takes expansions and groups of a node
 * back, ungroup one group. What takes back is a step, too, so that it can be undone. Steps that are taken together are undone together.
 */
export type Step = SimpleStep | { do: 'together'; steps: SimpleStep[] };

/** The steps one by one that count: without those that later ones take back or repeat. */
export function simpleSteps(steps: Step[]): SimpleStep[] {
  let left: SimpleStep[] = [];
  for (const step of steps.flatMap((each) => (each.do === 'together' ? each.steps : each))) {
    if (step.do === 'collapse') left = left.filter((s) => (s.do !== 'expand' && s.do !== 'group') || s.id !== step.id);
    else if (step.do === 'ungroup') left = left.flatMap((s) => withoutGroup(s, step));
    else left = [...left.filter((s) => !isRepeated(s, step)), step];
  }
  return left;
}

/** Whether a later step is the same expansion. The ids come first: most steps differ by them. */
const isRepeated = (step: SimpleStep, later: SimpleStep) =>
  step.do === 'expand' && later.do === 'expand' && step.id === later.id && serializeSteps([step]) === serializeSteps([later]);

function withoutGroup(step: SimpleStep, { id, group }: Extract<SimpleStep, { do: 'ungroup' }>): SimpleStep[] {
  if (step.do !== 'group' || step.id !== id) return [step];
  const groups = step.groups.filter((each) => !isSameGroup(each, group));
  return groups.length > 0 ? [{ ...step, groups }] : [];
}

/** Adds a step, unless it would change nothing. */
export function addStep(steps: Step[], step: SimpleStep): Step[] {
  const next = [...steps, step];
  return serializeSteps(simpleSteps(next)) === serializeSteps(simpleSteps(steps)) ? steps : next;
}

/** The step that takes some together. */
export const together = (steps: SimpleStep[]): Step[] => (steps.length > 1 ? [{ do: 'together', steps }] : steps);

/** Parses the steps of a URL; ignores invalid steps. */
export function parseSteps(text: string): Step[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text || '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(raw)) return [];
  return (raw as unknown[]).flatMap((item): Step[] => {
    if (!Array.isArray(item) || item[0] !== '*' || !Array.isArray(item[1])) return parseSimple([item]);
    return together(parseSimple(item[1] as unknown[]));
  });
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

function parseSimple(items: unknown[]): SimpleStep[] {
  const steps: SimpleStep[] = [];
  for (const item of items) {
    if (!Array.isArray(item)) continue;
    const ids = textsOf(item[1]);
    if (item[0] === 'k' && ids.length > 0) steps.push({ do: 'keep', ids, ...(isCount(item[2]) ? { rows: item[2] } : {}) });
    if (item[0] === 'd' && ids.length > 0) steps.push({ do: 'discard', ids });
    if (item[0] === 'a' && ids.length > 0) steps.push({ do: 'add', ids });
    if (typeof item[1] !== 'string') continue;
    const [code, id, direction, type] = item as [unknown, string, unknown, unknown];
    if (code === 'l') steps.push({ do: 'add', list: id });
    if (code === 'q') steps.push({ do: 'add', question: id });
    if (code === 't' && (typeof direction === 'string' || direction === null))
      steps.push({ do: 'drop', kind: id === 'edge' ? 'edge' : 'node', type: direction });
    if (code === 'h') steps.push({ do: 'hide', id });
    if (code === 'c') steps.push({ do: 'collapse', id });
    if (code === 'u') steps.push(...parseGroup(direction).map((group) => ({ do: 'ungroup' as const, id, group })));
    if (code === 'p' && typeof direction === 'string') steps.push({ do: 'path', id, to: direction });
    if (code === 'x') {
      const [limit, nodeType] = (item as unknown[]).slice(4);
      steps.push({
        do: 'expand',
        id,
        direction: direction === 'in' || direction === 'out' ? direction : 'both',
        type: typeof type === 'string' ? type : null,
        ...(typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= maxLimit ? { limit } : {}),
        ...(typeof nodeType === 'string' ? { nodeType } : {}),
      });
    }
    if (code === 'g' && Array.isArray(direction)) {
      const groups = direction.flatMap(parseGroup);
      if (groups.length > 0) steps.push({ do: 'group', id, groups });
    }
  }
  return steps;
}

function parseGroup(item: unknown): GroupKey[] {
  if (!Array.isArray(item)) return [];
  const [direction, edgeType, type] = item as unknown[];
  if ((direction !== 'in' && direction !== 'out') || typeof edgeType !== 'string' || (type !== null && typeof type !== 'string')) return [];
  return [{ direction, edgeType, type }];
}

export function serializeSteps(steps: Step[]): string {
  if (steps.length === 0) return '';
  return JSON.stringify(steps.map((step) => (step.do === 'together' ? ['*', step.steps.map(codeOf)] : codeOf(step))));
}

const codeOfGroup = ({ direction, edgeType, type }: GroupKey) => [direction, edgeType, type];

function codeOf(s: SimpleStep): unknown[] {
  if (s.do === 'hide') return ['h', s.id];
  if (s.do === 'collapse') return ['c', s.id];
  if (s.do === 'ungroup') return ['u', s.id, codeOfGroup(s.group)];
  if (s.do === 'keep') return s.rows === undefined ? ['k', s.ids] : ['k', s.ids, s.rows];
  if (s.do === 'discard') return ['d', s.ids];
  if (s.do === 'drop') return ['t', s.kind, s.type];
  if (s.do === 'add') return 'ids' in s ? ['a', s.ids] : 'list' in s ? ['l', s.list] : ['q', s.question];
  if (s.do === 'path') return ['p', s.id, s.to];
  if (s.do === 'group') return ['g', s.id, s.groups.map(codeOfGroup)];
  if (s.limit !== undefined) return ['x', s.id, s.direction, s.type, s.limit, ...(s.nodeType === undefined ? [] : [s.nodeType])];
  return s.type === null ? ['x', s.id, s.direction] : ['x', s.id, s.direction, s.type];
}

/** The address of a graph that starts from a node, with its neighbors. */
export function graphPath(node: { id: string; type: string | null }): string {
  const steps = serializeSteps([{ do: 'expand', id: node.id, direction: 'both', type: null }]);
  return explorePath({ kind: 'node', type: node.type, view: 'graph', start: node.id, steps, open: { kind: 'node', id: node.id } });
}

export function isExpanded(steps: Step[], id: string): boolean {
  return simpleSteps(steps).some((s) => s.do === 'expand' && s.id === id);
}

/** Whether a later step reads the same neighbors and more. */
export function isSuperseded(step: SimpleStep, steps: SimpleStep[]): boolean {
  if (step.do !== 'expand') return false;
  const limitOf = (s: { limit?: number }) => s.limit ?? 0;
  return steps.some(
    (s) =>
      s.do === 'expand' &&
      s.id === step.id &&
      s.direction === step.direction &&
      s.type === step.type &&
      s.nodeType === step.nodeType &&
      limitOf(s) > limitOf(step),
  );
}

/** Removes the given steps, also those that are taken together with others. */
export function removeSteps(steps: Step[], gone: SimpleStep[]): Step[] {
  const removed = new Set(gone.map((s) => serializeSteps([s])));
  const stays = (step: SimpleStep) => !removed.has(serializeSteps([step]));
  return steps.flatMap((step): Step[] => {
    if (step.do !== 'together') return stays(step) ? [step] : [];
    const left = step.steps.filter(stays);
    return left.length > 0 ? [{ do: 'together', steps: left }] : [];
  });
}
