import { expect, test } from 'vitest';
import { createIdentifyThrottler } from '../../../../src/adapters/discord/gateway/identify-throttler.ts';
import { keepSession, type ShardSession } from '../../../../src/adapters/discord/gateway/shard-sessions.ts';
import { createLog } from '../../../../src/log/log.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createRecords, recordsWith } from '../../../fakes/records.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

const day = 24 * 3_600_000;

const open = (remaining = 1_000) => {
  const clock = createFakeClock();
  const limit = { total: 1_000, remaining, reset_after: 3_600_000, max_concurrency: 1 };
  const exhausted: number[] = [];
  const { signal } = new AbortController();
  const parts = { clock, members: soleMember, stop: signal };
  const readLimit = async () => limit;
  const throttler = createIdentifyThrottler(parts, readLimit, () => exhausted.push(clock.now()));
  return {
    clock,
    throttler,
    limit,
    exhausted,
    wait: (shard = 0) => throttler.waitForIdentify(shard, signal),
  };
};

test('failing sessions use at most a tenth of the daily limit', async () => {
  const { clock, wait } = open();
  let identifies = 0;
  const end = clock.now() + day;

  const loop = (async () => {
    while (clock.now() < end) {
      await wait();
      identifies += 1;
    }
  })();
  for (let hour = 0; hour < 25; hour += 1) await clock.advance(3_600_000);
  await loop;

  expect(identifies).toBeGreaterThan(50);
  expect(identifies).toBeLessThan(120);
});

test('a lasting session resets the pauses, and shards pause independently', async () => {
  const { clock, wait } = open();

  for (let count = 0; count < 6; count += 1) {
    const turn = wait();
    await clock.advance(200_000);
    await turn;
  }
  const other = wait(1);
  await clock.advance(5_000);
  await other;
  await clock.advance(3_600_000);
  const begun = clock.now();
  const turn = wait();
  await clock.advance(5_000);
  await turn;

  expect(clock.now() - begun).toBeLessThanOrEqual(5_000);
});

test('a connection that closes while it waits does not start a new pause', async () => {
  const { clock, throttler, wait } = open();

  await wait();
  const closed = new AbortController();
  const gaveUp = throttler.waitForIdentify(0, closed.signal).catch(() => 'closed');
  await clock.advance(3_000);
  closed.abort();

  expect(await gaveUp).toBe('closed');

  const turn = wait();
  await clock.advance(2_250);
  await turn;
});

test('the place that a session reached while its state was being written is written in the end', async () => {
  const clock = createFakeClock();
  const written: unknown[] = [];
  const first = Promise.withResolvers<boolean>();
  const state = recordsWith(createRecords(), {
    set(_key, session) {
      written.push(session);
      return written.length === 1 ? first.promise : Promise.resolve(true);
    },
  });
  let session = { sequence: 1 } as ShardSession;
  const parts = { state, clock, log: createLog({ level: 'silent', secrets: [] }) };
  const current = () => session;
  const isHeld = () => true;
  const end = keepSession(parts, 0, current, isHeld);

  await clock.advance(60_000);
  expect(written).toEqual([{ sequence: 1 }]);

  session = { ...session, sequence: 2 };
  const ended = end();
  first.resolve(true);
  await ended;

  expect(written).toEqual([{ sequence: 1 }, { sequence: 2 }]);
});
