import { ActionIcon, Tooltip } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

interface Props {
  /** What the button does, for its tooltip. */
  label: string;
  /** The accessible name, which also names the row: "Delete Film". */
  name: string;
  icon: LucideIcon;
  onClick: () => void;
}

/** A button with a symbol in a row of a table. */
export function RowAction({ label, name, icon: Icon, onClick }: Props) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={name} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
