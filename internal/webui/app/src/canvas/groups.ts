// Marks of the canvas: one element that stands for many neighbors of a hub, with their count.
import type { Degree, GraphEdge, GraphNode } from '../api/graph';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import { nameOf, type GroupKey } from './groupKey';
import type { CanvasContent } from './model';
import type { SimpleStep } from './steps';

export interface Mark extends GroupKey {
  /** Begins with the prefix that isMark tests. */
  id: string;
  hub: string;
  /** The grouped neighbors. */
  nodes: GraphNode[];
  /** How many edges to further neighbors there are that are not on the canvas. */
  rest: number;
  /** How many of the neighbors that the same request reads are on the canvas. */
  shown: number;
  /** How many small groups it stands for; 0 for a mark of one group. */
  combined: number;
}

/** What is drawn: the content without the nodes that marks stand for. */
export interface Drawing {
  nodes: GraphNode[];
  edges: GraphEdge[];
  marks: Mark[];
}

const prefix = 'group ';
export const isMark = (id: string) => id.startsWith(prefix);

export const countOf = (mark: Mark) => mark.nodes.length + mark.rest;

/** The caption of a mark, such as "412 Film" or, if only neighbors that are not on the canvas are left, "387 more Film". */
export function markLabel(mark: Mark): string {
  if (mark.combined > 0) return `${formatCount(mark.rest)} more in ${pluralize(mark.combined, 'group')}`;
  const more = mark.nodes.length === 0 ? 'more ' : '';
  return `${formatCount(countOf(mark))} ${more}${mark.type === null ? 'without a label' : escapeInvisible(mark.type)}`;
}

/** The caption with the edge type and its direction as seen from the hub, to distinguish marks in a list. */
export function markTitle(mark: Mark): string {
  return mark.combined > 0
    ? markLabel(mark)
    : `${markLabel(mark)} ${mark.direction === 'out' ? '→' : '←'} ${escapeInvisible(mark.edgeType)}`;
}

const markId = (hub: string, { direction, edgeType, type }: GroupKey) => `${prefix}${JSON.stringify([hub, direction, edgeType, type])}`;

type Edges = Pick<CanvasContent, 'nodes' | 'edges'>;

/** The nodes of the content that have edges to no other node than the hub, by the group that the first of these edges puts them in. */
function leavesOf({ nodes, edges }: Edges, hub: string): Map<string, { key: GroupKey; nodes: GraphNode[] }> {
  const types = new Map(nodes.map((node) => [node.id, node]));
  const keys = new Map<string, GroupKey>();
  const connected = new Set<string>();
  for (const { source_id, target_id, type: edgeType } of edges) {
    if (source_id === target_id) continue;
    if (source_id !== hub && target_id !== hub) {
      connected.add(source_id).add(target_id);
      continue;
    }
    const other = source_id === hub ? target_id : source_id;
    if (!keys.has(other)) keys.set(other, { direction: source_id === hub ? 'out' : 'in', edgeType, type: types.get(other)?.type ?? null });
  }
  const groups = new Map<string, { key: GroupKey; nodes: GraphNode[] }>();
  for (const [id, key] of keys) {
    const node = types.get(id);
    if (!node || connected.has(id)) continue;
    const group = groups.get(nameOf(key)) ?? { key, nodes: [] };
    group.nodes.push(node);
    groups.set(nameOf(key), group);
  }
  return groups;
}

/** The groups that a node's neighbors on the canvas make up: those of at least two nodes that have edges to no other node. */
export function groupsOf(content: Edges, hub: string): GroupKey[] {
  return [...leavesOf(content, hub).values()].filter(({ nodes }) => nodes.length > 1).map(({ key }) => key);
}

/** What a cut expansion left out: the counts of the hub's edges. */
export interface CutExpansion {
  step: Extract<SimpleStep, { do: 'expand' }>;
  degree: Degree;
}

const covers = (step: CutExpansion['step'], { direction, edgeType, type }: GroupKey) =>
  (step.direction === 'both' || step.direction === direction) &&
  (step.type === null || step.type === edgeType) &&
  (step.nodeType === undefined || step.nodeType === type);

