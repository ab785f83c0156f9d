// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { readLocal, readLocalRecord, writeLocal } from './localStorage';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a stored value is read again', () => {
  expect(writeLocal('k', { a: [1] })).toBe(true);
  expect(readLocal('k')).toEqual({ a: [1] });
  expect(readLocalRecord('k')).toEqual({ a: [1] });
});

test.each(['', '{', '[1]', '"text"', 'null', '7'])('%j is no record', (text) => {
  localStorage.setItem('k', text);
  expect(Object.keys(readLocalRecord('k'))).toEqual([]);
});

test('names of members of objects are ordinary keys', () => {
  localStorage.setItem('k', '{"constructor":{"width":1}}');
  expect(readLocalRecord<{ width: number }>('k')['toString']).toBeUndefined();
  expect(readLocalRecord<{ width: number }>('k')['constructor']?.width).toBe(1);
});

test('without storage nothing is kept, and nothing fails', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('disabled');
  });
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('disabled');
  });
  expect(readLocal('k')).toBeNull();
  expect(writeLocal('k', 1)).toBe(false);
});
