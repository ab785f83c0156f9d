import { expect, test } from 'vitest';
import { localTime, parsePast, pastTab, timeInWords, timeOf } from './past';

test.each([
  ['history', null],
  ['properties', null],
  ['history:', null],
  ['history:17-3', { at: '17-3', until: '' }],
  ['history:2026-05-01T09:30:00.000Z..17-3', { at: '2026-05-01T09:30:00.000Z', until: '17-3' }],
] as const)('the tab %s', (tab, past) => {
  expect(parsePast(tab)).toEqual(past);
  if (past) expect(pastTab(past)).toBe(tab);
});

test('the field of a time shows it in local time, and gives it back', () => {
  const time = '2026-05-01T09:30:15.000Z';
  expect(timeOf(localTime(time))).toBe(time);
  expect([localTime('17-3'), timeOf(''), timeOf('2026-05')]).toEqual(['', '', '']);
});

test('a time that is not known is "then"', () => {
  expect([timeInWords(''), timeInWords('17-3')]).toEqual(['then', 'then']);
  expect(timeInWords('2026-05-01T09:30:15.000Z')).toContain('2026');
});
