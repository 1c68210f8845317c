import type { SessionInfo } from '@discordjs/ws';
import { z } from 'zod';
import { createRepeat, waitAtMost } from '../../../base/clock.ts';
import type { DiscordContext } from '../rest/api.ts';

/** Discord forgets a session within minutes; an attempt to resume it costs a second. */
const KEPT_MS = 15 * 60_000;
/** An older sequence only makes Discord repeat more events, so it is not written for each. */
const WRITE_EVERY_MS = 2_000;
const READ_WITHIN_MS = 2_000;

export const SESSION_PREFIX = 'session:';

const shape = z.object({
  sessionId: z.string().min(1),
  sequence: z.number().int().min(0),
  resumeURL: z.url({ protocol: /^wss?$/ }),
  shardId: z.number().int().min(0),
  shardCount: z.number().int().min(1),
  application: z.string().min(1),
});

/** A shard's session, and the application whose bot it belongs to. */
export interface ShardSession extends SessionInfo {
  readonly application: string;
}

export const readShardSession = (value: unknown): ShardSession | undefined => shape.safeParse(value).data;

type SessionStorage = Pick<DiscordContext, 'state' | 'clock' | 'log'>;

const keyOf = (shard: number): string => `${SESSION_PREFIX}${shard}`;

export async function findSession(
  { state, clock }: SessionStorage,
  shard: number,
): Promise<ShardSession | undefined> {
  const kept = await waitAtMost(clock, READ_WITHIN_MS, state.get(keyOf(shard))).catch(() => undefined);
  return readShardSession(kept);
}

/**
 * Writes where a shard's session has got to, so that the next process goes on there: from time to time and once more at the end,
 * while the shard `isHeld`. Returns what ends it.
 */
export function keepSession(
  { state, clock, log }: SessionStorage,
  shard: number,
  current: () => ShardSession | undefined,
  isHeld: () => boolean,
): () => Promise<void> {
  let written: ShardSession | undefined;
  const write = async (): Promise<void> => {
    const session = current();
    if (session === written || !isHeld()) return;
    const before = written;
    written = session;
    try {
      await (session === undefined ? state.delete(keyOf(shard)) : state.set(keyOf(shard), session, KEPT_MS));
    } catch (error) {
      written = before;
      log.warn({ err: error, shard }, 'the session with Discord could not be recorded');
    }
  };
  const writes = createRepeat(clock, WRITE_EVERY_MS, write);
  writes.start();
  // The one that is under way may have begun before the session got further.
  return () => writes.stop().then(write);
}
