// The controls of a condition on a property, in the filters of lists and in the grants of roles.
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import type { Listed } from '../charts/aggregate';
import { TypedInput } from '../values/TypedInput';
import type { Kind } from '../values/value';
import { ValueSuggestions } from './ValueSuggestions';
import { operatorLabels, comparesWithList, type Operator } from './filters';

interface OperatorProps {
  operators: Operator[];
  value: Operator;
  onChange: (operator: Operator) => void;
  /** A visible label, or one for screen readers only. */
  label?: string;
  'aria-label'?: string;
}

export function OperatorSelect({ operators, value, onChange, ...labels }: OperatorProps) {
  const data = operators.map((o) => ({ value: o, label: operatorLabels[o] }));
  return <NativeSelect size="xs" {...labels} data={data} value={value} onChange={(e) => onChange(e.currentTarget.value as Operator)} />;
}

interface ValueProps {
  operator: Operator;
  kind: Kind;
  value: string;
  error: string;
  onChange: (text: string) => void;
  /** The list and its property, whose frequent values are offered. */
  of?: { listed: Listed; property: string } | undefined;
  label?: string;
  'aria-label'?: string;
}

export function ValueField({ operator, kind, value, error, onChange, of, ...labels }: ValueProps) {
  if (operator === 'exists' || (kind === 'Boolean' && !comparesWithList(operator))) {
    const data =
      operator === 'exists'
        ? [
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]
        : ['true', 'false'];
    return (
      <SegmentedControl
        size="xs"
        aria-label={labels['aria-label'] ?? labels.label}
        value={value === 'false' ? 'false' : 'true'}
        onChange={onChange}
        data={data}
      />
    );
  }
  if (comparesWithList(operator))
    return (
      <TextInput
        size="xs"
        {...labels}
        placeholder="values, separated by commas"
        value={value}
        error={error || undefined}
        onChange={(e) => onChange(e.currentTarget.value)}
        spellCheck={false}
      />
    );
  return (
    <>
      <TypedInput
        {...labels}
        kind={kind}
        text={value}
        called={labels['aria-label'] ?? 'the value'}
        error={error || undefined}
        onChange={onChange}
      />
      {of && <ValueSuggestions {...of} kind={kind} onChoose={onChange} />}
    </>
  );
}
