import { Autocomplete, Button, Group, NativeSelect, Pill, Popover, Stack } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { PropertyUse } from '../api/graph';
import { parseDraft } from '../values/draft';
import { escapeInvisible } from '../values/text';
import { OperatorSelect, ValueField } from './ConditionFields';
import { formatCondition, filterOptions, takesList, type Condition, type Operator } from './filters';

interface Props {
  conditions: Condition[];
  known: PropertyUse[];
  onChange: (conditions: Condition[]) => void;
}

/** The filters of a list, each with a remove button, and a form to add one. */
export function FilterBar({ conditions, known, onChange }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {conditions.map((c, index) => (
        <Pill
          key={`${index} ${formatCondition(c)}`} withRemoveButton size="md" onRemove={() => onChange(conditions.filter((_, i) => i !== index))}
          removeButtonProps={{ 'aria-label': `Remove filter ${formatCondition(c)}`, 'aria-hidden': false, tabIndex: 0 }} style={{ maxWidth: 280 }}
        >
          {escapeInvisible(formatCondition(c))}
        </Pill>
      ))}
      <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" trapFocus width={290}>
        <Popover.Target>
          <Button size="xs" variant="default" leftSection={<ListFilter size={14} />} onClick={() => setOpen(!open)}>
            Filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          {open && (
            <FilterForm
              known={known}
              onAdd={(condition) => {
                setOpen(false);
                onChange([...conditions, condition]);
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

function FilterForm({ known, onAdd }: { known: PropertyUse[]; onAdd: (condition: Condition) => void }) {
  const [property, setProperty] = useState(known[0]?.name ?? '');
  const [operator, setOperator] = useState<Operator | null>(null);
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const options = filterOptions(known.find((use) => use.name === property));
  const selected = operator !== null && options.operators.includes(operator) ? operator : options.operators[0]!;
  const value = selected === 'exists' || options.kind === 'Boolean' ? (text === 'false' ? 'false' : 'true') : text;

  function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (property === '') return setError('Choose a property');
    if (selected !== 'exists' && !takesList(selected) && options.kind !== null) {
      const parsed = parseDraft({ kind: options.kind, list: false, texts: [value] });
      if ('error' in parsed) return setError(parsed.error);
    }
    onAdd({ property, operator: selected, kind: selected === 'exists' || takesList(selected) ? null : options.kind, text: value });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {known.length > 0 ? (
          <NativeSelect size="xs" label="Property" data={known.map((use) => ({ value: use.name, label: escapeInvisible(use.name) }))} value={property} onChange={(e) => { setProperty(e.currentTarget.value); setError(''); }} data-autofocus />
        ) : (
          <Autocomplete size="xs" label="Property" value={property} onChange={setProperty} data-autofocus />
        )}
        <OperatorSelect label="Condition" operators={options.operators} value={selected} onChange={setOperator} />
        <ValueField label="Value" operator={selected} kind={options.kind ?? 'String'} value={value} error={error} onChange={(next) => { setText(next); setError(''); }} />
        <Group justify="flex-end">
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
