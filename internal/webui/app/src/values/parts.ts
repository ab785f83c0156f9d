// Values of the types that have no input type in HTML, divided into what a picker shows: dates, times, zones, durations, points.
import type { Kind } from './value';

export interface TemporalParts {
  /** "2024-05-01", or empty. */
  date: string;
  /** "12:30:00.123", or empty. */
  time: string;
  /** "+02:00", "Z", or empty. */
  offset: string;
  /** "Europe/Berlin", or empty. */
  zone: string;
}

interface TemporalForm {
  date: boolean;
  time: boolean;
  offset: boolean;
  zone: boolean;
}

const forms: Partial<Record<Kind, TemporalForm>> = {
  Date: { date: true, time: false, offset: false, zone: false },
  LocalDateTime: { date: true, time: true, offset: false, zone: false },
  OffsetDateTime: { date: true, time: true, offset: true, zone: false },
  ZonedDateTime: { date: true, time: true, offset: false, zone: true },
  LocalTime: { date: false, time: true, offset: false, zone: false },
  Time: { date: false, time: true, offset: true, zone: false },
};

/** Which parts the values of a kind have; null for other kinds. */
export const temporalForm = (kind: Kind): TemporalForm | null => forms[kind] ?? null;

const temporalPattern = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d(?::?\d\d)?)?(?:\[([^\]]+)\])?$/;

/** The parts of a text. Those that it lacks are empty, all if it is written in another way, such as a year of five digits. */
export function parseTemporal(text: string): TemporalParts {
  const [, date = '', time = '', offset = '', zone = ''] = temporalPattern.exec(text.trim()) ?? [];
  return { date, time, offset, zone };
}

/** The text of a value; empty while a part is missing. */
export function composeTemporal(kind: Kind, parts: TemporalParts): string {
  const form = temporalForm(kind);
  if (form === null) return '';
  const { date, zone } = parts;
  const time = parts.time !== '' && parts.time.length === 5 ? `${parts.time}:00` : parts.time;
  if ((form.date && date === '') || (form.time && time === '') || (form.offset && parts.offset === '') || (form.zone && zone === ''))
    return '';
  // Before 1970 the zone data of browsers and of Neo4j differ: the service gives such a time in UTC, and its offset stays.
  const keepsOffset = !form.zone || (date < '1970' && parts.offset !== '');
  const offset = keepsOffset ? parts.offset : offsetOfZone(zone, date, time);
  if (form.zone && offset === null) return '';
  return [
    form.date ? date : '',
    form.date && form.time ? 'T' : '',
    form.time ? time : '',
    form.offset || form.zone ? offset : '',
    form.zone ? `[${zone}]` : '',
  ].join('');
}

/** The names of zones that the browser knows. */
export const zoneNames = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/** The zone of this computer. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * The offset of a zone at a local date and time; null if the browser does not know the zone. At the end of summer time it is the second
 * one.
 */
export function offsetOfZone(zone: string, date: string, time: string): string | null {
  const local = Date.parse(`${date}T${time.slice(0, 8)}Z`);
  if (!Number.isFinite(local)) return null;
  try {
    const first = offsetAt(zone, local);
    return formatOffset(offsetAt(zone, local - first));
  } catch {
    return null; // RangeError: no such zone
  }
}

/** The offset at an instant, in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  const fields = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(fields.find((field) => field.type === type)?.value);
  const shown = new Date(0);
  shown.setUTCFullYear(number('year'), number('month') - 1, number('day'));
  shown.setUTCHours(number('hour'), number('minute'), number('second'));
  return shown.getTime() - Math.floor(instant / 1000) * 1000;
}

function formatOffset(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const rest = seconds % 60;
  const sign = milliseconds < 0 ? '-' : '+';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${sign}${two(hours)}:${two(minutes)}${rest === 0 ? '' : `:${two(rest)}`}`;
}

export const offsets: string[] = Array.from({ length: 27 }, (_, index) => index - 12).flatMap((hour) => {
  const at = (minutes: string) => `${hour < 0 ? '-' : '+'}${String(Math.abs(hour)).padStart(2, '0')}:${minutes}`;
  return hour === 5 || hour === 9 || hour === 3 ? [at('00'), at('30')] : [at('00')];
});

export const durationUnits = ['years', 'months', 'days', 'hours', 'minutes', 'seconds'] as const;
export type DurationUnit = (typeof durationUnits)[number];
export type DurationParts = Record<DurationUnit, string>;

const durationPattern =
  /^P(?=.)(?:([+-]?\d+)Y)?(?:([+-]?\d+)M)?(?:([+-]?\d+)D)?(?:T(?=.)(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?\d+(?:\.\d{1,9})?)S)?)?$/;

/** The parts of a duration; all are empty if it is written in another way, such as in weeks. */
export function parseDuration(text: string): DurationParts {
  const [, ...found] = durationPattern.exec(text.trim()) ?? [];
  return Object.fromEntries(durationUnits.map((unit, index) => [unit, found[index] ?? ''])) as DurationParts;
}

export function composeDuration(parts: DurationParts): string {
  const text = (unit: DurationUnit, letter: string) => (parts[unit].trim() === '' ? '' : `${parts[unit].trim()}${letter}`);
  const days = text('years', 'Y') + text('months', 'M') + text('days', 'D');
  const times = text('hours', 'H') + text('minutes', 'M') + text('seconds', 'S');
  return days + times === '' ? '' : `P${days}${times === '' ? '' : `T${times}`}`;
}

export interface PointSystem {
  srid: string;
  label: string;
  axes: [string, string] | [string, string, string];
}

/** The coordinate systems of Neo4j. */
export const pointSystems: PointSystem[] = [
  { srid: '4326', label: 'On the earth (WGS 84)', axes: ['Longitude', 'Latitude'] },
  { srid: '4979', label: 'On the earth, with height', axes: ['Longitude', 'Latitude', 'Height in meters'] },
  { srid: '7203', label: 'Cartesian', axes: ['x', 'y'] },
  { srid: '9157', label: 'Cartesian, in space', axes: ['x', 'y', 'z'] },
];

export const isOnEarth = ({ srid }: PointSystem) => srid === '4326' || srid === '4979';

export interface PointParts {
  system: PointSystem;
  /** As many texts as the system has axes. */
  coordinates: string[];
}

const unset = '?'; // stands for a coordinate that is not written yet

const pointPattern = /^SRID=(\d+);\s*POINT\s*Z?\s*\(([^)]*)\)$/;

/** The parts of a point; without coordinates if the text is none. */
export function parsePoint(text: string): PointParts {
  const [, srid, inner = ''] = pointPattern.exec(text.trim()) ?? [];
  const system = pointSystems.find((each) => each.srid === srid) ?? pointSystems[0]!;
  const found = inner.trim().split(/\s+/);
  return { system, coordinates: system.axes.map((_, index) => (found[index] === unset ? '' : (found[index] ?? ''))) };
}

/** The text of a point; empty without a coordinate, and no valid one while only some are written. */
export function composePoint({ system, coordinates }: PointParts): string {
  const numbers = system.axes.map((_, index) =>
    (coordinates[index] ?? '')
      .trim()
      .replace(',', '.')
      .replaceAll(/[\s()]/g, ''),
  );
  if (numbers.every((text) => text === '')) return '';
  return `SRID=${system.srid};POINT${system.axes.length === 3 ? ' Z' : ''} (${numbers.map((text) => text || unset).join(' ')})`;
}
