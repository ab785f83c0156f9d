import { PencilLine } from 'lucide-react';
import type { EntityRef } from '../explore/url';
import { useUnsaved } from './unsaved';

/** Leads back to the edits that have not been saved. */
export function UnsavedBar({ open, onOpen }: { open: EntityRef | null; onOpen: (target: EntityRef) => void }) {
  const others = [...useUnsaved().values()].filter(({ from }) => from.kind !== open?.kind || from.entity.id !== open.id);
  if (others.length === 0) return null;
  return (
    <div className="unsaved" role="region" aria-label="Unsaved changes">
      <PencilLine size={14} aria-hidden style={{ flex: 'none' }} />
      <span>Unsaved changes:</span>
      {others.slice(0, 5).map(({ from, name }) => (
        <button
          key={`${from.kind}:${from.entity.id}`}
          type="button"
          className="linkbutton"
          aria-label={`Unsaved changes: ${name}`}
          onClick={() => onOpen({ kind: from.kind, id: from.entity.id })}
        >
          {name}
        </button>
      ))}
      {others.length > 5 && <span>and {others.length - 5} more</span>}
    </div>
  );
}
