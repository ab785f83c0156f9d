import { ActionIcon, Button, Checkbox, Group, Popover } from '@mantine/core';
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { escapeInvisible } from '../values/text';
import type { Column } from './columns';

interface Props {
  /** All columns, and those that are shown, in their order. */
  all: Column[];
  shown: Column[];
  /** Receives the keys of the columns to show; null for all. */
  onChange: (keys: string[] | null) => void;
}

/** Chooses and orders the columns of the table. The list is requested again once, when the choice is applied. */
export function ColumnsMenu({ all, shown, onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" trapFocus width={290}>
      <Popover.Target>
        <ActionIcon size="lg" aria-label="Columns" title="Columns" onClick={() => setOpen(!open)}>
          <Columns3 size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        {open && (
          <ColumnsForm
            all={all} shown={shown}
            onApply={(keys) => {
              setOpen(false);
              onChange(keys);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface Entry {
  column: Column;
  shown: boolean;
}

function ColumnsForm({ all, shown, onApply }: { all: Column[]; shown: Column[]; onApply: (keys: string[] | null) => void }) {
  const [entries, setEntries] = useState<Entry[]>(() => [...shown.map((column) => ({ column, shown: true })), ...all.filter((c) => !shown.includes(c)).map((column) => ({ column, shown: false }))]);
  const chosen = entries.filter((entry) => entry.shown).map((entry) => entry.column.key);
  const toggle = (key: string) => setEntries(entries.map((entry) => (entry.column.key === key ? { ...entry, shown: !entry.shown } : entry)));
  const move = (from: number, to: number) => setEntries(entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onApply(chosen);
      }}
    >
      <ul className="column-choice" aria-label="Columns">
        {entries.map(({ column, shown: isShown }, index) => {
          const title = escapeInvisible(column.title);
          return (
            <li key={column.key}>
              <Checkbox size="xs" label={title} checked={isShown} onChange={() => toggle(column.key)} data-autofocus={index === 0 ? true : undefined} styles={{ root: { flex: 1, minWidth: 0 }, label: { overflowWrap: 'anywhere' } }} />
              <ActionIcon size="sm" aria-label={`Move ${title} up`} disabled={index === 0} onClick={() => move(index, index - 1)}>
                <ArrowUp size={14} />
              </ActionIcon>
              <ActionIcon size="sm" aria-label={`Move ${title} down`} disabled={index === entries.length - 1} onClick={() => move(index, index + 1)}>
                <ArrowDown size={14} />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      <Group justify="space-between" mt="xs">
        <Button size="xs" variant="default" onClick={() => onApply(null)}>
          All columns
        </Button>
        <Button size="xs" type="submit" disabled={chosen.length === 0}>
          Apply
        </Button>
      </Group>
    </form>
  );
}
