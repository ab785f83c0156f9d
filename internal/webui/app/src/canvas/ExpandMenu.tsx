import { Button, Loader, Menu, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowLeftRight, ArrowRight, Expand } from 'lucide-react';
import type { Direction } from '../api/graph';
import { asProblem } from '../api/problem';
import { formatCount, escapeInvisible } from '../values/text';
import { expansionLimit, expansionOptions, fetchDegree } from './expansion';

interface Props {
  id: string;
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onExpand: (direction: Direction, type: string | null) => void;
}

/** Expands a node. Each item shows how many neighbors it adds. */
export function ExpandMenu({ id, opened, onOpened, onExpand }: Props) {
  const queries = useQueryClient();
  const degree = useQuery({ queryKey: ['degree', id], queryFn: () => fetchDegree(queries, id), enabled: opened, staleTime: 0 });
  const options = degree.data ? expansionOptions(degree.data) : [];
  const total = degree.data?.total ?? 0;
  const amountText = (n: number) => (n > expansionLimit ? `${expansionLimit} of ${formatCount(n)}` : formatCount(n));

  return (
    <Menu opened={opened} onChange={onOpened} position="bottom-start" width={290}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<Expand size={14} />} title="Expand">
          Expand
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {degree.isPending && (
          <Menu.Label>
            <Loader size={12} /> Counting…
          </Menu.Label>
        )}
        {degree.isError && <Menu.Label>{asProblem(degree.error).text}</Menu.Label>}
        {degree.data && total === 0 && <Menu.Label>No edges</Menu.Label>}
        {total > 0 && (
          <Menu.Item
            leftSection={<ArrowLeftRight size={15} />}
            rightSection={
              <Text size="xs" c="dimmed">
                {amountText(total)}
              </Text>
            }
            onClick={() => onExpand('both', null)}
          >
            All
          </Menu.Item>
        )}
        {options.length > 1 && <Menu.Divider />}
        {options.map((choice) => (
          <Menu.Item
            key={`${choice.direction} ${choice.type}`}
            leftSection={
              choice.direction === 'out' ? <ArrowRight size={15} aria-label="outgoing" /> : <ArrowLeft size={15} aria-label="incoming" />
            }
            rightSection={
              <Text size="xs" c="dimmed">
                {amountText(choice.count)}
              </Text>
            }
            onClick={() => onExpand(choice.direction, choice.type)}
          >
            {escapeInvisible(choice.type)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
