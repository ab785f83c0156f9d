import { ActionIcon, Menu, Text, Tooltip } from '@mantine/core';
import { ArrowLeft, ArrowLeftRight, ArrowRight, type LucideIcon } from 'lucide-react';
import type { Direction, Schema } from '../api/graph';
import { escapeInvisible, formatCount } from '../values/text';
import { connectionsOf } from './begin';
import type { Connection } from './question';

export const arrows: Record<Direction, LucideIcon> = { out: ArrowRight, in: ArrowLeft, both: ArrowLeftRight };
export const directionNames: Record<Direction, string> = { out: 'outgoing', in: 'incoming', both: 'in both directions' };

interface Props {
  label: string;
  Icon: LucideIcon;
  schema: Schema;
  /** The type of the node that is connected; null if it is any. */
  type: string | null;
  onChoose: (connection: Connection) => void;
}

/** The edges of a type with the nodes behind them, as the schema knows them. */
export function ConnectionMenu({ label, Icon, schema, type, onChoose }: Props) {
  const known = connectionsOf(schema, type);
  return (
    <Menu position="bottom-start" width={320}>
      <Tooltip label={label}>
        <Menu.Target>
          <ActionIcon size="md" variant="subtle" aria-label={label}>
            <Icon size={15} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>{label}</Menu.Label>
        {known.map((connection) => {
          const { edge, direction, type: other, count } = connection;
          const Arrow = arrows[direction];
          return (
            <Menu.Item
              key={`${direction} ${edge} ${other}`}
              leftSection={<Arrow size={15} aria-label={directionNames[direction]} />}
              rightSection={
                <Text size="xs" c="dimmed">
                  {formatCount(count)}
                </Text>
              }
              onClick={() => onChoose({ edge, direction, type: other })}
            >
              {escapeInvisible(edge ?? '')} <b>{other === null ? 'any node' : escapeInvisible(other)}</b>
            </Menu.Item>
          );
        })}
        {known.length > 0 && <Menu.Divider />}
        <Menu.Item
          leftSection={<ArrowLeftRight size={15} aria-label={directionNames.both} />}
          onClick={() => onChoose({ edge: null, direction: 'both', type: null })}
        >
          any edge <b>any node</b>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
