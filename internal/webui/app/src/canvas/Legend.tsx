import { ColorSwatch, Group, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { Check } from 'lucide-react';
import type { Schema } from '../api/graph';
import { chooseLook, look, useLooks } from '../explore/appearance';
import { propertiesOf } from '../explore/columns';
import { palette } from '../theme';
import { count, visible } from '../values/text';
import { tally, type Picture } from './model';

const sizes = [{ value: '28', label: 'Small' }, { value: '40', label: 'Medium' }, { value: '56', label: 'Large' }, { value: '76', label: 'Very large' }];

/** The types on the canvas with their colours; each opens its settings. */
export function Legend({ picture, schema }: { picture: Picture; schema: Schema }) {
  useLooks();
  return (
    <section className="legend" aria-label="Legend">
      {tally(picture.nodes).map(([type, n]) => (
        <TypeEntry key={type ?? ''} type={type} count={n} schema={schema} />
      ))}
      {tally(picture.edges).map(([type, n]) => (
        <div key={type} className="legend-row" style={{ cursor: 'default' }}>
          <span className="dash" style={{ background: 'var(--muted)' }} />
          <span className="type-name">{visible(type ?? '')}</span>
          <span className="type-count">{count(n)}</span>
        </div>
      ))}
    </section>
  );
}

function TypeEntry({ type, count: n, schema }: { type: string | null; count: number; schema: Schema }) {
  const { colour, size, caption } = look(type);
  const row = (
    <button type="button" className="legend-row" disabled={type === null}>
      <span className="dot" style={{ background: colour }} />
      <span className="type-name">{type === null ? 'not read yet' : visible(type)}</span>
      <span className="type-count">{count(n)}</span>
    </button>
  );
  if (type === null) return row;
  return (
    <Popover position="right-end" shadow="md" trapFocus width={230}>
      <Popover.Target>{row}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {visible(type)}
          </Text>
          <Group gap={6} role="radiogroup" aria-label="Colour">
            {palette.map((c, index) => (
              <ColorSwatch key={c} component="button" type="button" color={c} size={24} role="radio" aria-checked={c === colour} aria-label={`Colour ${index + 1}`} onClick={() => chooseLook(type, { colour: c })} style={{ cursor: 'pointer', color: '#fff' }}>
                {c === colour && <Check size={14} />}
              </ColorSwatch>
            ))}
          </Group>
          <NativeSelect size="xs" label="Size" value={String(size)} data={sizes} onChange={(e) => chooseLook(type, { size: Number(e.currentTarget.value) })} />
          <NativeSelect
            size="xs" label="Caption" value={caption ?? ''} data={[{ value: '', label: 'By itself' }, ...propertiesOf(schema, 'node', type).map((p) => ({ value: p.name, label: visible(p.name) }))]}
            onChange={(e) => chooseLook(type, { caption: e.currentTarget.value || undefined })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
