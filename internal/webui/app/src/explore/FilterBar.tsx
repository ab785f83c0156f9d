import { Autocomplete, Button, Group, NativeSelect, Pill, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { PropertyUse } from '../api/graph';
import { parseDraft } from '../values/draft';
import { kindExamples, type Kind } from '../values/value';
import { escapeInvisible } from '../values/text';
import { formatCondition, operatorLabels, filterOptions, type Condition, type Operator } from './filters';

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
    if (selected !== 'exists' && selected !== 'in' && options.kind !== null) {
      const parsed = parseDraft({ kind: options.kind, list: false, texts: [value] });
      if ('error' in parsed) return setError(parsed.error);
    }
    onAdd({ property, operator: selected, kind: selected === 'exists' || selected === 'in' ? null : options.kind, text: value });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {known.length > 0 ? (
          <NativeSelect size="xs" label="Property" data={known.map((use) => ({ value: use.name, label: escapeInvisible(use.name) }))} value={property} onChange={(e) => { setProperty(e.currentTarget.value); setError(''); }} data-autofocus />
        ) : (
          <Autocomplete size="xs" label="Property" value={property} onChange={setProperty} data-autofocus />
        )}
        <NativeSelect size="xs" label="Condition" data={options.operators.map((o) => ({ value: o, label: operatorLabels[o] }))} value={selected} onChange={(e) => setOperator(e.currentTarget.value as Operator)} />
        <ValueField operator={selected} kind={options.kind ?? 'String'} value={value} error={error} onChange={(next) => { setText(next); setError(''); }} />
        <Group justify="flex-end">
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ValueField({ operator, kind, value, error, onChange }: { operator: Operator; kind: Kind; value: string; error: string; onChange: (text: string) => void }) {
  if (operator === 'exists' || kind === 'Boolean') {
    const data = operator === 'exists' ? [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }] : ['true', 'false'];
    return <SegmentedControl size="xs" aria-label="Value" value={value} onChange={onChange} data={data} />;
  }
  const example = operator === 'in' ? 'values, separated by commas' : kindExamples[kind];
  return <TextInput size="xs" label="Value" placeholder={example} value={value} error={error || undefined} onChange={(e) => onChange(e.currentTarget.value)} spellCheck={false} />;
}
