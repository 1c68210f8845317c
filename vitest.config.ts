import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,contract,e2e}/**/*.test.ts'],
    // Real servers, real renders and spawned programs on a small machine: generous, and never asserted on.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests that run side by side mostly wait.
    maxConcurrency: 12,
  },
});
