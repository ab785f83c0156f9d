import { afterEach, expect } from 'vitest';
import { closeContexts } from './browser';

afterEach(async () => {
  expect(await closeContexts()).toEqual([]);
});
