// The steps of the view's URL, and what adds to them or removes from them.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { findPath, type Direction } from '../api/graph';
import { maxLimit } from '../api/limits';
import type { ChangeView, View } from '../explore/url';
import { notify, notifyProblem } from '../shell/notify';
import type { GroupKey } from './groupKey';
import type { Mark } from './groups';
import { layoutNameOf } from './layoutStorage';
import { addStep, isExpanded, parseSteps, removeSteps, serializeSteps, together, type Addition, type SimpleStep, type Step } from './steps';

export function useSteps(view: View, change: ChangeView) {
  const queries = useQueryClient();
  const steps = useMemo(() => parseSteps(view.steps), [view.steps]);
  // The steps that were undone, the last one first, and the steps that were left then: once there are others they cannot be done again.
  const undone = useRef<{ left: string; steps: Step[] }>({ left: '', steps: [] });
  const redoable = (left: string) => (undone.current.left === left ? undone.current.steps : []);
  /** Changes the steps of the address, which may have more than those that were rendered. */
  const update = (next: (now: Step[]) => Step[]) => change((now) => ({ steps: serializeSteps(next(parseSteps(now.steps))) }));
  const add = (step: SimpleStep) => update((now) => addStep(now, step));

  /** Adds neighbors of a mark that are not on the canvas, beside those of its kind that are. */
  function expandMark({ hub, direction, edgeType, type, shown }: Mark, more: number) {
    add({
      do: 'expand',
      id: hub,
      direction,
      type: edgeType,
      limit: Math.min(maxLimit, shown + more),
      ...(type === null ? {} : { nodeType: type }),
    });
  }
  async function addPath(id: string, to: string) {
    const selection = layoutNameOf(view);
    try {
      const path = await queries.fetchQuery({
        queryKey: ['node-edges', id, 'path', to],
        queryFn: ({ signal }) => findPath(id, to, signal),
      });
      if (path.nodes.length === 0) notify('No short path connects the two nodes.', 'No path');
      // The user may have gone to another selection meanwhile.
      else
        change((now) =>
          layoutNameOf(now) === selection ? { steps: serializeSteps([...parseSteps(now.steps), { do: 'path', id, to }]) } : {},
        );
    } catch (error) {
      notifyProblem(error, 'No path');
    }
  }
  function hide(ids: string[]) {
    const hidden = together(ids.map((id) => ({ do: 'hide' as const, id })));
    change((now) => ({
      steps: serializeSteps([...parseSteps(now.steps), ...hidden]),
      ...(now.open && ids.includes(now.open.id) ? { open: null } : {}),
    }));
  }
  function undo() {
    change((now) => {
      const done = parseSteps(now.steps);
      const last = done.pop();
      if (!last) return {};
      const left = serializeSteps(done);
      undone.current = { left, steps: [last, ...redoable(now.steps)] };
      return { steps: left };
    });
  }
  function redo() {
    change((now) => {
      const [next, ...rest] = redoable(now.steps);
      if (!next) return {};
      const left = serializeSteps([...parseSteps(now.steps), next]);
      undone.current = { left, steps: rest };
      return { steps: left };
    });
  }
  return {
    canUndo: steps.length > 0,
    undo,
    canRedo: redoable(view.steps).length > 0,
    redo,
    expand: (id: string, direction: Direction, type: string | null) => add({ do: 'expand', id, direction, type }),
    isExpanded: (id: string) => isExpanded(steps, id),
    expandMark,
    group: (id: string, groups: GroupKey[]) => add({ do: 'group', id, groups }),
    ungroup: (mark: Mark) => add({ do: 'ungroup', id: mark.hub, group: mark }),
    collapse: (id: string) => add({ do: 'collapse', id }),
    addPath,
    hide,
    addTo: (addition: Addition) => add({ do: 'add', ...addition }),
    /** Makes that undone steps cannot be done again: something else was done. */
    forgetUndone: () => void (undone.current = { left: '', steps: [] }),
    /** Takes several steps, which are undone together. */
    take: (next: SimpleStep[]) => update((now) => [...now, ...together(next)]),
    remove: (gone: SimpleStep[]) => update((now) => removeSteps(now, gone)),
  };
}
