// The parts of a date, a time or a duration, as fields. The text of the value stays beside them, for what they cannot show.
import { Autocomplete, NativeSelect, TextInput } from '@mantine/core';
import {
  composeDuration,
  composeTemporal,
  durationUnits,
  localZone,
  offsets,
  parseDuration,
  parseTemporal,
  temporalForm,
  zoneNames,
  type TemporalParts,
} from './parts';
import { useEntered } from './useEntered';
import type { Kind } from './value';

interface Props {
  kind: Kind;
  text: string;
  /** What the value is called. */
  label: string;
  onChange: (text: string) => void;
}

const width = (of: number) => ({ root: { width: of, flex: 'none' } });

export default function Picker({ kind, text, label, onChange }: Props) {
  const Fields = kind === 'Duration' ? DurationFields : TemporalFields;
  return (
    <div className="picker" role="group" aria-label={`Parts of ${label}`}>
      <Fields kind={kind} text={text} label={label} onChange={onChange} />
    </div>
  );
}

/** The parts of a value whose text may be edited as well: it stays as it is while the parts are no value. */
function useParts<T>(
  text: string,
  parse: (text: string) => T,
  compose: (parts: T) => string,
  onChange: (text: string) => void,
): [T, (parts: T) => void] {
  const [parts, enter] = useEntered(text, parse);
  return [
    parts,
    (next) => {
      const composed = compose(next);
      enter(next, composed === '' ? text : composed);
      if (composed !== '') onChange(composed);
    },
  ];
}

function TemporalFields({ kind, text, label, onChange }: Props) {
  const form = temporalForm(kind)!;
  const parse = (of: string): TemporalParts => {
    const parts = parseTemporal(of);
    return {
      ...parts,
      offset: parts.offset === 'Z' ? '+00:00' : parts.offset,
      zone: parts.zone || (form.zone && of === '' ? localZone() : ''),
    };
  };
  const [parts, change] = useParts(text, parse, (next) => composeTemporal(kind, next), onChange);
  return (
    <>
      {form.date && (
        <TextInput
          type="date"
          size="xs"
          aria-label={`Date of ${label}`}
          min="0001-01-01"
          max="9999-12-31"
          value={parts.date}
          onChange={(e) => change({ ...parts, date: e.currentTarget.value })}
          styles={width(132)}
        />
      )}
      {/* The browser's field knows milliseconds; more digits stay until the time is changed. */}
      {form.time && (
        <TextInput
          type="time"
          size="xs"
          step={1}
          aria-label={`Time of ${label}`}
          value={parts.time.slice(0, 12)}
          onChange={(e) => change({ ...parts, time: e.currentTarget.value })}
          styles={width(118)}
        />
      )}
      {form.offset && (
        <NativeSelect
          size="xs"
          aria-label={`Offset of ${label}`}
          value={parts.offset}
          data={['', ...new Set([...offsets, ...(parts.offset ? [parts.offset] : [])])].map((value) => ({
            value,
            label: value || 'Offset',
          }))}
          onChange={(e) => change({ ...parts, offset: e.currentTarget.value })}
          styles={width(100)}
        />
      )}
      {form.zone && (
        <Autocomplete
          size="xs"
          aria-label={`Zone of ${label}`}
          placeholder="Zone"
          data={zoneNames()}
          limit={20}
          value={parts.zone}
          onChange={(zone) => change({ ...parts, zone })}
          comboboxProps={{ withinPortal: false }}
          style={{ flex: '1 1 150px' }}
        />
      )}
    </>
  );
}

function DurationFields({ text, label, onChange }: Props) {
  const [parts, change] = useParts(text, parseDuration, composeDuration, onChange);
  return durationUnits.map((unit) => (
    <TextInput
      key={unit}
      size="xs"
      label={unit}
      aria-label={`${unit} of ${label}`}
      inputMode="decimal"
      value={parts[unit]}
      onChange={(e) => change({ ...parts, [unit]: e.currentTarget.value })}
      styles={width(54)}
    />
  ));
}
