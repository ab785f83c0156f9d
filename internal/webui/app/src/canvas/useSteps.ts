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
import {
  addGroups,
  addTo,
  isExpanded,
  parseSteps,
  removeExpansions,
  removeGroup,
  removeSteps,
  serializeSteps,
  together,
  type Addition,
  type SimpleStep,
  type Step,
} from './steps';

export function useSteps(view: View, change: ChangeView) {
  const queries = useQueryClient();
  const steps = useMemo(() => parseSteps(view.steps), [view.steps]);
  // The steps that were undone, the last one first, and the steps that were left then: once there are others they cannot be done again.
  const undone = useRef<{ left: string; steps: Step[] }>({ left: '', steps: [] });
  const redoable = (left: string) => (undone.current.left === left ? undone.current.steps : []);
  /** Changes the steps of the address, which may have more than those that were rendered. */
  const update = (next: (now: Step[]) => Step[]) => change((now) => ({ steps: serializeSteps(next(parseSteps(now.steps))) }));
  const add = (step: Step) => update((now) => [...now, step]);

  function expand(id: string, direction: Direction, type: string | null) {
    const isSame = (s: Step) => s.do === 'expand' && s.id === id && s.direction === direction && s.type === type && s.limit === undefined;
    update((now) => [...now.filter((s) => !isSame(s)), { do: 'expand', id, direction, type }]);
  }
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
    expand,
    isExpanded: (id: string) => isExpanded(steps, id),
    expandMark,
    group: (id: string, groups: GroupKey[]) => update((now) => addGroups(now, id, groups)),
    ungroup: (mark: Mark) => update((now) => removeGroup(now, mark.hub, mark)),
    collapse: (id: string) => update((now) => removeExpansions(now, id)),
    addPath,
    hide,
    addTo: (addition: Addition) => update((now) => addTo(now, addition)),
    /** Makes that undone steps cannot be done again: something else was done. */
    forgetUndone: () => void (undone.current = { left: '', steps: [] }),
    /** Takes several steps, which are undone together. */
    take: (next: SimpleStep[]) => update((now) => [...now, ...together(next)]),
    remove: (gone: SimpleStep[]) => update((now) => removeSteps(now, gone)),
  };
}
