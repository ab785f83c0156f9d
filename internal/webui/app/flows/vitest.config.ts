import { defineConfig } from 'vitest/config';

// As databases.ts counts them.
const workers = (process.env['NEO4J_TEST_HTTP'] ?? '').split(',').length;

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.flow.ts'],
    globalSetup: ['setup.ts'],
    environment: 'node',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // As long as the page's default timeout: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // As for the Go tests: one retry in continuous integration, where the machine may be shared. Retries are reported.
    retry: process.env['CI'] ? 1 : 0,
    // One Chromium for each database: the flows wait for each other's answers often enough for two to be worth it on two cores.
    fileParallelism: workers > 1,
    maxWorkers: workers,
    // All files of a worker use the same browser. What must be done for each of them is in the set-up file.
    isolate: false,
    setupFiles: ['hooks.ts'],
  },
});
