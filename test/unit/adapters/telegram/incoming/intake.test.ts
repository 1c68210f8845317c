import { expect, test } from 'vitest';
import { createUpdateLedger } from '../../../../../src/adapters/telegram/api/update-ledger.ts';
import { createIntake } from '../../../../../src/adapters/telegram/incoming/intake.ts';
import { createWebhook } from '../../../../../src/adapters/telegram/incoming/webhook.ts';
import { createLog } from '../../../../../src/log/log.ts';
import { createFakeClock } from '../../../../fakes/clock.ts';
import { createRecords, withUpdate } from '../../../../fakes/records.ts';

test('a total limit applies last, and readiness reports when nothing more is accepted', async () => {
  const clock = createFakeClock();
  const logged: string[] = [];
  const work = Promise.withResolvers<void>();
  const intake = createIntake({
    ledger: createUpdateLedger(createRecords(), clock),
    log: createLog({ level: 'warn', secrets: [], stream: { write: (text) => logged.push(text) } }),
    handle: () => work.promise,
  });
  const secret = 'a-secret';
  const webhook = createWebhook({ secret, intake, clock, closed: () => false });
  const post = async (): Promise<number> => {
    const headers = { 'x-telegram-bot-api-secret-token': secret };
    const body = JSON.stringify({ update_id: 5_000 });
    return (await webhook(new Request('http://127.0.0.1/', { method: 'POST', headers, body }))).status;
  };
  for (let update_id = 0; update_id < 2_000; update_id += 1) void intake.take({ update_id });
  expect(intake.overload()).toBeUndefined();
  void intake.take({ update_id: 2_000 });
  expect(intake.overload()).toContain('no more are accepted');
  expect(await post()).toBe(503);
  expect(logged).toHaveLength(1);
  work.resolve();
  await clock.advance(1_000);
  expect(intake.overload()).toBeUndefined();
  expect(await post()).toBe(200);
  await clock.advance(1_000);
});

test('many updates are stored in two writes, not one each', async () => {
  const store = createRecords();
  let writes = 0;
  const ledger = createUpdateLedger(
    withUpdate({
      get: <T>(key: string) => store.get<T>(key),
      delete: (key: string) => store.delete(key),
      set: (key: string, value: unknown, ttl?: number) => {
        writes += 1;
        return store.set(key, value, ttl);
      },
    }),
    createFakeClock(),
  );
  await Promise.all(Array.from({ length: 1_000 }, (_, update_id) => ledger.keep([{ update_id }])));
  expect(writes).toBeLessThanOrEqual(2);
  expect(await createUpdateLedger(store, createFakeClock()).kept()).toHaveLength(1_000);
});

test('what an earlier process stored stays, though the webhook brings more before it is taken up', async () => {
  const store = createRecords();
  const clock = createFakeClock();
  const ids = async (ledger = createUpdateLedger(store, clock)): Promise<readonly number[]> =>
    (await ledger.kept()).map(({ update_id }) => update_id);
  await createUpdateLedger(store, clock).keep([{ update_id: 1 }, { update_id: 2 }]);
  const next = createUpdateLedger(store, clock);
  await next.keep([{ update_id: 3 }]);
  expect(await ids()).toEqual([1, 2, 3]);
  const handled = next.handled(3);
  await clock.advance(100);
  await handled;
  expect(await ids()).toEqual([1, 2]);
  expect(await ids(next)).toEqual([1, 2]);
});
