import type { APIGatewaySessionStartLimit } from 'discord.js';
import { backoff } from '../../../base/backoff.ts';
import { sleep } from '../../../base/clock.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import type { DiscordContext } from '../rest/api.ts';

/**
 * Discord allows one identify in five seconds for each of `max_concurrency` groups of shards; the rest is for delays of the
 * network.
 */
const IDENTIFY_EVERY_MS = 5_250;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** A session that lasted this long ends the series of failures from which the pause grows. */
const STABLE_MS = 10 * 60_000;
/** Sessions that are never used: Discord resets the token of a bot that exceeds the limit. */
const RESERVED_SESSIONS = 20;

interface Shard {
  identifiedAt: number;
  /** How many sessions in a row ended early. */
  shortSessions: number;
  /** When the next identify may be sent. */
  notBefore: number | undefined;
}

/**
 * The library's `IIdentifyThrottler`. Discord allows 1,000 identifies a day, and the library identifies again at once after
 * a close, so sessions that are closed right after READY would use them up in hours. This throttler waits with exponential
 * backoff, and sends nothing when few identifies are left. All processes together keep Discord's pace: a process that
 * identifies holds a lock until the next identify is allowed. `exhausted` is called once each time that too few sessions
 * stop the bot.
 */
export function createIdentifyThrottler(
  { clock, members, stop }: Pick<DiscordContext, 'clock' | 'members' | 'stop'>,
  readLimit: () => Promise<APIGatewaySessionStartLimit>,
  exhausted: () => void,
) {
  const inTurn = createKeyedQueue();
  const shards = new Map<number, Shard>();
  let problem: string | undefined;

  const identifyPause = (shortSessions: number): number =>
    shortSessions === 0 ? 0 : backoff(shortSessions - 1, IDENTIFY_EVERY_MS, LONGEST_PAUSE_MS);

  const waitForSessions = async (signal: AbortSignal): Promise<number> => {
    for (;;) {
      // If the limit cannot be read, the backoff alone stays far below it.
      const known = await readLimit().catch(() => undefined);
      if (known === undefined || known.remaining > RESERVED_SESSIONS) {
        problem = undefined;
        return Math.max(1, known?.max_concurrency ?? 1);
      }
      const minutes = Math.ceil(known.reset_after / 60_000);
      if (problem === undefined) exhausted();
      problem = `Discord lets this bot connect only ${known.remaining} more times today: it connects again in ${minutes} min`;
      await sleep(clock, Math.max(known.reset_after, 60_000), signal);
    }
  };

  /** Resolves when a shard of this group may identify; the next shard of the group may do so after the pause. */
  const turnOf = async (group: number, signal: AbortSignal): Promise<void> => {
    const turn = Promise.withResolvers<void>();
    const closed = new AbortController();
    const giveUp = (): void => {
      closed.abort();
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const identify = async (ended: AbortSignal): Promise<void> => {
      // The lock is held for the whole pause, even if the connection closes meanwhile.
      signal.removeEventListener('abort', giveUp);
      turn.resolve();
      await sleep(clock, IDENTIFY_EVERY_MS, ended).catch(() => undefined);
    };
    const until = AbortSignal.any([closed.signal, stop]);
    // If the lock fails, the shard identifies without it: Discord itself refuses what comes too early.
    inTurn(String(group), () => members.hold(`discord-identify-${group}`, identify, until)).catch(
      turn.resolve,
    );
    return turn.promise;
  };

  return {
    /** Resolves when this shard may identify; rejects if `signal` aborts because its connection closes before that. */
    async waitForIdentify(shard: number, signal: AbortSignal): Promise<void> {
      const fresh = { identifiedAt: Number.NEGATIVE_INFINITY, shortSessions: 0, notBefore: undefined };
      const state: Shard = shards.get(shard) ?? fresh;
      shards.set(shard, state);
      if (state.notBefore === undefined) {
        const lasted = clock.now() - state.identifiedAt;
        state.shortSessions = lasted < STABLE_MS ? state.shortSessions + 1 : 0;
        state.notBefore = clock.now() + identifyPause(state.shortSessions);
      }
      if (state.notBefore > clock.now()) await sleep(clock, state.notBefore - clock.now(), signal);
      const group = shard % (await waitForSessions(signal));
      await turnOf(group, signal);
      state.identifiedAt = clock.now();
      state.notBefore = undefined;
    },
    /** Why no session can be started at the moment, if so. */
    trouble: () => problem,
  };
}
