import { ActionIcon, Popover } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import type { Column } from './columns';

const ColumnsForm = onDemand(() => import('./ColumnsForm'));

interface Props {
  /** All columns, and those that are shown, in their order. */
  all: Column[];
  shown: Column[];
  /** Receives the keys of the columns to show; null for all. */
  onChange: (keys: string[] | null) => void;
}

/** Chooses and orders the columns of the table. The list is requested again once, when the choice is applied. */
export function ColumnsMenu({ all, shown, onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" trapFocus width={290}>
      <Popover.Target>
        <ActionIcon size="lg" aria-label="Columns" title="Columns" onClick={() => setOpen(!open)}>
          <Columns3 size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        {open && (
          <Suspense>
            <ColumnsForm
              all={all}
              shown={shown}
              onApply={(keys) => {
                setOpen(false);
                onChange(keys);
              }}
            />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
