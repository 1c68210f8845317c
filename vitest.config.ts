import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,contract,e2e}/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    // Real programs and browsers on a noisy machine: one more try where nobody watches, and the report says so.
    retry: process.env.CI === undefined ? 0 : 1,
    // Real servers, real renders and spawned programs on a small machine: generous, and never asserted on. Longer than
    // anything in a test is waited for, so that it is told what did not come.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Programs that are started and watched mostly wait: three fit where there are two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    maxConcurrency: 12,
  },
});
