import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname, include: ['*.flow.ts'], globalSetup: ['setup.ts'], environment: 'node', testTimeout: 60_000, hookTimeout: 90_000,
    // As long as the pages' own waiting: the default of a second fails where a page has to be loaded on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // As for the Go tests: once more in continuous integration, on a machine that others may share, and told.
    retry: process.env['CI'] ? 1 : 0,
    // One Chromium at a time: the machines that run this have two cores.
    fileParallelism: false, maxWorkers: 1,
  },
});
