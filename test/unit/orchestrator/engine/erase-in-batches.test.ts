import { expect, it } from 'vitest';
import { createBatchErasure } from '../../../../src/orchestrator/engine/erase-in-batches.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

it('goes through the records again for whoever asks while the last batch is under way', async () => {
  const batches: PromiseWithResolvers<{ jobs: number; left: boolean }>[] = [];
  const { run } = createBatchErasure({
    clock: createFakeClock(),
    log: { warn: () => undefined },
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
