import { ActionIcon, Tooltip } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

interface Props {
  /** What the button does, for its tooltip. */
  label: string;
  /** The accessible name, which also names the row: "Delete Film". */
  name: string;
  icon: LucideIcon;
  onClick?: () => void;
  /** The page that it loads, instead of an action. */
  href?: string;
}

/** A button with a symbol in a row of a table. */
export function RowAction({ label, name, icon: Icon, onClick, href }: Props) {
  return (
    <Tooltip label={label}>
      {href === undefined ? (
        <ActionIcon aria-label={name} onClick={onClick}>
          <Icon size={16} />
        </ActionIcon>
      ) : (
        <ActionIcon component="a" href={href} aria-label={name}>
          <Icon size={16} />
        </ActionIcon>
      )}
    </Tooltip>
  );
}
