import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patienceMs } from './test/eventually.ts';

/**
 * Minutes of work: programs that are killed again and again, real browsers, pictures and videos in full size, long simulations.
 * `npm test` leaves them out; `npm run test:all` has them all.
 */
const slow = [
  'test/e2e/faults/*.test.ts',
  'test/e2e/community/{aliases,ceilings}.test.ts',
  'test/e2e/{albums,at-rest,compare,embedded,endpoints,ephemeral,face-check,faces,filter-order,signals,telegram,uploads}.test.ts',
  'test/e2e/discord/{http,interactions,shards}.test.ts',
  'test/e2e/owner/{backup,move,start,support,tools}.test.ts',
  'test/e2e/browser/**/*.test.ts',
  'test/unit/faces/find.test.ts',
  'test/unit/generation-service/render/{filters,groups,picture,render-pool,scenes,video}.test.ts',
  'test/unit/generation-service/render/faces/expressions.test.ts',
  'test/unit/generation-service/jobs/jobs.test.ts',
  'test/unit/orchestrator/{deadlines,delivery,hostile-answers,model,outages,removal,store-trouble}.test.ts',
  'test/unit/orchestrator/{queue/line,queue/line-faults,schedule/durations,schedule/schedule}.test.ts',
  'test/unit/{media/compare,media/photo,picture/decoder}.test.ts',
  // It replaces modules, which the fast files share.
  'test/adapters/added-platform.test.ts',
  'test/adapters/{discord/burst,discord/interactions/http-endpoint,telegram/burst,web/visitor-shares,web/visitors/sessions}.test.ts',
  'test/unit/community/campaigns/crashes.test.ts',
  'test/unit/sign-in/login.test.ts',
  'test/unit/store/sqlite/{records/damaged-records,upgrade}.test.ts',
  'test/unit/store/postgres/members/**/*.test.ts',
  'test/unit/owner/{backup/**/*,doctor/postgres-check,move/**/*}.test.ts',
  'test/unit/store/postgres/inbox.test.ts',
  'test/contract/generation/client-endpoints.test.ts',
  'test/contract/store/{clocks-apart,postgres*,released,story}.test.ts',
];

/** Half a minute and longer: they begin first, so that none of them is left alone at the end. */
const longest = [
  'e2e/owner/{backup,tools}',
  'e2e/discord/{http,shards}',
  'e2e/faults/{campaign-programs,kill,kill-points,power-cut,restart,scale,store-file,takeover,thinking-kills}',
  'long/fuzz',
  'contract/{generation/client-endpoints,store/postgres}',
  'unit/faces/find',
  'unit/generation-service/jobs/jobs',
  'unit/generation-service/render/{groups,scenes,video}',
  'unit/orchestrator/{delivery,hostile-answers,model,outages}',
  'unit/{owner/backup/backup,store/postgres/members/members}',
].map((name) => `**/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      longest.some((name) => matchesGlob(moduleId, name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** What each test asks of the fakes (test/fakes/record-requests.ts): one after the other. */
const isRecorded = process.env.RECORD_REQUESTS !== undefined;

const maxWorkers = isRecorded ? 1 : Math.max(5, availableParallelism() - 1);

export default defineConfig({
  test: {
    setupFiles: ['test/seed.ts'],
    // Real programs and browsers on a noisy machine: one more try where nobody watches, and the report says so.
    retry: process.env.CI === undefined ? 0 : 1,
    // Real servers, real renders and spawned programs on a small machine: generous, and never asserted on. Longer than
    // anything in a test is waited for, so that it is told what did not come.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests often wait for programs: three workers fit where there are two cores, and five where they mostly wait.
    maxWorkers: isRecorded ? 1 : Math.max(3, availableParallelism() - 1),
    maxConcurrency: isRecorded ? 1 : 12,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/{unit,adapters,contract,e2e}/**/*.test.ts'],
          exclude: slow,
          // Modules are loaded once in each worker, and not for each of hundreds of files.
          isolate: false,
          // Half a minute: longer than a test waits in vain for something, so that it says what did not come.
          testTimeout: patienceMs + 10_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
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
