import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { Copy } from 'lucide-react';
import { copyText } from '../shell/notify';

export interface CopyItem {
  label: string;
  text: () => string;
}

/** A menu of texts to copy. */
export function CopyMenu({ items, label = 'Copy as…' }: { items: CopyItem[]; label?: string }) {
  return (
    <Menu position="bottom-end">
      <Tooltip label={label}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={label}>
            <Copy size={17} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item key={item.label} onClick={() => void copyText(item.text(), item.label)}>
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
