// The state of a canvas: what it shows, its steps and moves, the selection, and what can be done with it.
import { useComputedColorScheme } from '@mantine/core';
import type { Core, NodeSingular } from 'cytoscape';
import { useMemo, useState } from 'react';
import { useAppearanceVersion } from '../explore/appearance';
import type { Row } from '../explore/lists';
import type { ChangeView, View } from '../explore/url';
import { canvasActions } from './actions';
import { useMenuPlace } from './ContextMenu';
import { labelOf } from './drawing';
import { isMark, markTitle } from './groups';
import { layoutNameOf } from './layoutStorage';
import { openMark } from './SelectionTools';
import { useCanvas } from './useCanvas';
import { useGraph, type Graph } from './useGraph';
import { useMoves } from './useMoves';
import { useSteps } from './useSteps';
import { useUndoKeys, type UndoHistory } from './useUndoKeys';
import { buildScales, parseStyle } from './valueStyle';

/** complete: no more rows of the address are being loaded. */
export function useCanvasModel(rows: Row[], complete: boolean, view: View, change: ChangeView) {
  const appearance = useAppearanceVersion();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const graph = useGraph(rows, complete, view.steps);
  const steps = useSteps(view, change);
  const [expanding, setExpanding] = useState(false);
  const [pathing, setPathing] = useState(false);
  const style = useMemo(() => parseStyle(view.style), [view.style]);
  const { nodes, edges } = graph;
  const scales = useMemo(() => buildScales(style, { nodes, edges }, dark), [style, nodes, edges, dark]);
  const canvas = useCanvas({
    layoutName: layoutNameOf(view),
    graph,
    dark,
    appearance,
    scales,
    open: view.open,
    onOpen: (open) => change({ open }),
    onExpand: expand,
  });
  const moves = useMoves(canvas.core, layoutNameOf(view), view.steps, steps.forgetUndone);
  const actions = canvasActions({ graph, canvas, steps, moves, change });
  const history = joinHistories(moves, steps);
  useUndoKeys(history);
  const [menu, setMenu] = useMenuPlace(canvas.core, (id) => {
    if (id !== '' && !canvas.core!.getElementById(id).selected()) canvas.selectAll([id], false);
  });

  function expand(id: string) {
    const mark = graph.drawing.marks.find((each) => each.id === id);
    if (mark && mark.combined === 0) return openMark(mark, steps);
    if (mark) canvas.select(mark.hub, false);
    setExpanding(true);
  }
  function handleKey(key: string, id: string): boolean {
    if (key === 'e') expand(id);
    else if (key === 'p') actions.pin([id]);
    else if (isMark(id)) return false;
    else if (key === 'c') steps.collapse(id);
    else if (key === 'h') actions.hide([id]);
    else if (key === 'g') actions.groupNode(id);
    else return false;
    return true;
  }
  return {
    dark,
    graph,
    steps,
    style,
    scales,
    canvas,
    moves,
    actions,
    history,
    selected: canvas.selected.filter((id) => !id.startsWith('edge ')),
    items: useItems(graph.drawing, appearance),
    expand,
    expanding,
    setExpanding,
    pathing,
    setPathing,
    menu,
    /** Opens the menu of a node beside it. */
    openMenu: (id: string) => setMenu({ id, ...placeOf(canvas.core, id) }),
    closeMenu: () => setMenu(null),
    handleKey,
  };
}

export type CanvasModel = ReturnType<typeof useCanvasModel>;

/** The nodes and marks as a list. */
function useItems(drawing: Graph['drawing'], appearance: number) {
  return useMemo(
    () => [
      ...drawing.nodes.map((node) => ({ id: node.id, type: node.type, label: labelOf(node) })),
      ...drawing.marks.map((mark) => ({ id: mark.id, type: mark.type, label: markTitle(mark) })),
    ],
    // eslint-disable-next-line react-hooks/exhaustive-deps -- labels change with the appearance of types
    [drawing, appearance],
  );
}

/** Where a node is on the canvas; the middle if it is out of view. */
function placeOf(core: Core | null, id: string) {
  const node = core?.getElementById(id);
  const [width, height] = [core?.width() ?? 0, core?.height() ?? 0];
  const { x, y } = node?.nonempty() ? (node as NodeSingular).renderedPosition() : { x: -1, y: -1 };
  return x >= 0 && y >= 0 && x <= width && y <= height ? { x, y } : { x: width / 2, y: height / 2 };
}

/** Moves at the present steps come before the last step. */
function joinHistories(moves: ReturnType<typeof useMoves>, steps: ReturnType<typeof useSteps>): UndoHistory {
  return {
    canUndo: moves.canUndo || steps.canUndo,
    canRedo: moves.canRedo || steps.canRedo,
    undo: () => (moves.canUndo ? moves.undo() : steps.undo()),
    redo: () => (moves.canRedo ? moves.redo() : steps.redo()),
  };
}
