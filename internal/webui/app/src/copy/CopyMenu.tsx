import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { Copy } from 'lucide-react';
import { copyText, notifyProblem } from '../shell/notify';

export interface CopyItem {
  label: string;
  text: () => string | Promise<string>;
}

async function copy({ label, text }: CopyItem) {
  try {
    await copyText(await text(), label);
  } catch (error) {
    notifyProblem(error, 'Not copied');
  }
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
          <Menu.Item key={item.label} onClick={() => void copy(item)}>
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
