// A point: its coordinates as fields, its coordinate system, and for a point on the earth a map. Its text is not shown.
import { ActionIcon, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { MapPin } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { composePoint, isOnEarth, parsePoint, pointSystems, type PointParts } from './parts';
import { PointMap } from './PointMap';
import { useEntered } from './useEntered';

interface Props {
  text: string;
  /** The name of the fields as a group. */
  label: string;
  /** What the point is called, in the names of its fields. */
  called: string;
  error?: React.ReactNode;
  autoFocus?: boolean | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
  onChange: (text: string) => void;
}

export default function PointInput({ text, label, called, error, autoFocus = false, onKeyDown, onChange }: Props) {
  const [map, setMap] = useState(false);
  const [{ system, coordinates }, enter] = useEntered(text, parsePoint);
  function change(parts: PointParts) {
    const composed = composePoint(parts);
    enter(parts, composed);
    onChange(composed);
  }
  const set = (index: number, value: string) => change({ system, coordinates: coordinates.with(index, value) });
  const earth = isOnEarth(system);
  return (
    <div className="picker" role="group" aria-label={label}>
      {system.axes.map((axis, index) => (
        <TextInput
          key={axis}
          size="xs"
          label={axis}
          aria-label={`${axis} of ${called}`}
          inputMode="decimal"
          value={coordinates[index] ?? ''}
          autoFocus={autoFocus && index === 0}
          onKeyDown={onKeyDown}
          onChange={(e) => set(index, e.currentTarget.value)}
          style={{ flex: '1 1 90px' }}
        />
      ))}
      {earth && (
        <Tooltip label="Map">
          <ActionIcon mt="auto" mb={2} aria-label={`Map of ${called}`} aria-expanded={map} onClick={() => setMap(!map)}>
            <MapPin size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <NativeSelect
        size="xs"
        aria-label={`Coordinate system of ${called}`}
        value={system.srid}
        data={pointSystems.map((each) => ({ value: each.srid, label: each.label }))}
        style={{ flex: '1 0 100%' }}
        onChange={(e) => {
          const next = pointSystems.find((each) => each.srid === e.currentTarget.value)!;
          change({ system: next, coordinates: next.axes.map((_, index) => coordinates[index] ?? '') });
        }}
      />
      {earth && map && (
        <PointMap
          longitude={coordinates[0] ?? ''}
          latitude={coordinates[1] ?? ''}
          label={called}
          onChoose={(longitude, latitude) => change({ system, coordinates: [longitude, latitude, ...coordinates.slice(2)] })}
        />
      )}
      {error && (
        <div role="alert" className="field-error" style={{ flex: '1 0 100%' }}>
          {error}
        </div>
      )}
    </div>
  );
}
