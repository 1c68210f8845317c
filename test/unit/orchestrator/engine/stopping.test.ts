import { expect, it, onTestFinished } from 'vitest';
import { createBatchErasure } from '../../../../src/orchestrator/engine/job-removal.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createWorld } from '../world.ts';

const turns = () => new Promise((done) => setImmediate(done));

it('waits for a round of housekeeping, which would otherwise meet a closed store', async () => {
  const sweep = Promise.withResolvers<boolean>();
  const world = await createWorld({ sweep: () => sweep.promise });
  onTestFinished(() => world.close());
  await world.clock.advance(1_000);
  let isStopped = false;
  const stopped = world.orchestrator.stop().then(() => {
    isStopped = true;
  });
  await turns();
  expect(isStopped).toBe(false);
  sweep.resolve(true);
  await stopped;
  expect(world.warnings).toEqual([]);
});

it('waits for a batch of what is erased', async () => {
  const clock = createFakeClock();
  const batch = Promise.withResolvers<{ jobs: number; left: boolean }>();
  const warnings: unknown[] = [];
  const erasing = createBatchErasure({
    clock,
    log: { warn: (...words: readonly unknown[]) => void warnings.push(words) },
    more: () => batch.promise,
    pending: async () => [],
  });
  void erasing.run('web:ann');
  let isStopped = false;
  const stopped = Promise.resolve(erasing.stop()).then(() => {
    isStopped = true;
  });
  await turns();
  expect(isStopped).toBe(false);
  batch.resolve({ jobs: 1, left: true });
  await stopped;
  expect(warnings).toEqual([]);
});
