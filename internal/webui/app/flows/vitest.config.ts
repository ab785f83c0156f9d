import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname, include: ['*.flow.ts'], globalSetup: ['setup.ts'], environment: 'node', testTimeout: 60_000, hookTimeout: 90_000,
    // One Chromium at a time: the machines that run this have two cores.
    fileParallelism: false, maxWorkers: 1,
  },
});
