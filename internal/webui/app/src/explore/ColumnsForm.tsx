import { ActionIcon, Button, Checkbox, Group } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, useEffect, useRef, useState } from 'react';
import { escapeInvisible } from '../values/text';
import type { Column } from './columns';

interface Entry {
  column: Column;
  shown: boolean;
  /** Whether it stands in its group, below the others; once it is chosen, it has its place among them. */
  offered: boolean;
}

const checkStyles = { root: { flex: 1, minWidth: 0 }, label: { overflowWrap: 'anywhere' } } as const;

/** The choice of columns; the form that is loaded on demand takes the focus. */
export default function ColumnsForm({ all, shown, onApply }: { all: Column[]; shown: Column[]; onApply: (keys: string[] | null) => void }) {
  const [entries, setEntries] = useState<Entry[]>(() => [
    ...shown.map((column) => ({ column, shown: true, offered: false })),
    ...all.filter((c) => !shown.includes(c)).map((column) => ({ column, shown: false, offered: column.group !== undefined })),
  ]);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('input')?.focus(), []);
  const chosen = entries.filter((entry) => entry.shown).map((entry) => entry.column.key);
  const ordered = entries.filter(({ offered }) => !offered).length;
  const toggle = (key: string) =>
    setEntries(entries.map((entry) => (entry.column.key === key ? { ...entry, shown: !entry.shown } : entry)));
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
        {entries.map(({ column, shown: isShown, offered }, index) => {
          const title = escapeInvisible(column.title);
          const before = entries[index - 1];
          return (
            <Fragment key={column.key}>
              {offered && !(before?.offered && before.column.group === column.group) && <li className="column-group">{column.group}</li>}
              <li>
                <Checkbox
                  size="xs"
                  label={title}
                  title={offered ? column.hint : undefined}
                  checked={isShown}
                  onChange={() => toggle(column.key)}
                  styles={checkStyles}
                />
                {!offered && (
                  <>
                    <ActionIcon size="sm" aria-label={`Move ${title} up`} disabled={index === 0} onClick={() => move(index, index - 1)}>
                      <ArrowUp size={14} />
                    </ActionIcon>
                    <ActionIcon
                      size="sm"
                      aria-label={`Move ${title} down`}
                      disabled={index === ordered - 1}
                      onClick={() => move(index, index + 1)}
                    >
                      <ArrowDown size={14} />
                    </ActionIcon>
                  </>
                )}
              </li>
            </Fragment>
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
