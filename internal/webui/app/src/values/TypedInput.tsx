// The text field of a value. For dates, times and durations a button beside it shows their parts as fields; a point has fields only.
import { ActionIcon, TextInput, Tooltip, type TextInputProps } from '@mantine/core';
import { CalendarClock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { kindExamples, type Kind } from './value';

const Picker = onDemand(() => import('./Picker'));
const PointInput = onDemand(() => import('./PointInput'));

const picked: readonly Kind[] = ['Date', 'LocalDateTime', 'OffsetDateTime', 'ZonedDateTime', 'LocalTime', 'Time', 'Duration'];

interface Props extends Omit<TextInputProps, 'onChange' | 'value'> {
  kind: Kind;
  text: string;
  /** What the value is called, in the names of the fields of its parts. */
  called: string;
  onChange: (text: string) => void;
}

export function TypedInput({ kind, text, called, onChange, ...input }: Props) {
  const [open, setOpen] = useState(false);
  if (kind === 'Point') {
    const { error, autoFocus, onKeyDown } = input;
    return (
      <Suspense>
        <PointInput
          text={text}
          label={input['aria-label'] ?? called}
          called={called}
          error={error}
          autoFocus={autoFocus}
          onKeyDown={onKeyDown}
          onChange={onChange}
        />
      </Suspense>
    );
  }
  const hasPicker = picked.includes(kind);
  const action = kind === 'Duration' ? 'Choose the duration' : 'Choose date, time or zone';
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <TextInput
        size="xs"
        placeholder={kindExamples[kind]}
        value={text}
        spellCheck={false}
        onChange={(e) => onChange(e.currentTarget.value)}
        {...input}
        rightSection={
          hasPicker && (
            <Tooltip label={action}>
              <ActionIcon size="sm" aria-label={`${action} of ${called}`} aria-expanded={open} onClick={() => setOpen(!open)}>
                <CalendarClock size={14} />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
      {hasPicker && open && (
        <Suspense>
          <Picker key={kind} kind={kind} text={text} label={called} onChange={onChange} />
        </Suspense>
      )}
    </div>
  );
}
