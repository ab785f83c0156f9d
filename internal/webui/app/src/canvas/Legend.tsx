import { ColorSwatch, Group, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { Check, ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '../api/graph';
import { setAppearance, appearanceOf, useAppearanceVersion } from '../explore/appearance';
import { propertiesOf } from '../explore/columns';
import { palette } from '../theme';
import { formatCount, escapeInvisible } from '../values/text';
import { countByType, type CanvasContent } from './model';
import { ValueLegend } from './ValueLegend';
import type { Scales } from './valueStyle';

const sizes = [{ value: '28', label: 'Small' }, { value: '40', label: 'Medium' }, { value: '56', label: 'Large' }, { value: '76', label: 'Very large' }];

/** Where the legend begins folded, because it would cover much of the canvas. */
const narrowWindow = 1100; // pixels

/** The types on the canvas with their colours. A click on a node type opens its settings. */
export function Legend({ content, schema, scales, dark }: { content: CanvasContent; schema: Schema; scales: Scales; dark: boolean }) {
  useAppearanceVersion();
  const [open, setOpen] = useState(() => window.innerWidth > narrowWindow);
  return (
    <section className="legend" aria-label="Legend">
      <button type="button" className="legend-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="type-name legend-title">Legend</span>
        {open ? <ChevronDown size={14} aria-hidden /> : <ChevronUp size={14} aria-hidden />}
      </button>
      {open && <Entries content={content} schema={schema} scales={scales} dark={dark} />}
    </section>
  );
}

function Entries({ content, schema, scales, dark }: { content: CanvasContent; schema: Schema; scales: Scales; dark: boolean }) {
  return (
    <>
      {countByType(content.nodes).map(([type, n]) => (
        <TypeEntry key={type ?? ''} type={type} count={n} schema={schema} byValue={scales.nodeColour !== undefined} />
      ))}
      {countByType(content.edges).map(([type, n]) => (
        <div key={type} className="legend-row" style={{ cursor: 'default' }}>
          <span className="dash" style={{ background: 'var(--muted)' }} />
          <span className="type-name">{escapeInvisible(type ?? '')}</span>
          <span className="type-count">{formatCount(n)}</span>
        </div>
      ))}
      <ValueLegend scales={scales} dark={dark} />
    </>
  );
}

function TypeEntry({ type, count: n, schema, byValue }: { type: string | null; count: number; schema: Schema; byValue: boolean }) {
  const { colour, size, caption } = appearanceOf(type);
  const row = (
    <button type="button" className="legend-row" disabled={type === null}>
      {!byValue && <span className="dot" style={{ background: colour }} />}
      <span className="type-name">{type === null ? 'not loaded' : escapeInvisible(type)}</span>
      <span className="type-count">{formatCount(n)}</span>
    </button>
  );
  if (type === null) return row;
  return (
    <Popover position="right-end" shadow="md" trapFocus width={230}>
      <Popover.Target>{row}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {escapeInvisible(type)}
          </Text>
          <Group gap={6} role="radiogroup" aria-label="Color">
            {palette.map((c, index) => (
              <ColorSwatch key={c} component="button" type="button" color={c} size={24} role="radio" aria-checked={c === colour} aria-label={`Color ${index + 1}`} onClick={() => setAppearance(type, { colour: c })} style={{ cursor: 'pointer', color: '#fff' }}>
                {c === colour && <Check size={14} />}
              </ColorSwatch>
            ))}
          </Group>
          <NativeSelect size="xs" label="Size" value={String(size)} data={sizes} onChange={(e) => setAppearance(type, { size: Number(e.currentTarget.value) })} />
          <NativeSelect
            size="xs" label="Caption" value={caption ?? ''} data={[{ value: '', label: 'Automatic' }, ...propertiesOf(schema, 'node', type).map((p) => ({ value: p.name, label: escapeInvisible(p.name) }))]}
            onChange={(e) => setAppearance(type, { caption: e.currentTarget.value || undefined })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
