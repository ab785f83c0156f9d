import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getEntity, updateEntity, type Entity, type PropertyChanges } from '../api/graph';
import { asProblem, type Problem } from '../api/problem';
import { applyUpdate } from '../explore/lists';
import { notifyChange, notifyProblem } from '../shell/notify';
import { pluralize } from '../values/text';
import { recordChange } from './changes';
import { reverseChanges } from './form';

/** A change that was refused because another user has changed the entity. */
export interface Conflict {
  theirs: Entity;
  change: PropertyChanges;
}

/** Saves changes of an entity, each if it is still in the version that was read, and remembers how to undo the last one. */
export function useSave(name: string, onSaved: () => void) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  async function save(before: Entity, change: PropertyChanges) {
    const { kind, entity, etag } = before;
    setBusy(true);
    setProblem(null);
    try {
      const { entity: saved, requestId } = await updateEntity(kind, entity.id, change, etag);
      applyUpdate(queries, saved);
      const reverse = reverseChanges(change, entity.properties);
      recordChange({
        label: `changed ${name}`,
        kind,
        needs: 'edit',
        requestId,
        undoUnrecorded: async () => applyUpdate(queries, (await updateEntity(kind, entity.id, reverse, saved.etag)).entity),
      });
      notifyChange(pluralize(Object.keys(change).length, 'property', 'properties'), 'Saved');
      onSaved();
    } catch (error) {
      const failure = asProblem(error);
      if (failure.code === 'PRECONDITION_FAILED') await showConflict(before, change);
      else setProblem(failure);
    } finally {
      setBusy(false);
    }
  }

  async function showConflict({ kind, entity }: Entity, change: PropertyChanges) {
    try {
      setConflict({ theirs: await getEntity(kind, entity.id), change });
    } catch (error) {
      notifyProblem(error, 'Not saved');
    }
  }

  return { busy, problem, setProblem, conflict, setConflict, save };
}
