import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname, include: ['*.flow.ts'], globalSetup: ['setup.ts'], environment: 'node', testTimeout: 120_000, hookTimeout: 180_000,
    // As long as the page's default timeout: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // As for the Go tests: one retry in continuous integration, where the machine may be shared. Retries are reported.
    retry: process.env['CI'] ? 1 : 0,
    // One Chromium at a time, because the machines have two cores.
    fileParallelism: false, maxWorkers: 1,
    // All files use the same browser. What must be done for each of them is in the set-up file.
    isolate: false, setupFiles: ['hooks.ts'],
  },
});
