import { Group, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from './States';

interface Props {
  title: string;
  /** How many items there are, in words; nothing if that is not known. */
  count?: string;
  /** What is done with the list as a whole; beside the title while it has items. */
  actions?: ReactNode;
  /** What stands in the place of a list without items; null while it has some. */
  empty: { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode } | null;
  /** The list. */
  children: ReactNode;
  /** The dialogs of the page. */
  dialogs?: ReactNode;
}

/** A page of the administration with one list. */
export function ListPage({ title, count, actions, empty, children, dialogs }: Props) {
  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="md">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>{title}</h1>
          {count !== undefined && (
            <Text size="sm" c="dimmed">
              {count}
            </Text>
          )}
          <span className="spacer" />
          {empty === null && actions}
        </Group>
        {empty === null ? (
          children
        ) : (
          <EmptyState icon={empty.icon} title={empty.title} action={empty.action}>
            {empty.text}
          </EmptyState>
        )}
      </div>
      {dialogs}
    </div>
  );
}
