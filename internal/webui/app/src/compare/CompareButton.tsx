import { Button } from '@mantine/core';
import { Columns2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import type { EntityKind } from '../api/graph';

const CompareDialog = onDemand(() => import('./CompareDialog'));

interface Props {
  kind: EntityKind;
  /** The ids of the two. */
  ids: [string, string];
  size: 'compact-xs' | 'compact-sm';
  /** After they were merged. */
  onMerged?: () => void;
}

/** Opens the comparison of two nodes or edges. */
export function CompareButton({ kind, ids, size, onMerged }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size={size} variant="default" leftSection={<Columns2 size={14} aria-hidden />} onClick={() => setOpen(true)}>
        Compare
      </Button>
      {open && (
        <Suspense>
          <CompareDialog kind={kind} ids={ids} onMerged={onMerged} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
