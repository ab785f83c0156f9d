import { expect, test } from 'vitest';
import { expiryDates, expiryNote, grantable, startOfDate } from './tokens';

const now = Date.parse('2026-11-01T12:00:00Z');
const after = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

test.each([
  [-1, 'expired'],
  [0, 'expired'],
  [23, 'expires within a day'],
  [25, 'expires in 1 day'],
  [5 * 24, 'expires in 5 days'],
  [14 * 24, 'expires in 14 days'],
  [14 * 24 + 1, ''],
])('a token with %d hours left is marked "%s"', (hours, note) => expect(expiryNote(after(hours), now)).toBe(note));

test('a new token may expire from tomorrow on and within a year', () => {
  const at = new Date(2026, 10, 1, 15, 30);
  const { min, max, preset } = expiryDates(at);
  expect([min, max, preset]).toEqual(['2026-11-02', '2027-11-01', '2027-01-30']);
  expect(Date.parse(startOfDate(min))).toBeGreaterThan(at.getTime());
  expect(Date.parse(startOfDate(max))).toBeLessThanOrEqual(new Date(2027, 10, 1, 15, 30).getTime());
});

test('a year from a leap day is a valid date', () => expect(expiryDates(new Date(2028, 1, 29)).max).toBe('2029-03-01'));

test('a user gives only permissions and roles of their own, or any role with all permissions', () => {
  expect(grantable({ permissions: ['create', 'read'], roles: ['b'] }, ['a', 'b'])).toEqual({
    permissions: ['read', 'create'],
    roles: ['b'],
  });
  expect(grantable({ permissions: ['delete', 'create', 'edit', 'read'], roles: [] }, ['a', 'b']).roles).toEqual(['a', 'b']);
});
