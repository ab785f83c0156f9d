import { Button, Loader, Menu, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowLeftRight, ArrowRight, Expand } from 'lucide-react';
import type { Direction } from '../api/graph';
import { asProblem } from '../api/problem';
import { count, visible } from '../values/text';
import { cap, choices, degreeOf } from './expansion';

interface Props {
  id: string;
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onExpand: (direction: Direction, type: string | null) => void;
}

/** Shows how much an expansion would bring before it does. */
export function ExpandMenu({ id, opened, onOpened, onExpand }: Props) {
  const queries = useQueryClient();
  const degree = useQuery({ queryKey: ['degree', id], queryFn: () => degreeOf(queries, id), enabled: opened, staleTime: 0 });
  const found = degree.data ? choices(degree.data) : [];
  const total = degree.data?.total ?? 0;
  const amount = (n: number) => (n > cap ? `${cap} of ${count(n)}` : count(n));

  return (
    <Menu opened={opened} onChange={onOpened} position="bottom-start" width={290}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<Expand size={14} />}>
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
        {degree.data && total === 0 && <Menu.Label>It has no edges</Menu.Label>}
        {total > 0 && (
          <Menu.Item leftSection={<ArrowLeftRight size={15} />} rightSection={<Text size="xs" c="dimmed">{amount(total)}</Text>} onClick={() => onExpand('both', null)}>
            Everything
          </Menu.Item>
        )}
        {found.length > 1 && <Menu.Divider />}
        {found.map((choice) => (
          <Menu.Item
            key={`${choice.direction} ${choice.type}`} leftSection={choice.direction === 'out' ? <ArrowRight size={15} aria-label="outgoing" /> : <ArrowLeft size={15} aria-label="incoming" />}
            rightSection={<Text size="xs" c="dimmed">{amount(choice.count)}</Text>} onClick={() => onExpand(choice.direction, choice.type)}
          >
            {visible(choice.type)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
