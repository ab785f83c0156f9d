// Moves of nodes, pins and layouts, which are undone between the steps of the address: a move belongs to the steps that it was made at.
import type { Core } from 'cytoscape';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readPositions, type Positions } from './drawing';
import { loadMoves, notifyDrawn, saveMoves, type Move } from './layoutStorage';

/** More moves would keep too many positions. */
const maxMoves = 100;

/** The positions of the nodes that differ in another drawing, which has them. */
export const differing = (positions: Positions, other: Positions): Positions =>
  new Map(
    [...positions].filter(([id, p]) => {
      const q = other.get(id);
      return q && (q.x !== p.x || q.y !== p.y || (q.pinned ?? false) !== (p.pinned ?? false));
    }),
  );

function place(core: Core, positions: Positions) {
  core.batch(() => {
    for (const [id, { x, y, pinned }] of positions) {
      const node = core.getElementById(id);
      if (node.empty()) continue;
      node.position({ x, y });
      node.toggleClass('pinned', pinned === true);
    }
  });
  notifyDrawn();
}

/** layoutName: of the canvas, whose moves stay until the tab is closed. onMove: called when nodes were moved. */
export function useMoves(core: Core | null, layoutName: string, steps: string, onMove: () => void) {
  const done = useRef<Move[]>([]);
  const undone = useRef<Move[]>([]);
  const of = useRef<string | null>(null);
  if (of.current !== layoutName) {
    of.current = layoutName;
    done.current = loadMoves(layoutName);
    undone.current = [];
  }
  const before = useRef<Positions | null>(null);
  const [, render] = useState(0);
  const at = useRef(steps);
  at.current = steps;
  const callback = useRef(onMove);
  callback.current = onMove;

  const begin = useCallback(() => {
    if (core) before.current ??= readPositions(core);
  }, [core]);
  const end = useCallback(() => {
    if (!core || !before.current) return;
    const now = readPositions(core);
    const move = { at: at.current, before: differing(before.current, now), after: differing(now, before.current) };
    before.current = null;
    if (move.after.size === 0) return;
    done.current = [...done.current, move].slice(-maxMoves);
    undone.current = [];
    saveMoves(of.current!, done.current);
    callback.current();
    render((n) => n + 1);
  }, [core]);

  useEffect(() => {
    if (!core) return;
    const ended = () => queueMicrotask(end); // once, after the events of all nodes that are moved together
    core.on('grab', 'node', begin);
    core.on('dragfree', 'node', ended);
    core.on('settled', ended);
    return () => {
      core.off('grab', 'node', begin);
      core.off('dragfree', 'node', ended);
      core.off('settled', ended);
    };
  }, [core, begin, end]);

  const last = done.current.at(-1);
  const next = undone.current.at(-1);
  return {
    /** Around what moves nodes or pins them; a layout ends with the event settled. */
    begin,
    end,
    canUndo: last?.at === steps,
    canRedo: next?.at === steps,
    undo: () => {
      const move = done.current.pop();
      if (!core || !move) return;
      before.current = null; // of a click that moved nothing
      undone.current.push(move);
      saveMoves(layoutName, done.current);
      place(core, move.before);
      render((n) => n + 1);
    },
    redo: () => {
      const move = undone.current.pop();
      if (!core || !move) return;
      before.current = null;
      done.current.push(move);
      saveMoves(layoutName, done.current);
      place(core, move.after);
      render((n) => n + 1);
    },
  };
}
