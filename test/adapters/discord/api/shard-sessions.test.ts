import { expect, it } from 'vitest';
import {
  createShardSessions,
  type ShardSession,
} from '../../../../src/adapters/discord/api/shard-sessions.ts';
import { createLog } from '../../../../src/log/log.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

it('what a session got to while it was written is written in the end', async () => {
  const clock = createFakeClock();
  const written: unknown[] = [];
  const first = Promise.withResolvers<boolean>();
  const state = {
    get: async () => undefined,
    set(_key: string, session: unknown) {
      written.push(session);
      return written.length === 1 ? first.promise : Promise.resolve(true);
    },
    delete: async () => true,
    update: async () => undefined,
  };
  let session = { sequence: 1 } as ShardSession;
  const sessions = createShardSessions({ state, clock, log: createLog({ level: 'silent', secrets: [] }) });
  const kept = sessions.keep(
    0,
    () => session,
    () => true,
  );
  await clock.advance(60_000);
  expect(written).toEqual([{ sequence: 1 }]);
  session = { ...session, sequence: 2 };
  const ended = kept.end();
  first.resolve(true);
  await ended;
  expect(written).toEqual([{ sequence: 1 }, { sequence: 2 }]);
});
