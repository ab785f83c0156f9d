import { describe, expect, test } from 'vitest';
import {
  composeDuration,
  composePoint,
  composeTemporal,
  offsetOfZone,
  parseDuration,
  parsePoint,
  parseTemporal,
  pointSystems,
} from './parts';
import type { Kind } from './value';

describe('a value that is divided and composed again stays the same', () => {
  const temporal: [Kind, string][] = [
    ['Date', '2024-05-01'],
    ['LocalDateTime', '2024-05-01T12:30:00'],
    ['LocalDateTime', '2024-05-01T12:30:00.123456789'],
    ['OffsetDateTime', '2024-05-01T12:30:00-03:30'],
    ['ZonedDateTime', '2024-05-01T12:30:00+02:00[Europe/Berlin]'],
    ['ZonedDateTime', '2024-12-01T12:30:00.5+01:00[Europe/Berlin]'],
    ['LocalTime', '12:30:00'],
    ['Time', '12:30:00Z'],
  ];
  test.each(temporal)('%s %s', (kind, text) => expect(composeTemporal(kind, parseTemporal(text))).toBe(text));
  test.each(['P1Y2M3DT4H5M6S', 'P3M', 'PT1.5S', 'P-1DT-2H'])('Duration %s', (text) =>
    expect(composeDuration(parseDuration(text))).toBe(text),
  );
  test.each(['SRID=4326;POINT (-9.14 38.72)', 'SRID=4979;POINT Z (1 2 3)', 'SRID=7203;POINT (1000.5 -2)', 'SRID=9157;POINT Z (0 0 0)'])(
    'Point %s',
    (text) => expect(composePoint(parsePoint(text))).toBe(text),
  );
});

test('a value is composed only when no part is missing', () => {
  const parts = { date: '2024-05-01', time: '', offset: '', zone: '' };
  expect(composeTemporal('Date', parts)).toBe('2024-05-01');
  expect(composeTemporal('LocalDateTime', parts)).toBe('');
  expect(composeTemporal('LocalDateTime', { ...parts, time: '12:30' })).toBe('2024-05-01T12:30:00');
  expect(composeTemporal('ZonedDateTime', { ...parts, time: '12:30' })).toBe('');
  expect(composePoint({ system: pointSystems[0]!, coordinates: ['', ' '] })).toBe('');
  expect(parsePoint(composePoint({ system: pointSystems[0]!, coordinates: ['', '2'] })).coordinates).toEqual(['', '2']);
  expect(composePoint({ system: pointSystems[0]!, coordinates: ['1,5', '2'] })).toBe('SRID=4326;POINT (1.5 2)');
  expect(composeDuration(parseDuration(''))).toBe('');
});

test('a time before 1970 in a zone keeps its offset', () => {
  const text = '1935-07-01T10:40:28Z[Europe/Amsterdam]';
  expect(composeTemporal('ZonedDateTime', parseTemporal(text))).toBe(text);
  expect(composeTemporal('ZonedDateTime', { ...parseTemporal(text), time: '10:41:00' })).toBe('1935-07-01T10:41:00Z[Europe/Amsterdam]');
});

test.each(['+12024-05-01', '-0044-03-15', 'P2W', 'yesterday'])('%s is left to the text field', (text) => {
  expect(Object.values(parseTemporal(text)).join('')).toBe('');
  expect(Object.values(parseDuration(text)).join('')).toBe('');
});

test.each([
  ['Europe/Berlin', '2024-07-01', '12:00:00', '+02:00'],
  ['Europe/Berlin', '2024-01-01', '12:00:00', '+01:00'],
  ['America/St_Johns', '2024-01-01', '00:15:00', '-03:30'],
  ['Asia/Kolkata', '2024-01-01', '12:00:00', '+05:30'],
  ['UTC', '2024-01-01', '12:00:00', '+00:00'],
  ['Europe/Berlin', '2024-10-27', '02:30:00', '+01:00'],
  ['Nowhere/Else', '2024-01-01', '12:00:00', null],
])('the offset of %s at %s %s', (zone, date, time, offset) => expect(offsetOfZone(zone, date, time)).toBe(offset));
