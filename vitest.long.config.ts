import { defineConfig, mergeConfig } from 'vitest/config';
import ordinary from './vitest.config.ts';

/** Tests that load the machine themselves: one file at a time, and with nothing beside them. */
export default mergeConfig(
  { ...ordinary, test: { ...ordinary.test, include: [] } },
  defineConfig({ test: { include: ['test/long/**/*.test.ts'], maxWorkers: 1 } }),
);
