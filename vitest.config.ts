import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patienceMs } from './test/eventually.ts';
import { NEEDS } from './test/needs.ts';

/**
 * A test file says in its first lines what it is: `// @module-tag slow`. Vitest asks for tags after it has loaded a file in the
 * project that includes it; which project that is, with or without modules of its own, and when it begins are decided here.
 */
const tagsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\/\/ @module-tag (.+)$/gm)].map(([, tag = '']) => tag);

const slow = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  tagsOf(join(import.meta.dirname, file)).includes('slow'),
);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => tagsOf(moduleId).includes('longest');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What each test asks of the fakes (test/fakes/record-requests.ts): one after the other. */
const isRecorded = process.env.RECORD_REQUESTS !== undefined;

const maxWorkers = isRecorded ? 1 : Math.max(5, availableParallelism() - 1);

export default defineConfig({
  test: {
    setupFiles: ['test/seed.ts'],
    // Titles are sentences: a value in one is not cut.
    taskTitleValueFormatTruncate: 0,
    // Real programs and browsers on a noisy machine: one more try where nobody watches, and the report says so.
    retry: process.env.CI === undefined ? 0 : 1,
    // Real servers, real renders and spawned programs on a small machine: generous, and never asserted on. Longer than
    // anything in a test is waited for, so that it is told what did not come.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests often wait for sockets and programs: four workers fit where there are two cores, and five where they mostly wait.
    maxWorkers: isRecorded ? 1 : Math.max(4, availableParallelism() - 1),
    maxConcurrency: isRecorded ? 1 : 12,
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: 'slow',
        description:
          'Minutes of work, or modules of its own: programs that are killed again and again, real browsers, pictures and videos in full size, long simulations. `npm test` leaves it out.',
      },
      {
        name: 'longest',
        description: 'Half a minute and longer: it begins first, so that it is not left alone at the end.',
      },
      ...NEEDS.map(({ name, description, isThere }) => ({
        name,
        description: `Needs ${description}, and is skipped without it.`,
        ...(!isThere && { skip: true }),
      })),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/{unit,adapters,contract,e2e}/**/*.test.ts'],
          exclude: slow,
          // Modules are loaded once in each worker, and not for each of hundreds of files.
          isolate: false,
          // A worker holds several hundred megabytes: with more room for young objects it collects less often.
          execArgv: ['--max-semi-space-size=64'],
          // Half a minute: longer than a test waits in vain for something, so that it says what did not come.
          testTimeout: patienceMs + 10_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
          globalSetup: ['test/needs.ts'],
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'long', include: ['test/long/**/*.test.ts'], maxWorkers, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
