import type { SessionInfo } from '@discordjs/ws';
import { z } from 'zod';
import { createRepeat, waitAtMost } from '../../../base/clock.ts';
import type { DiscordContext } from '../rest/api.ts';

/** How long a session is stored: Discord forgets it within minutes, and a futile attempt to resume it takes a second. */
const KEPT_MS = 15 * 60_000;
/** The sequence is not written at each event, because an older one only makes Discord replay more events. */
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

/** A shard's session at Discord, and the application that it belongs to. */
export interface ShardSession extends SessionInfo {
  readonly application: string;
}

export const readShardSession = (value: unknown): ShardSession | undefined => shape.safeParse(value).data;

type SessionStorage = Pick<DiscordContext, 'state' | 'clock' | 'log'>;

const keyOf = (shard: number): string => `${SESSION_PREFIX}${shard}`;

/** Reads the session that this or another process stored for a shard. */
export async function findSession(
  { state, clock }: SessionStorage,
  shard: number,
): Promise<ShardSession | undefined> {
  const kept = await waitAtMost(clock, READ_WITHIN_MS, state.get(keyOf(shard))).catch(() => undefined);
  return readShardSession(kept);
}

/**
 * Stores a shard's session every two seconds while the shard `isHeld`, so that the next process can resume it. Returns the
 * function that ends this and writes the session a last time.
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
  // A write in progress may have begun before the last event, so the session is written once more.
  return () => writes.stop().then(write);
}
