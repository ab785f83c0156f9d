import { Button, Group, Popover } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import type { EntityKind, Schema } from '../api/graph';
import { appearanceOf, useAppearanceVersion } from '../explore/appearance';
import { TypeMark } from '../explore/TypeMark';
import { formatCount, escapeInvisible } from '../values/text';
import type { CanvasActions } from './actions';
import { icons } from './icons';
import { countByType, type CanvasContent } from './model';
import { TypeStyleForm } from './TypeStyleForm';
import { ValueLegend } from './ValueLegend';
import type { Scales } from './valueStyle';

/** Where the legend begins folded, because it would cover much of the canvas. */
const narrowWindow = 1100; // pixels

interface LegendProps {
  content: CanvasContent;
  schema: Schema;
  scales: Scales;
  dark: boolean;
  actions: CanvasActions['types'];
}

/** The types on the canvas with their colours. A click on one opens its settings. */
export function Legend(props: LegendProps) {
  useAppearanceVersion();
  const [open, setOpen] = useState(() => window.innerWidth > narrowWindow);
  return (
    <section className="legend" aria-label="Legend">
      <button type="button" className="legend-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="type-name legend-title">Legend</span>
        {open ? <ChevronDown size={14} aria-hidden /> : <ChevronUp size={14} aria-hidden />}
      </button>
      {open && <Entries {...props} />}
    </section>
  );
}

function Entries({ content, schema, scales, dark, actions }: LegendProps) {
  return (
    <>
      {(['node', 'edge'] as const).map((kind) =>
        countByType(content[`${kind}s`]).map(([type, n]) => (
          <TypeEntry
            key={`${kind} ${type ?? ''}`}
            kind={kind}
            type={type}
            count={n}
            schema={schema}
            byValue={(kind === 'node' ? scales.nodeColour : scales.edgeColour) !== undefined}
            actions={actions}
          />
        )),
      )}
      <ValueLegend scales={scales} dark={dark} />
    </>
  );
}

interface EntryProps extends Pick<LegendProps, 'actions'> {
  kind: EntityKind;
  type: string | null;
  count: number;
  schema: Schema;
  /** Values give the colours, so that the type has none. */
  byValue: boolean;
}

function TypeEntry({ kind, type, count: n, schema, byValue, actions }: EntryProps) {
  const [opened, setOpened] = useState(false);
  const { Icon } = (kind === 'node' && icons.get(appearanceOf(type).icon ?? '')) || {};
  const row = (
    <button type="button" className="legend-row" disabled={type === null} onClick={() => setOpened(!opened)}>
      {!byValue && <TypeMark kind={kind} type={type} />}
      {byValue && kind === 'edge' && <span className="dash" style={{ background: 'var(--muted)' }} />}
      {Icon && <Icon size={13} aria-hidden />}
      <span className="type-name">{type === null ? 'no label' : escapeInvisible(type)}</span>
      <span className="type-count">{formatCount(n)}</span>
    </button>
  );
  if (type === null) return row;
  return (
    <Popover position="right-end" shadow="md" trapFocus returnFocus width={230} opened={opened} onChange={setOpened}>
      <Popover.Target>{row}</Popover.Target>
      <Popover.Dropdown>
        <TypeActions kind={kind} type={type} actions={actions} onDone={() => setOpened(false)} />
        <TypeStyleForm kind={kind} type={type} schema={schema} onDone={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** What can be done with all elements of a type. */
function TypeActions({
  kind,
  type,
  actions,
  onDone,
}: { kind: EntityKind; type: string; onDone: () => void } & Pick<LegendProps, 'actions'>) {
  const action = (label: string, run: () => void) => (
    <Button
      key={label}
      size="compact-xs"
      variant="default"
      onClick={() => {
        onDone();
        run();
      }}
    >
      {label}
    </Button>
  );
  return (
    <Group gap={4} mb="xs">
      {kind === 'node' && action('Select', () => actions.select(type))}
      {action('Keep only', () => actions.keep(kind, type))}
      {action('Hide', () => actions.drop(kind, type))}
      {kind === 'edge' && action('Group at the source', () => actions.groupAt(type, 'out'))}
      {kind === 'edge' && action('Group at the target', () => actions.groupAt(type, 'in'))}
    </Group>
  );
}
