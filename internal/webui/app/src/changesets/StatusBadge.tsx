import { Badge } from '@mantine/core';
import type { Status } from './changesets';

// Dark enough for white text.
const colours: Record<Status, string> = {
  open: '#1c63b8',
  approved: '#0f6b82',
  applied: '#2f7d32',
  rejected: '#a33a2c',
  withdrawn: '#5c6670',
};

/** The status of a change set. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <Badge
      tt="none"
      radius="sm"
      variant="filled"
      color={colours[status]}
      autoContrast={false}
      c="white"
      miw="max-content"
      style={{ flex: 'none' }}
    >
      {status}
    </Badge>
  );
}
