// Moves of nodes, pins and layouts, which are undone between the steps of the address: a move belongs to the steps that it was made at.
import type { Core } from 'cytoscape';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readPositions, type Positions } from './drawing';
import { notifyDrawn } from './layoutStorage';

interface Move {
  /** The steps of the address when it was made. */
  at: string;
  before: Positions;
  after: Positions;
}

/** More moves would keep too many positions. */
const maxMoves = 100;

const isSame = (a: Positions, b: Positions) =>
  [...b].every(([id, p]) => {
    const q = a.get(id);
    return !q || (q.x === p.x && q.y === p.y && (q.pinned ?? false) === (p.pinned ?? false));
  });

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

/** onMove: called when nodes were moved. */
export function useMoves(core: Core | null, steps: string, onMove: () => void) {
  const done = useRef<Move[]>([]);
  const undone = useRef<Move[]>([]);
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
    const move = { at: at.current, before: before.current, after: readPositions(core) };
    before.current = null;
    if (isSame(move.before, move.after)) return;
    done.current = [...done.current, move].slice(-maxMoves);
    undone.current = [];
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
      place(core, move.before);
      render((n) => n + 1);
    },
    redo: () => {
      const move = undone.current.pop();
      if (!core || !move) return;
      before.current = null;
      done.current.push(move);
      place(core, move.after);
      render((n) => n + 1);
    },
  };
}
