import { expect, it } from 'vitest';
import { createBatchErasure } from '../../../../src/orchestrator/engine/job-removal.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

it('goes through the records again for whoever asks while the last batch is under way', async () => {
  const batches: PromiseWithResolvers<{ jobs: number; left: boolean }>[] = [];
  const { run } = createBatchErasure({
    clock: createFakeClock(),
    log: { warn: () => undefined },
    pending: async () => [],
    more() {
      const batch = Promise.withResolvers<{ jobs: number; left: boolean }>();
      batches.push(batch);
      return batch.promise;
    },
  });
  const first = run('ann');
  // What was stored since then is to go too, and that batch may not have seen it.
  const second = run('ann');
  batches[0]?.resolve({ jobs: 2, left: false });
  expect(await first).toBe(2);
  batches[1]?.resolve({ jobs: 1, left: false });
  expect(await second).toBe(3);
  const third = run('ann');
  batches[2]?.resolve({ jobs: 0, left: false });
  expect(await third).toBe(0);
});

it('goes on with what another process has left, and leaves to it what it is at', async () => {
  const clock = createFakeClock();
  const pending = new Set<string>();
  const batches: string[] = [];
  let isReadable = true;
  const erasing = createBatchErasure({
    clock,
    log: { warn: () => undefined },
    pending: async () => {
      if (!isReadable) throw new Error('Connection terminated');
      return [...pending];
    },
    async more(who) {
      batches.push(who);
      pending.delete(who);
      return { jobs: 1, left: false };
    },
  });
  await erasing.start();
  pending.add('quick').add('left');
  await clock.advance(5_000);
  pending.delete('quick');
  expect(batches).toEqual([]);
  isReadable = false;
  await clock.advance(5_000);
  isReadable = true;
  await clock.advance(5_000);
  expect(batches).toEqual(['left']);
  erasing.stop();
  expect(clock.pending).toBe(0);
});