/** How many edges of each group of the hub there are beyond the known ones. */
function remainingGroupsOf(known: Edges, cuts: CutExpansion[], hub: string): Map<string, { key: GroupKey; rest: number; shown: number }> {
  const types = new Map(known.nodes.map((node) => [node.id, node.type]));
  const read = new Map<string, number>();
  for (const { source_id, target_id, type: edgeType } of known.edges) {
    for (const direction of ['out', 'in'] as const) {
      const [from, to] = direction === 'out' ? [source_id, target_id] : [target_id, source_id];
      if (from !== hub) continue;
      const name = nameOf({ direction, edgeType, type: types.get(to) ?? null });
      read.set(name, (read.get(name) ?? 0) + 1);
    }
  }
  const remainingGroups = new Map<string, { key: GroupKey; rest: number; shown: number }>();
  for (const { step, degree } of cuts) {
    if (step.id !== hub) continue;
    for (const { direction, edge_type: edgeType, node_type: type, count } of degree.counts) {
      const key: GroupKey = { direction: direction === 'in' ? 'in' : 'out', edgeType, type: type ?? null };
      const shown = read.get(nameOf(key)) ?? 0;
      const rest = Number(count) - shown;
      if (rest > 0 && covers(step, key))
        remainingGroups.set(nameOf(key), { key, rest, shown: key.type === null ? known.nodes.length : shown });
    }
  }
  return remainingGroups;
}

/** The most marks of one hub for neighbors that are not on the canvas: more of them are unreadable. */
const maxRemainingGroups = 12;

/**
 * Replaces the neighbors that steps have grouped by marks, and adds marks for the neighbors that cut expansions left out. Known has what
 * was read, hidden nodes included.
 */
export function groupNeighbors(content: CanvasContent, known: Edges, steps: SimpleStep[], cuts: CutExpansion[]): Drawing {
  const marks = new Map<string, Mark>();
  const markOf = (hub: string, key: GroupKey): Mark => {
    const id = markId(hub, key);
    const mark = marks.get(id) ?? { ...key, id, hub, nodes: [], rest: 0, shown: 0, combined: 0 };
    marks.set(id, mark);
    return mark;
  };
  const present = new Set(content.nodes.map((node) => node.id));
  const grouped = new Set<string>();
  for (const step of steps) {
    if (step.do !== 'group' || !present.has(step.id) || grouped.has(step.id)) continue;
    const leaves = leavesOf(content, step.id);
    for (const key of step.groups) {
      const nodes = (leaves.get(nameOf(key))?.nodes ?? []).filter((node) => !grouped.has(node.id));
      if (nodes.length === 0) continue;
      markOf(step.id, key).nodes = nodes;
      for (const node of nodes) grouped.add(node.id);
    }
  }
  for (const hub of new Set(cuts.map(({ step }) => step.id))) {
    if (!present.has(hub) || grouped.has(hub)) continue;
    // The groups that a step has made are drawn anyway; the others by their size, the smallest as one mark.
    const isGrouped = ({ key }: { key: GroupKey }) => marks.has(markId(hub, key));
    const remainingGroups = [...remainingGroupsOf(known, cuts, hub).values()].sort(
      (a, b) => Number(isGrouped(b)) - Number(isGrouped(a)) || b.rest - a.rest,
    );
    const drawn = Math.max(
      remainingGroups.filter(isGrouped).length,
      remainingGroups.length > maxRemainingGroups ? maxRemainingGroups - 1 : remainingGroups.length,
    );
    for (const { key, rest, shown } of remainingGroups.slice(0, drawn)) Object.assign(markOf(hub, key), { rest, shown });
    const small = remainingGroups.slice(drawn);
    if (small.length > 0) {
      const id = `${prefix}${JSON.stringify([hub])}`;
      marks.set(id, {
        id,
        hub,
        direction: 'out',
        edgeType: '',
        type: null,
        nodes: [],
        rest: small.reduce((sum, { rest }) => sum + rest, 0),
        shown: 0,
        combined: small.length,
      });
    }
  }
  return {
    nodes: content.nodes.filter((node) => !grouped.has(node.id)),
    edges: content.edges.filter((edge) => !grouped.has(edge.source_id) && !grouped.has(edge.target_id)),
    marks: [...marks.values()],
  };
}
