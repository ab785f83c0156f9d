// Groups and measures of a question: one row for each group.
import { ActionIcon, Button, Group, MultiSelect, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { Plus, Sigma, X } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { escapeInvisible } from '../values/text';
import { placeNow } from './place';
import {
  isGrouped,
  measureOperators,
  namedParts,
  pruned,
  withChoice,
  type ChangeQuestion,
  type Measure,
  type MeasureOperator,
  type Question,
} from './question';

interface Reference {
  name: string;
  numeric: boolean;
}

/** What an operation can be about: a sum and a mean take numbers, a minimum and a maximum properties. */
export const subjectsOf = (op: MeasureOperator, references: Reference[]) =>
  references.filter(({ name, numeric }) => op === 'count' || (op === 'sum' || op === 'mean' ? numeric : name.includes('.')));

/** What columns, groups and measures may be about: every name, and the properties of its type. */
export function referencesOf(question: Question, schema: Schema): Reference[] {
  return namedParts(question).flatMap(({ name, kind, type }) => [
    { name, numeric: false },
    ...filterableProperties(schema, kind, type).map((use) => ({
      name: `${name}.${use.name}`,
      numeric: use.types.some((each) => each === 'Integer' || each === 'Float'),
    })),
  ]);
}

const optionOf = ({ name }: Reference) => ({ value: name, label: escapeInvisible(name) });

const measureNames: Record<MeasureOperator, string> = { count: 'Count', sum: 'Sum', mean: 'Mean', min: 'Minimum', max: 'Maximum' };

interface Props {
  question: Question;
  schema: Schema;
  onChange: ChangeQuestion;
}

export function SummaryMenu({ question, schema, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const grouped = isGrouped(question);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus width={330}>
      <Popover.Target>
        <Button size="xs" variant={grouped ? 'light' : 'default'} leftSection={<Sigma size={14} />} onClick={() => setOpen(!open)}>
          Group
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Groups and measures">{open && <SummaryForm {...{ question, schema, onChange }} />}</Popover.Dropdown>
    </Popover>
  );
}

function SummaryForm({ question, schema, onChange }: Props) {
  const references = referencesOf(question, schema);
  const setMeasures = (update: (now: Measure[]) => Measure[]) => onChange((now) => pruned({ ...now, measures: update(now.measures) }));
  const replace = (index: number, by: (measure: Measure) => Measure[]) =>
    setMeasures((now) => {
      const place = placeNow(now, question.measures, index);
      return place < 0 ? now : now.toSpliced(place, 1, ...by(now[place]!));
    });
  return (
    <Stack gap="xs">
      <MultiSelect
        size="xs"
        label="Group by"
        searchable
        clearable
        openOnFocus={false}
        data={references.map(optionOf)}
        value={question.groupBy}
        onChange={(chosen) => onChange((now) => pruned({ ...now, groupBy: withChoice(now.groupBy, question.groupBy, chosen) }))}
        comboboxProps={{ withinPortal: false }}
      />
      {question.measures.map((measure, index) => (
        <MeasureRow
          key={index}
          label={`measure ${index + 1}`}
          measure={measure}
          references={references}
          onChange={(update) => replace(index, (measure) => [update(measure)])}
          onRemove={() => replace(index, () => [])}
        />
      ))}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<Plus size={13} />}
        onClick={() => setMeasures((now) => [...now, { op: 'count' }])}
      >
        Add a measure
      </Button>
      <Text size="xs" c="dimmed">
        The answer has one row for each group. Sum and mean take numbers only.
      </Text>
    </Stack>
  );
}

interface RowProps {
  label: string;
  measure: Measure;
  references: Reference[];
  onChange: (update: (now: Measure) => Measure) => void;
  onRemove: () => void;
}

function MeasureRow({ label, measure, references, onChange, onRemove }: RowProps) {
  const subjects = subjectsOf(measure.op, references);
  const offered = measureOperators.filter((op) => op === 'count' || op === measure.op || subjectsOf(op, references).length > 0);
  // A subject that the operation cannot be about gives way to the first that it can.
  const fitted = (op: MeasureOperator, of: string | undefined): Measure => {
    const fitting = subjectsOf(op, references).map(({ name }) => name);
    const subject = op === 'count' || fitting.includes(of ?? '') ? of : fitting[0];
    return subject ? { op, of: subject } : { op };
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <NativeSelect
        size="xs"
        aria-label={`Operation of ${label}`}
        data={offered.map((op) => ({ value: op, label: measureNames[op] }))}
        value={measure.op}
        onChange={(e) => {
          const op = e.currentTarget.value as MeasureOperator;
          onChange((now) => fitted(op, now.of));
        }}
      />
      <NativeSelect
        size="xs"
        aria-label={`Subject of ${label}`}
        style={{ flex: 1 }}
        data={[...(measure.op === 'count' ? [{ value: '', label: 'rows' }] : []), ...subjects.map(optionOf)]}
        value={measure.of ?? ''}
        onChange={(e) => {
          const of = e.currentTarget.value;
          onChange((now) => fitted(now.op, of));
        }}
      />
      <ActionIcon size="sm" variant="subtle" aria-label={`Remove ${label}`} onClick={onRemove}>
        <X size={13} />
      </ActionIcon>
    </Group>
  );
}
