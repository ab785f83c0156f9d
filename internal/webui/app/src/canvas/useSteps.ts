// The steps of the view's URL, and what adds to them or removes from them.
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { findPath, type Direction } from '../api/graph';
import type { ChangeView, View } from '../explore/url';
import { notify, notifyProblem } from '../shell/notify';
import type { GroupKey, Mark } from './groups';
import { addGroups, isExpanded, maxLimit, parseSteps, removeExpansions, removeGroup, removeSteps, serializeSteps, type Step } from './steps';

export function useSteps(view: View, change: ChangeView) {
  const queries = useQueryClient();
  const steps = useMemo(() => parseSteps(view.steps), [view.steps]);
  // The steps that were undone, the last one first; a new step ends them.
  const [undone, setUndone] = useState<Step[]>([]);
  const setSteps = (next: Step[], redoable: Step[] = []) => {
    setUndone(redoable);
    change({ steps: serializeSteps(next) });
  };

  function expand(id: string, direction: Direction, type: string | null) {
    const others = steps.filter((s) => !(s.do === 'expand' && s.id === id && s.direction === direction && s.type === type && s.limit === undefined));
    setSteps([...others, { do: 'expand', id, direction, type }]);
  }
  /** Adds neighbours of a mark that are not on the canvas, beside those of its kind that are. */
  function expandMark({ hub, direction, edgeType, type, shown }: Mark, more: number) {
    setSteps([...steps, { do: 'expand', id: hub, direction, type: edgeType, limit: Math.min(maxLimit, shown + more), ...(type === null ? {} : { nodeType: type }) }]);
  }
  async function addPath(id: string, to: string) {
    try {
      const path = await queries.fetchQuery({ queryKey: ['node-edges', id, 'path', to], queryFn: ({ signal }) => findPath(id, to, signal) });
      if (path.nodes.length === 0) notify('No short path connects the two nodes.', 'No path');
      else setSteps([...steps, { do: 'path', id, to }]);
    } catch (error) {
      notifyProblem(error, 'No path');
    }
  }
  function hide(ids: string[]) {
    const hidden = ids.map((id) => ({ do: 'hide' as const, id }));
    setUndone([]);
    change(({ open }) => ({ steps: serializeSteps([...steps, ...hidden]), ...(open && ids.includes(open.id) ? { open: null } : {}) }));
  }
  return {
    canUndo: steps.length > 0, undo: () => setSteps(steps.slice(0, -1), [steps.at(-1)!, ...undone]),
    canRedo: undone.length > 0, redo: () => setSteps([...steps, undone[0]!], undone.slice(1)),
    expand, isExpanded: (id: string) => isExpanded(steps, id),
    expandMark,
    group: (id: string, groups: GroupKey[]) => setSteps(addGroups(steps, id, groups)),
    ungroup: (mark: Mark) => setSteps(removeGroup(steps, mark.hub, mark)),
    collapse: (id: string) => setSteps(removeExpansions(steps, id)), addPath, hide,
    remove: (gone: Step[]) => setSteps(removeSteps(steps, gone)),
  };
}
