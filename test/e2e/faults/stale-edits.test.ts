import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createTestDatabase, postgresUrl } from '../../fakes/postgres.ts';
import { orderOf } from '../../unit/orchestrator/world.ts';
import { startInProcess } from './scale/in-process.ts';

it.skipIf(postgresUrl === undefined)(
  'a process that others may take for dead edits no card until it is one of them again',
  async () => {
    await using opened = new AsyncDisposableStack();
    const database = opened.use(await createTestDatabase());
    const clock = createFakeClock();
    let isAlive = true;
    let draws = 0;
    const { orchestrator } = await startInProcess(opened, database.url, {
      clock,
      isAlive: () => isAlive,
      async draw() {
        draws += 1;
        return { state: 'drawn' };
      },
      status: async () => ({ state: 'running' }),
    });
    const { job } = await orchestrator.accept(orderOf('ann'));
    await orchestrator.shown(job.id, { platform: 'web', ref: 'card' });
    const isDrawn = async (): Promise<boolean> => {
      const before = draws;
      await clock.advance(1_000);
      return draws > before;
    };
    await eventually(isDrawn, 'progress');
    isAlive = false;
    for (let second = 0; second < 60; second += 1) {
      expect(await isDrawn()).toBe(false);
      // The store answers all the time.
      await orchestrator.get(job.id);
    }
    isAlive = true;
    await eventually(isDrawn, 'progress again');
  },
);
