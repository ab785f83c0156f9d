import { ActionIcon, Button, ColorSwatch, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { EntityKind, Schema } from '../api/graph';
import {
  appearanceOf,
  edgeAppearanceOf,
  hasOwnSettings,
  resetAppearance,
  setAppearance,
  sharedOf,
  type Override,
} from '../explore/appearance';
import { propertiesOf } from '../explore/columns';
import { removeForEverybody, setForEverybody } from '../explore/typeStyles';
import { usePermissions } from '../session/session';
import { viewAs } from '../session/viewAs';
import { notify, notifyProblem } from '../shell/notify';
import { palette } from '../theme';
import { escapeInvisible } from '../values/text';
import { icons } from './icons';

interface Choice {
  value: string;
  label: string;
}

const sizes: Choice[] = [
  { value: '28', label: 'Small' },
  { value: '40', label: 'Medium' },
  { value: '56', label: 'Large' },
  { value: '76', label: 'Very large' },
];
const widths: Choice[] = [
  { value: '', label: 'Automatic' },
  { value: '3', label: 'Medium' },
  { value: '5', label: 'Thick' },
  { value: '8', label: 'Very thick' },
];

/** The choices, with the value that is set if another client has set it. */
const withValue = (choices: Choice[], value: string) =>
  choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: `${value} pixels` }];

interface Props {
  kind: EntityKind;
  type: string;
  schema: Schema;
  onDone: () => void;
}

/**
 * The colour, icon, size, width and caption of a type: for this user or the saved view that is open; administrators set them for all users.
 */
export function TypeStyleForm({ kind, type, schema, onDone }: Props) {
  const set = (change: Override) => setAppearance(kind, type, change);
  const { colour } = kind === 'node' ? appearanceOf(type) : edgeAppearanceOf(type);
  const colours = colour !== undefined && !palette.includes(colour) ? [...palette, colour] : palette;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {escapeInvisible(type)}
      </Text>
      <Group gap={6} role="radiogroup" aria-label="Color">
        {colours.map((c, index) => (
          <ColorSwatch
            key={c}
            component="button"
            type="button"
            color={c}
            size={24}
            role="radio"
            aria-checked={c === colour}
            aria-label={`Color ${index + 1}`}
            onClick={() => set({ colour: c })}
            style={{ cursor: 'pointer', color: '#fff' }}
          >
            {c === colour && <Check size={14} />}
          </ColorSwatch>
        ))}
      </Group>
      {kind === 'node' ? <NodeFields type={type} schema={schema} onChange={set} /> : <WidthField type={type} onChange={set} />}
      <Sharing kind={kind} type={type} onDone={onDone} />
    </Stack>
  );
}

function NodeFields({ type, schema, onChange }: Pick<Props, 'type' | 'schema'> & { onChange: (change: Override) => void }) {
  const { size, caption = '', icon = '' } = appearanceOf(type);
  const names = propertiesOf(schema, 'node', type).map((p) => p.name);
  const captions = caption === '' || names.includes(caption) ? names : [...names, caption];
  return (
    <>
      <IconField value={icon} onChange={(name) => onChange({ icon: name || (sharedOf('node', type).icon ? '' : undefined) })} />
      <NativeSelect
        size="xs"
        label="Size"
        value={String(size)}
        data={withValue(sizes, String(size))}
        onChange={(e) => onChange({ size: Number(e.currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        label="Caption"
        value={caption}
        data={[{ value: '', label: 'Automatic' }, ...captions.map((name) => ({ value: name, label: escapeInvisible(name) }))]}
        // Automatic is a separate setting if all users share another caption.
        onChange={(e) => onChange({ caption: e.currentTarget.value || (sharedOf('node', type).caption ? '' : undefined) })}
      />
    </>
  );
}

function IconField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const choice = (name: string, label: string, shown: ReactNode) => (
    <ActionIcon
      key={name}
      size={22}
      variant={name === value ? 'filled' : 'subtle'}
      role="radio"
      aria-checked={name === value}
      aria-label={label}
      title={label}
      onClick={() => onChange(name)}
    >
      {shown}
    </ActionIcon>
  );
  return (
    <Group gap={2} role="radiogroup" aria-label="Icon" mah={104} style={{ overflow: 'auto' }}>
      {choice('', 'No icon', <Ban size={13} />)}
      {[...icons].map(([name, { label, Icon }]) => choice(name, label, <Icon size={14} />))}
    </Group>
  );
}

function WidthField({ type, onChange }: { type: string; onChange: (change: Override) => void }) {
  const width = String(edgeAppearanceOf(type).width ?? '');
  const automatic = sharedOf('edge', type).width ? 0 : undefined; // a separate setting if all users share a width
  return (
    <NativeSelect
      size="xs"
      label="Width"
      value={width}
      data={withValue(widths, width)}
      onChange={(e) => onChange({ width: Number(e.currentTarget.value) || automatic })}
    />
  );
}

/** What is done with the settings: administrators set them for all users, and all can return to those. */
function Sharing({ kind, type, onDone }: Omit<Props, 'schema'>) {
  const queries = useQueryClient();
  const mayShare = usePermissions().admin && !viewAs;
  const [busy, setBusy] = useState(false);
  const own = hasOwnSettings(kind, type);
  const isShared = Object.keys(sharedOf(kind, type)).length > 0;
  async function change(run: typeof setForEverybody, done: string) {
    if (busy) return;
    setBusy(true);
    try {
      await run(queries, kind, type);
      notify(done, escapeInvisible(type));
      onDone();
    } catch (error) {
      notifyProblem(error, 'The style was not changed');
    } finally {
      setBusy(false);
    }
  }
  const reset = () => {
    resetAppearance(kind, type);
    onDone();
  };
  return (
    <>
      {mayShare && (
        <Button
          size="compact-sm"
          variant="light"
          aria-disabled={busy || !own}
          data-disabled={busy || !own || undefined}
          onClick={() => own && void change(setForEverybody, 'Everybody sees this style now.')}
        >
          Set for everybody
        </Button>
      )}
      {own && (
        <Button size="compact-sm" variant="subtle" onClick={reset}>
          {isShared ? 'Use the style for everybody' : 'Use the default style'}
        </Button>
      )}
      {mayShare && isShared && !own && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={() => void change(removeForEverybody, 'The style for everybody was removed.')}
        >
          Remove for everybody
        </Button>
      )}
    </>
  );
}
