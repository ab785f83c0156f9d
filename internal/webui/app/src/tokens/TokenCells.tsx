// What the tables and the forms of service tokens and of personal tokens share.
import { Badge, Checkbox, Group, TextInput } from '@mantine/core';
import { Clock } from 'lucide-react';
import { formatTime } from '../values/text';
import { expiryNote, type expiryDates } from './tokens';

export const muted = { color: 'var(--muted)' };

export function DateCell({ time }: { time: string }) {
  return (
    <td style={{ whiteSpace: 'nowrap' }} title={formatTime(time)}>
      {formatTime(time).slice(0, 10)}
    </td>
  );
}

/** When a token expires, with a mark if that is soon. */
export function ExpiryCell({ expiresAt, now }: { expiresAt: string; now: number }) {
  const note = expiryNote(expiresAt, now);
  return (
    <td style={{ whiteSpace: 'nowrap' }} title={formatTime(expiresAt)}>
      {formatTime(expiresAt).slice(0, 10)}
      {note && (
        <div>
          <ExpiryBadge note={note} />
        </div>
      )}
    </td>
  );
}

export function ExpiryBadge({ note }: { note: string }) {
  return (
    <Badge
      miw="max-content"
      tt="none"
      size="sm"
      radius="sm"
      variant="default"
      leftSection={<Clock size={11} aria-hidden />}
      className={note === 'expired' ? 'note-bad' : 'note-soon'}
    >
      {note}
    </Badge>
  );
}

export function LastUsedCell({ time }: { time: string | null }) {
  return <td style={{ whiteSpace: 'nowrap' }}>{time === null ? <span style={muted}>never</span> : formatTime(time).slice(0, 16)}</td>;
}

interface FieldProps<T> {
  value: T;
  onChange: (value: T) => void;
  error: string | undefined;
}

export function TokenNameField({ value, onChange, error }: FieldProps<string>) {
  return (
    <TextInput
      label="Name"
      description="The program that uses it"
      required
      withAsterisk={false}
      maxLength={64}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
      error={error}
      data-autofocus
    />
  );
}

/** The permissions that a token gets, of those that its maker has. */
export function PermissionsField({
  offered,
  description,
  ...field
}: FieldProps<string[]> & { offered: readonly string[]; description?: string }) {
  if (offered.length === 0) return null;
  return (
    <Checkbox.Group label="Permissions" description={description} {...field}>
      <Group mt={6}>
        {offered.map((permission) => (
          <Checkbox key={permission} value={permission} label={permission} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

interface ExpiryProps extends FieldProps<string> {
  dates: ReturnType<typeof expiryDates>;
}

export function ExpiryField({ dates, value, onChange, error }: ExpiryProps) {
  return (
    <TextInput
      type="date"
      label="Expires"
      description="At the start of this day, at most one year ahead"
      required
      withAsterisk={false}
      min={dates.min}
      max={dates.max}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
      error={error}
    />
  );
}
