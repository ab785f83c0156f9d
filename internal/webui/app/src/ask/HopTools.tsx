// A hop of a question: direction, types, how many edges, conditions, and whether it is in the answer.
import { ActionIcon, Checkbox, Group, MultiSelect, NativeSelect, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import type { Direction, Schema } from '../api/graph';
import { escapeInvisible } from '../values/text';
import { arrows, directionNames } from './ConnectionMenu';
import { PartFilter } from './PartFilter';
import { freeName, maxHops, withConditions, type HopPart, type Question } from './question';

interface Props {
  hop: HopPart;
  schema: Schema;
  question: Question;
  /** Whether it can be in the answer. */
  nameable: boolean;
  onChange: (hop: HopPart) => void;
}

const following: Record<Direction, Direction> = { out: 'in', in: 'both', both: 'out' };

export function HopTools({ hop, schema, question, nameable, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const label = hop.edge ? hop.edge.map(escapeInvisible).join(', ') : 'any edge';
  const Arrow = arrows[hop.direction];
  const turn = `Direction of ${label}: ${directionNames[hop.direction]}`;
  return (
    <span className="ask-hop" role="group" aria-label={`Edge ${label}`}>
      <Tooltip label={turn}>
        <ActionIcon size="md" variant="subtle" aria-label={turn} onClick={() => onChange({ ...hop, direction: following[hop.direction] })}>
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
        <Popover.Dropdown>{open && <HopForm {...{ hop, schema, question, nameable, onChange }} />}</Popover.Dropdown>
      </Popover>
      <PartFilter
        kind="edge"
        type={hop.edge?.length === 1 ? hop.edge[0]! : null}
        schema={schema}
        part={hop}
        onConditions={(next) => onChange(withConditions(hop, next))}
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

function HopForm({ hop, schema, question, nameable, onChange }: Props) {
  const known = schema.edge_types.map((each) => each.type);
  const [min, max] = hop.hops ?? [1, 1];
  const setNamed = (named: boolean) => {
    const { as: _, ...unnamed } = hop;
    onChange(named ? { ...hop, as: freeName(question, hop.edge?.[0], 'edge') } : unnamed);
  };
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
        onChange={(edge) => {
          const { edge: _, ...others } = hop;
          onChange(edge.length > 0 ? { ...others, edge } : others);
        }}
        comboboxProps={{ withinPortal: false }}
      />
      <Group grow>
        <NativeSelect
          size="xs"
          label="At least"
          data={counts}
          value={String(min)}
          onChange={(e) => onChange(withHops(hop, Number(e.currentTarget.value), Math.max(max, Number(e.currentTarget.value))))}
        />
        <NativeSelect
          size="xs"
          label="At most"
          data={counts}
          value={String(max)}
          onChange={(e) => onChange(withHops(hop, Math.min(min, Number(e.currentTarget.value)), Number(e.currentTarget.value)))}
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
          onChange={(e) => setNamed(e.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
