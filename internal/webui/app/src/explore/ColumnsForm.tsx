import { ActionIcon, Button, Checkbox, Group } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, useEffect, useRef, useState } from 'react';
import { escapeInvisible } from '../values/text';
import type { Column } from './columns';

interface Entry {
  column: Column;
  shown: boolean;
}

const checkStyles = { root: { flex: 1, minWidth: 0 }, label: { overflowWrap: 'anywhere' } } as const;

/** The choice of columns; the form that is loaded on demand takes the focus. */
export default function ColumnsForm({ all, shown, onApply }: { all: Column[]; shown: Column[]; onApply: (keys: string[] | null) => void }) {
  const [entries, setEntries] = useState<Entry[]>(() => [
    ...shown.map((column) => ({ column, shown: true })),
    ...all.filter((c) => !c.group && !shown.includes(c)).map((column) => ({ column, shown: false })),
  ]);
  // What is in a group is offered below; once it is chosen, it has its place among the others.
  const [offered, setOffered] = useState<Entry[]>(() =>
    all.filter((c) => c.group && !shown.includes(c)).map((column) => ({ column, shown: false })),
  );
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('input')?.focus(), []);
  const chosen = [...entries, ...offered].filter((entry) => entry.shown).map((entry) => entry.column.key);
  const toggle = (of: Entry[], key: string) => of.map((entry) => (entry.column.key === key ? { ...entry, shown: !entry.shown } : entry));
  const move = (from: number, to: number) => setEntries(entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onApply(chosen);
      }}
    >
      <ul className="column-choice" aria-label="Columns" ref={list}>
        {entries.map(({ column, shown: isShown }, index) => {
          const title = escapeInvisible(column.title);
          return (
            <li key={column.key}>
              <Checkbox
                size="xs"
                label={title}
                checked={isShown}
                onChange={() => setEntries(toggle(entries, column.key))}
                styles={checkStyles}
              />
              <ActionIcon size="sm" aria-label={`Move ${title} up`} disabled={index === 0} onClick={() => move(index, index - 1)}>
                <ArrowUp size={14} />
              </ActionIcon>
              <ActionIcon
                size="sm"
                aria-label={`Move ${title} down`}
                disabled={index === entries.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <ArrowDown size={14} />
              </ActionIcon>
            </li>
          );
        })}
        {offered.map(({ column, shown: isShown }, index) => (
          <Fragment key={column.key}>
            {column.group !== offered[index - 1]?.column.group && <li className="column-group">{column.group}</li>}
            <li>
              <Checkbox
                size="xs"
                label={escapeInvisible(column.title)}
                title={column.hint}
                checked={isShown}
                onChange={() => setOffered(toggle(offered, column.key))}
                styles={checkStyles}
              />
            </li>
          </Fragment>
        ))}
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
