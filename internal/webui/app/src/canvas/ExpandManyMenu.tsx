import { Button, Menu } from '@mantine/core';
import { ArrowLeft, ArrowLeftRight, ArrowRight, Expand } from 'lucide-react';
import type { Direction, GraphNode, Schema } from '../api/graph';
import { connectionsOf } from '../ask/begin';
import { escapeInvisible, formatCount } from '../values/text';

/** Each node is expanded by a request. */
export const maxExpanded = 50;

interface Props {
  nodes: GraphNode[];
  schema: Schema;
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onExpand: (direction: Direction, type: string | null) => void;
}

/** Expands several nodes by an edge type, as the schema knows them for their types. */
export function ExpandManyMenu({ nodes, schema, opened, onOpened, onExpand }: Props) {
  const types = [...new Set(nodes.map((node) => node.type))];
  const options = new Map(
    types.flatMap((type) =>
      connectionsOf(schema, type).map(({ edge, direction }) => [`${direction} ${edge}`, { edge: edge!, direction }] as const),
    ),
  );
  const tooMany = nodes.length > maxExpanded;
  return (
    <Menu opened={opened} onChange={onOpened} position="bottom-start" width={270}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Expand size={14} />}
          title={tooMany ? `At most ${maxExpanded} nodes are expanded together` : 'Expand'}
          disabled={tooMany}
        >
          Expand
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>The {formatCount(nodes.length)} selected nodes</Menu.Label>
        <Menu.Item leftSection={<ArrowLeftRight size={15} />} onClick={() => onExpand('both', null)}>
          All
        </Menu.Item>
        {[...options.values()]
          .sort((a, b) => a.edge.localeCompare(b.edge) || a.direction.localeCompare(b.direction))
          .map(({ edge, direction }) => (
            <Menu.Item
              key={`${direction} ${edge}`}
              leftSection={
                direction === 'out' ? <ArrowRight size={15} aria-label="outgoing" /> : <ArrowLeft size={15} aria-label="incoming" />
              }
              onClick={() => onExpand(direction, edge)}
            >
              {escapeInvisible(edge)}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
