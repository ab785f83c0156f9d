import { Button, NativeSelect, Pill } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { parseDraft, sameValue } from '../values/draft';
import { escapeInvisible, cellText } from '../values/text';
import { TypedInput } from '../values/TypedInput';
import { kindLabels, kindOf, type Kind, type Scalar } from '../values/value';

interface Props {
  /** The kind of the values; null if the user chooses it for each. */
  kind: Kind | null;
  values: Scalar[];
  error: string;
  onChange: (values: Scalar[]) => void;
  /** Reports whether a value is entered that is not added yet. */
  onPending: (pending: boolean) => void;
}

const choosable: Kind[] = ['String', 'Integer', 'Float', 'Boolean', 'Date', 'LocalDateTime', 'OffsetDateTime', 'LocalTime', 'Time'];

/** Several values, each a chip with its type. Enter adds the value that is entered; Backspace in the empty field removes the last one. */
export function ValuesField({ kind, values, error, onChange, onPending }: Props) {
  const [chosen, setChosen] = useState<Kind>('String');
  const [text, setText] = useState('');
  const [invalid, setInvalid] = useState('');
  const entered = kind ?? chosen;

  function write(next: string) {
    setText(next);
    setInvalid('');
    onPending(next !== '');
  }
  function add() {
    const parsed = parseDraft({ kind: entered, list: false, texts: [entered === 'Boolean' ? text.trim().toLowerCase() : text] });
    if ('error' in parsed) return setInvalid(parsed.error);
    if (entered === 'Boolean' && !['true', 'false'].includes(text.trim().toLowerCase())) return setInvalid('Write true or false');
    const value = parsed.value as Scalar;
    write('');
    onChange(values.some((other) => sameValue(other, value)) ? values : [...values, value]);
  }
  function handleKeyDown(event: KeyboardEvent) {
    // With nothing entered, Enter applies the form.
    if (event.key === 'Enter' && text !== '') {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1));
  }

  return (
    <div role="group" aria-label="Values">
      {values.length > 0 && (
        <div className="value-chips">
          {values.map((value, index) => {
            const label = escapeInvisible(cellText(value)) || 'empty text';
            return (
              <Pill
                key={`${index} ${label}`}
                withRemoveButton
                onRemove={() => onChange(values.filter((_, i) => i !== index))}
                removeButtonProps={{ 'aria-label': `Remove ${label}`, 'aria-hidden': false, tabIndex: 0 }}
                title={kindLabels[kindOf(value)]}
              >
                {label} <span className="property-type">{kindLabels[kindOf(value)]}</span>
              </Pill>
            );
          })}
        </div>
      )}
      <div style={{ display: 'flex', gap: 6, alignItems: 'flex-start' }}>
        {kind === null && (
          <NativeSelect
            size="xs"
            aria-label="Type of the value"
            data={choosable.map((each) => ({ value: each, label: kindLabels[each] }))}
            value={chosen}
            onChange={(e) => setChosen(e.currentTarget.value as Kind)}
            styles={{ root: { width: 96, flex: 'none' } }}
          />
        )}
        <TypedInput
          kind={entered}
          text={text}
          called="the value"
          onChange={write}
          aria-label="Value"
          error={invalid || error || undefined}
          onKeyDown={handleKeyDown}
        />
        <Button size="xs" variant="default" onClick={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
