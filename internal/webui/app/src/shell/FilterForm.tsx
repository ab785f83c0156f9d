import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';

export interface FilterField {
  name: string;
  label: string;
  width?: number;
  /** Its fixed values; without them it is a text. */
  choices?: readonly string[];
  isTime?: boolean;
}

interface Props {
  label: string;
  fields: FilterField[];
  filters: Record<string, string | undefined>;
  onChange: (next: URLSearchParams) => void;
}

/** The filters of a list, which are in the URL. A selection applies immediately, a text when the form is submitted. */
export function FilterForm({ label, fields, filters, onChange }: Props) {
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
        {fields.map(({ name, label: title, width, choices, isTime }) =>
          choices ? (
            <NativeSelect
              key={name}
              size="xs"
              w={width ?? 110}
              label={title}
              data={[{ value: '', label: 'any' }, ...choices]}
              value={draft[name] ?? ''}
              onChange={(event) => choose({ ...draft, [name]: event.currentTarget.value })}
            />
          ) : (
            <TextInput
              key={name}
              size="xs"
              {...(isTime ? { type: 'datetime-local', step: 1 } : { w: width ?? 150 })}
              label={title}
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
