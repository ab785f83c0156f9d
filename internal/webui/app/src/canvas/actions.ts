// What can be done with nodes and edges on the canvas, for its tools, its legend and its menu.
import type { Direction, EntityKind } from '../api/graph';
import type { ChangeView } from '../explore/url';
import { notify } from '../shell/notify';
import type { MenuEntry } from './ContextMenu';
import { groupsOf, isMark } from './groups';
import { dropOthers } from './model';
import type { useCanvas } from './useCanvas';
import type { Graph } from './useGraph';
import type { useMoves } from './useMoves';
import type { useSteps } from './useSteps';

interface Parts {
  graph: Graph;
  canvas: ReturnType<typeof useCanvas>;
  steps: ReturnType<typeof useSteps>;
  moves: ReturnType<typeof useMoves>;
  change: ChangeView;
}

export function canvasActions({ graph, canvas, steps, moves, change }: Parts) {
  /** The nodes, and those that marks stand for. */
  const membersOf = (ids: string[]) => {
    const marks = new Map(graph.drawing.marks.map((mark) => [mark.id, mark.nodes.map((node) => node.id)]));
    return ids.flatMap((id) => (isMark(id) ? (marks.get(id) ?? []) : [id]));
  };
  function hide(chosen: string[]) {
    const ids = membersOf(chosen);
    if (ids.length === 0) return;
    canvas.clearSelection();
    steps.hide(ids);
  }
  /**
   * Keeps nodes; the shorter list of ids is what the address has, and either leaves what is added or loaded later. What the full canvas
   * omits is in no list, and would take the place of what goes.
   */
  function keep(chosen: string[]) {
    const ids = membersOf(chosen);
    const kept = new Set(ids);
    const others = graph.nodes.map((node) => node.id).filter((id) => !kept.has(id));
    if (ids.length === 0 || others.length === 0) return;
    canvas.clearSelection();
    const listsOthers = others.length < ids.length && graph.omitted === 0;
    steps.take([listsOthers ? { do: 'discard', ids: others } : { do: 'keep', ids, rows: graph.rows }]);
  }
  function invert(ids: string[]) {
    const selected = new Set(ids);
    canvas.selectAll(
      [...graph.drawing.nodes, ...graph.drawing.marks].flatMap(({ id }) => (selected.has(id) ? [] : [id])),
      false,
    );
  }
  function pin(ids: string[]) {
    moves.begin();
    canvas.togglePinned(ids);
    moves.end();
  }
  function groupNode(id: string) {
    const groups = groupsOf(graph.drawing, id);
    if (groups.length > 0) steps.group(id, groups);
  }
  /** Groups the neighbors of every node at one end of an edge type. */
  function groupAt(edgeType: string, direction: 'in' | 'out') {
    const hubs = new Set(
      graph.drawing.edges.flatMap((e) => (e.type === edgeType ? [direction === 'out' ? e.source_id : e.target_id] : [])),
    );
    const found = [...hubs].flatMap((id) => {
      const groups = groupsOf(graph.drawing, id).filter((group) => group.edgeType === edgeType && group.direction === direction);
      return groups.length > 0 ? [{ do: 'group' as const, id, groups }] : [];
    });
    if (found.length === 0) notify('No node there has several neighbors without other edges on the canvas.', 'Nothing to group');
    else steps.take(found);
  }
  const ofType = (type: string) => graph.drawing.nodes.flatMap((node) => (node.type === type ? [node.id] : []));
  const types = {
    select: (type: string) => canvas.selectAll(ofType(type), false),
    drop: (kind: EntityKind, type: string) => steps.take([{ do: 'drop', kind, type }]),
    keep: (kind: EntityKind, type: string) => steps.take(dropOthers(kind, kind === 'node' ? graph.nodes : graph.edges, type)),
    groupAt,
  };
  const expandMany = (ids: string[], direction: Direction, type: string | null) =>
    steps.take(ids.map((id) => ({ do: 'expand', id, direction, type })));
  return { hide, keep, invert, pin, groupNode, types, expandMany, open: (id: string) => change({ open: { kind: 'node', id } }) };
}

export type CanvasActions = ReturnType<typeof canvasActions>;

interface MenuParts extends Pick<Parts, 'graph' | 'canvas' | 'steps' | 'change'> {
  actions: CanvasActions;
  selected: string[];
  onExpand: (id: string) => void;
  onFindPath: () => void;
}

/** The menu of a node or a mark, of an edge, or of the background. */
export function menuEntries(id: string, parts: MenuParts): MenuEntry[][] {
  const { graph, canvas, change, actions } = parts;
  const edge = graph.drawing.edges.find((each) => `edge ${each.id}` === id);
  if (edge)
    return [
      [{ label: 'Open', run: () => change({ open: { kind: 'edge', id: edge.id } }) }],
      [
        { label: 'Hide all edges of this type', run: () => actions.types.drop('edge', edge.type) },
        { label: 'Group at the source', run: () => actions.types.groupAt(edge.type, 'out') },
        { label: 'Group at the target', run: () => actions.types.groupAt(edge.type, 'in') },
      ],
    ];
  if (id === '' || id.startsWith('edge '))
    return [
      [
        { label: 'Select all', run: () => actions.invert([]) },
        { label: 'Fit to view', run: canvas.showAll },
      ],
    ];
  return nodeEntries(id, parts);
}

function nodeEntries(id: string, { graph, canvas, steps, actions, selected, onExpand, onFindPath }: MenuParts): MenuEntry[][] {
  const expand = { label: 'Expand…', run: () => onExpand(id) };
  if (isMark(id)) return [[expand]];
  const many = selected.includes(id) && selected.length > 1;
  const chosen = many ? selected : [id];
  const ids = chosen.filter((each) => !isMark(each));
  const type = graph.nodes.find((node) => node.id === id)?.type ?? null;
  const [first, second] = ids;
  return [
    [
      { label: 'Open', run: () => actions.open(id) },
      ...(many ? [] : [expand, { label: 'Path to…', run: onFindPath }]),
      ...(ids.length === 2 ? [{ label: 'Shortest path', run: () => void steps.addPath(first!, second!) }] : []),
      ...(!many && steps.isExpanded(id) ? [{ label: 'Collapse', run: () => steps.collapse(id) }] : []),
      ...(!many && groupsOf(graph.drawing, id).length > 0 ? [{ label: 'Group', run: () => actions.groupNode(id) }] : []),
    ],
    [
      { label: canvas.isPinned(id) ? 'Unpin' : 'Pin', run: () => actions.pin(ids) },
      { label: 'Hide', run: () => actions.hide(chosen) },
      { label: 'Keep only this selection', run: () => actions.keep(chosen) },
    ],
    [
      { label: 'Invert the selection', run: () => actions.invert(chosen) },
      ...(type === null ? [] : [{ label: 'Select all of this type', run: () => actions.types.select(type) }]),
    ],
  ];
}
