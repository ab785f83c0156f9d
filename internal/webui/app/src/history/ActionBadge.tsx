import { Badge } from '@mantine/core';
import type { Action } from './history';

/** Colours of creates, updates and deletes: dark enough for white text. */
export const actionColours: Record<Action, string> = { create: '#2f7d32', update: '#b4540a', delete: '#a33a2c' };

export function ActionBadge({ action, label }: { action: Action; label: string }) {
  return (
    <Badge
      tt="none"
      size="sm"
      radius="sm"
      variant="filled"
      color={actionColours[action]}
      autoContrast={false}
      c="white"
      style={{ flex: 'none' }}
    >
      {label}
    </Badge>
  );
}
