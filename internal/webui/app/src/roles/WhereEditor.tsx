import { ActionIcon, Autocomplete, Button, NativeSelect, Text, TextInput, Tooltip } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { PropertyUse } from '../api/graph';
import { OperatorSelect, ValueField } from '../explore/ConditionFields';
import { kindLabels, kinds, type Kind } from '../values/value';
import { needsKind, attributePrefix, newWhereRow, operatorsFor, withProperty, type WhereRow } from './where';

interface Props {
  rows: WhereRow[];
  known: PropertyUse[];
  /** By the key of the row. */
  errors: Map<number, string>;
  onChange: (rows: WhereRow[]) => void;
}

/** The conditions of a grant, all of which must be met. */
export function WhereEditor({ rows, known, errors, onChange }: Props) {
  const change = (row: WhereRow) => onChange(rows.map((each) => (each.key === row.key ? row : each)));
  return (
    <div>
      {rows.map((row, index) => (
        <ConditionRow
          key={row.key}
          row={row}
          label={`condition ${index + 1}`}
          known={known}
          error={errors.get(row.key) ?? ''}
          onChange={change}
          onRemove={() => onChange(rows.filter((each) => each.key !== row.key))}
        />
      ))}
      <Button size="compact-xs" variant="default" leftSection={<Plus size={13} />} onClick={() => onChange([...rows, newWhereRow()])}>
        Add a condition
      </Button>
    </div>
  );
}

// What a property is compared with.
const comparedWith = [
  { value: 'literal', label: 'the value' },
  { value: 'username', label: 'user name' },
  { value: 'id', label: 'user ID' },
  { value: 'attribute', label: 'user attribute' },
];

const kindOptions = [{ value: '', label: 'by its form' }, ...kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))];

const sourceOf = (row: WhereRow) => (row.user === null ? 'literal' : row.user.startsWith(attributePrefix) ? 'attribute' : row.user);

interface RowProps {
  row: WhereRow;
  label: string;
  known: PropertyUse[];
  error: string;
  onChange: (row: WhereRow) => void;
  onRemove: () => void;
}

function ConditionRow({ row, label, known, error, onChange, onRemove }: RowProps) {
  const use = known.find((each) => each.name === row.property);
  const source = sourceOf(row);
  const choose = (next: string) => onChange({ ...row, user: next === 'literal' ? null : next === 'attribute' ? attributePrefix : next });
  return (
    <>
      <div className="condition">
        <Autocomplete
          size="xs"
          aria-label={`Property of ${label}`}
          placeholder="Property"
          data={known.map((each) => each.name)}
          value={row.property}
          onChange={(property) =>
            onChange(
              withProperty(
                row,
                property,
                known.find((each) => each.name === property),
              ),
            )
          }
        />
        <OperatorSelect
          aria-label={`Operator of ${label}`}
          operators={operatorsFor(row, use)}
          value={row.operator}
          onChange={(operator) => onChange({ ...row, operator })}
        />
        {row.operator !== 'exists' && (
          <NativeSelect
            size="xs"
            aria-label={`Compared with, ${label}`}
            data={comparedWith}
            value={source}
            onChange={(e) => choose(e.currentTarget.value)}
          />
        )}
        {source === 'literal' && (
          <ValueField
            aria-label={`Value of ${label}`}
            operator={row.operator}
            kind={row.kind ?? 'String'}
            value={row.text}
            error=""
            onChange={(text) => onChange({ ...row, text })}
          />
        )}
        {source === 'attribute' && (
          <TextInput
            size="xs"
            aria-label={`Attribute of ${label}`}
            placeholder="Name of the attribute"
            value={row.user!.slice(attributePrefix.length)}
            onChange={(e) => onChange({ ...row, user: attributePrefix + e.currentTarget.value })}
            spellCheck={false}
          />
        )}
        <Tooltip label="Remove condition">
          <ActionIcon aria-label={`Remove ${label}`} className="condition-remove" onClick={onRemove}>
            <X size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      {needsKind(row, use) && (
        <NativeSelect
          size="xs"
          mb={6}
          className="condition-kind"
          label="Type of the value"
          aria-label={`Type of the value, ${label}`}
          value={row.kind ?? ''}
          data={kindOptions}
          onChange={(e) => onChange({ ...row, kind: (e.currentTarget.value || null) as Kind | null })}
        />
      )}
      {error && (
        <Text size="xs" c="red" role="alert" mb={6}>
          {error}
        </Text>
      )}
    </>
  );
}
