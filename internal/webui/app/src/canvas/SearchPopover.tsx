import { Button, Popover } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { Item } from './ItemList';
import { NodeSearch } from './NodeSearch';

interface Props {
  label: string;
  Icon: LucideIcon;
  /** What the search is for. */
  search: string;
  items: Item[];
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onChoose: (id: string) => void;
}

/** A button with the search for a node. */
export function SearchPopover({ label, Icon, search, items, opened, onOpened, onChoose }: Props) {
  return (
    <Popover opened={opened} onChange={onOpened} position="bottom-start" shadow="md" trapFocus returnFocus width={300}>
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={<Icon size={14} />} title={label} onClick={() => onOpened(!opened)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {opened && (
          <NodeSearch
            label={search}
            items={items}
            onChoose={(id) => {
              onOpened(false);
              onChoose(id);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
