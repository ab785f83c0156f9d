import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { statuses } from '../changesets/changesets';
import { actions } from './history';

const labels: Record<string, string> = { kind: 'Kind', type: 'Type', action: 'Action', user: 'User', status: 'Status', author: 'Author' };
// The filters with fixed values; the others are texts.
const choices: Record<string, string[]> = { kind: ['node', 'edge'], action: actions, status: [...statuses] };

interface Props {
  label: string;
  names: readonly string[];
  filters: Record<string, string | undefined>;
  onChange: (next: URLSearchParams) => void;
}

/** The filters of the trash, of the feed and of change sets. A selection applies immediately, a text when the form is submitted. */
export function HistoryFilters({ label, names, filters, onChange }: Props) {
  const [draft, setDraft] = useState(filters);
  const apply = (next: Record<string, string | undefined>) =>
    onChange(new URLSearchParams(Object.entries(next).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))));
  // Kept as well, since a second selection may come before the address of the first is rendered.
  function choose(next: typeof draft) {
    setDraft(next);
    apply(next);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    apply(draft);
  }
  return (
    <form onSubmit={submit} role="search" aria-label={label}>
      <Group gap="xs" align="end" mb="md">
        {names.map((name) =>
          choices[name] ? (
            <NativeSelect
              key={name}
              size="xs"
              w={110}
              label={labels[name]}
              data={[{ value: '', label: 'any' }, ...choices[name]]}
              value={draft[name] ?? ''}
              onChange={(event) => choose({ ...draft, [name]: event.currentTarget.value })}
            />
          ) : (
            <TextInput
              key={name}
              size="xs"
              w={150}
              label={labels[name]}
              value={draft[name] ?? ''}
              onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
              spellCheck={false}
            />
          ),
        )}
        <Button size="xs" type="submit">
          Apply
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button size="xs" variant="subtle" onClick={() => apply({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}

/** The filters in the URL. */
export function filtersOf(params: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])));
}
