import { expect, it } from 'vitest';
import { createRetryAfterLoss } from '../../../src/app/retry-after-loss.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createTestCore } from '../../fakes/core.ts';
import { soleMember } from '../../fakes/sole-member.ts';

const cut = new Error('the connection was cut');
const isConnectionLoss = (error: unknown): boolean => error === cut;
const command = {
  event: 'event-1',
  caller: { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' },
  place: { platform: 'web', community: 'web:room', channel: 'room', direct: false },
  command: 'faceswap',
  given: { photo: { from: 'web', ref: 'photo' }, prompt: 'a red balloon', gender: 'female' },
} as const;

/** A core whose store loses its connection after each of the first `failures` jobs was written. */
const coreThatFails = async (failures: number, error: Error) => {
  let writes = 0;
  return await createTestCore({
    shared: { members: soleMember, isConnectionLoss },
    async onDisk() {
      writes += 1;
      if (writes <= failures) throw error;
    },
  });
};

it('a command whose store was away for a moment is handled once more, and makes one job', async () => {
  const core = await coreThatFails(2, cut);
  expect(await core.desk.command(command)).toMatchObject({ kind: 'card' });
  expect(core.errors).toEqual([]);
  expect((await core.state(['web:room'])).match(/"action":"job"/g)).toHaveLength(1);
  await core.close();
});

it.each([
  ['stays away', 3, cut],
  ['fails in another way', 1, new Error('no space left')],
])('people are told when the store %s', async (_, failures, error) => {
  const core = await coreThatFails(failures, error);
  expect(await core.desk.command(command)).toMatchObject({ kind: 'message', view: { tone: 'failed' } });
  expect(core.errors).toHaveLength(1);
  await core.close();
});

it('waits for the session, all together, and not for ever', async () => {
  const clock = createFakeClock();
  let isAlive = false;
  const retry = createRetryAfterLoss({ isConnectionLoss }, { isAlive: () => isAlive }, clock);
  await expect(retry(() => Promise.reject(new Error('something else')))).rejects.toThrow('something else');
  let runs = 0;
  const work = async (): Promise<number> => {
    runs += 1;
    if (!isAlive) throw cut;
    return runs;
  };
  const results = [retry(work), retry(work)];
  await clock.advance(5_000);
  expect(runs).toBe(2);
  isAlive = true;
  await clock.advance(250);
  expect((await Promise.all(results)).toSorted()).toEqual([3, 4]);
  isAlive = false;
  const late = expect(retry(work)).rejects.toBe(cut);
  await clock.advance(10_000);
  await late;
});
