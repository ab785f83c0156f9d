import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const days = 7;

/**
 * The files that wait for another day. Those that begin with `// @long` take long, and shorter ones find their kind of mistake in its
 * simplest form: in continuous integration, which sets the number of the day as for the Go tests (internal/testmark), each of them runs on
 * one day of seven; without the number all run.
 */
function waiting(day: string | undefined): string[] {
  if (!day) return [];
  const isLong = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8').startsWith('// @long\n');
  const long = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.flow.ts') && isLong(file));
  return long.sort().filter((_, i) => day === 'no' || i % days !== Number(day) % days);
}

// As databases.ts counts them.
const workers = (process.env['NEO4J_TEST_HTTP'] ?? '').split(',').length;

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.flow.ts'],
    exclude: waiting(process.env['TESTMARK_LONG']),
    globalSetup: ['setup.ts'],
    environment: 'node',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // As long as the page's default timeout: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // One Chromium for each database: the flows wait for each other's answers often enough for two to be worth it on two cores.
    fileParallelism: workers > 1,
    maxWorkers: workers,
    // All files of a worker use the same browser. What must be done for each of them is in the set-up file.
    isolate: false,
    setupFiles: ['hooks.ts'],
  },
});
