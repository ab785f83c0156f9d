import { Button, MultiSelect, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { Palette } from 'lucide-react';
import { escapeInvisible } from '../values/text';
import type { CanvasContent } from './model';
import { byDegree, channels, propertyChoices, type Channel, type ValueStyle } from './valueStyle';

interface Props {
  style: ValueStyle;
  graph: CanvasContent;
  onChange: (changed: Partial<ValueStyle>) => void;
}

const labels: Record<Channel, string> = {
  nodeColour: 'Color of nodes',
  nodeSize: 'Size of nodes',
  edgeColour: 'Color of edges',
  edgeWidth: 'Width of edges',
};
const defaults: Record<Channel, string> = {
  nodeColour: 'By type',
  nodeSize: 'By type',
  edgeColour: 'All the same',
  edgeWidth: 'All the same',
};

/** Chooses the properties that give nodes and edges their colours, sizes and widths. */
export function StyleMenu({ style, graph, onChange }: Props) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={250}>
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={<Palette size={14} />} title="Style by value">
          Style
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Style by value">
        <Stack gap="xs">
          {channels.map((channel) => (
            <ChannelSelect key={channel} channel={channel} style={style} graph={graph} onChange={onChange} />
          ))}
          <MultiSelect
            size="xs"
            label="Properties in tooltips"
            placeholder={style.tooltip ? '' : 'The first ones'}
            searchable
            openOnFocus={false}
            maxValues={12}
            data={propertyChoices([...graph.nodes, ...graph.edges], false).map((name) => ({ value: name, label: escapeInvisible(name) }))}
            value={style.tooltip ?? []}
            onChange={(tooltip) => onChange({ tooltip })}
            comboboxProps={{ withinPortal: false }}
          />
          <Text size="xs" c="dimmed">
            By the values of a property of what is on the canvas. The legend shows the scale.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function ChannelSelect({ channel, style, graph, onChange }: Props & { channel: Channel }) {
  const items = channel === 'nodeColour' || channel === 'nodeSize' ? graph.nodes : graph.edges;
  const chosen = style[channel] ?? '';
  const names = propertyChoices(items, channel === 'nodeSize' || channel === 'edgeWidth');
  const choices = chosen === '' || chosen === byDegree || names.includes(chosen) ? names : [...names, chosen];
  const ofDegree = channel === 'nodeSize' ? [{ value: byDegree, label: 'Number of edges on the canvas' }] : [];
  return (
    <NativeSelect
      size="xs"
      label={labels[channel]}
      value={chosen}
      disabled={choices.length === 0 && ofDegree.length === 0}
      data={[
        { value: '', label: defaults[channel] },
        ...ofDegree,
        ...choices.map((name) => ({ value: name, label: escapeInvisible(name) })),
      ]}
      onChange={(event) => onChange({ [channel]: event.currentTarget.value || undefined })}
    />
  );
}
