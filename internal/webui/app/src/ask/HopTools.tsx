// A hop of a question: direction, types, how many edges, conditions, and whether it is in the answer.
import { ActionIcon, Checkbox, Group, MultiSelect, NativeSelect, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import type { Direction, Schema } from '../api/graph';
import { escapeInvisible } from '../values/text';
import { arrows, directionNames } from './ConnectionMenu';
import { filterPart } from './conditions';
import { PartFilter } from './PartFilter';
import { maxHops, withChoice, type HopPart } from './question';

interface Props {
  hop: HopPart;
  schema: Schema;
  /** Whether it can be in the answer. */
  nameable: boolean;
  onChange: (update: (now: HopPart) => HopPart) => void;
  /** Shows the edge in the answer, or no longer. */
  onNamed: (named: boolean) => void;
}

const following: Record<Direction, Direction> = { out: 'in', in: 'both', both: 'out' };

export function HopTools(props: Props) {
  const { hop, schema, onChange } = props;
  const [open, setOpen] = useState(false);
  const label = hop.edge ? hop.edge.map(escapeInvisible).join(', ') : 'any edge';
  const Arrow = arrows[hop.direction];
  const turn = `Direction of ${label}: ${directionNames[hop.direction]}`;
  return (
    <span className="ask-hop" role="group" aria-label={`Edge ${label}`}>
      <Tooltip label={turn}>
        <ActionIcon
          size="md"
          variant="subtle"
          aria-label={turn}
          onClick={() => onChange((now) => ({ ...now, direction: following[now.direction] }))}
        >
          <Arrow size={16} />
        </ActionIcon>
      </Tooltip>
      <span className="ask-edge">
        {label}
        {hop.hops && ` ${hop.hops[0]}–${hop.hops[1]}`}
      </span>
      <Popover opened={open} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus width={260}>
        <Popover.Target>
          <ActionIcon size="md" variant="subtle" aria-label={`Settings of ${label}`} onClick={() => setOpen(!open)}>
            <Settings2 size={15} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>{open && <HopForm {...props} />}</Popover.Dropdown>
      </Popover>
      <PartFilter
        kind="edge"
        type={hop.edge?.length === 1 ? hop.edge[0]! : null}
        schema={schema}
        part={hop}
        holder={hop}
        filter={filterPart}
        onChange={onChange}
      />
    </span>
  );
}

const counts = Array.from({ length: maxHops }, (_, i) => String(i + 1));

/** A hop over several edges has no name, since it is no single edge. */
const withHops = (hop: HopPart, min: number, max: number): HopPart => {
  const { hops: _, ...one } = hop;
  if (min === 1 && max === 1) return one;
  const { as: _as, ...unnamed } = one;
  return { ...unnamed, hops: [min, max] };
};

function withEdges({ edge: _, ...others }: HopPart, edge: string[]): HopPart {
  return edge.length > 0 ? { ...others, edge } : others;
}

function HopForm({ hop, schema, nameable, onChange, onNamed }: Props) {
  const known = schema.edge_types.map((each) => each.type);
  const [min, max] = hop.hops ?? [1, 1];
  const setCount = (change: (min: number, max: number) => [number, number]) =>
    onChange((now) => withHops(now, ...change(...(now.hops ?? [1, 1]))));
  return (
    <Stack gap="xs">
      <MultiSelect
        size="xs"
        label="Types of edges"
        placeholder={hop.edge ? '' : 'Any'}
        searchable
        openOnFocus={false}
        data={[...new Set([...known, ...(hop.edge ?? [])])].map((each) => ({ value: each, label: escapeInvisible(each) }))}
        value={hop.edge ?? []}
        onChange={(chosen) => onChange((now) => withEdges(now, withChoice(now.edge ?? [], hop.edge ?? [], chosen)))}
        comboboxProps={{ withinPortal: false }}
      />
      <Group grow>
        <NativeSelect
          size="xs"
          label="At least"
          data={counts}
          value={String(min)}
          onChange={(e) => {
            const least = Number(e.currentTarget.value);
            setCount((_, most) => [least, Math.max(most, least)]);
          }}
        />
        <NativeSelect
          size="xs"
          label="At most"
          data={counts}
          value={String(max)}
          onChange={(e) => {
            const most = Number(e.currentTarget.value);
            setCount((least) => [Math.min(least, most), most]);
          }}
        />
      </Group>
      <Text size="xs" c="dimmed">
        Edges one after another; all of them meet the conditions.
      </Text>
      {nameable && !hop.hops && (
        <Checkbox
          size="xs"
          label="Show the edge in the answer"
          checked={hop.as !== undefined}
          onChange={(e) => onNamed(e.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
