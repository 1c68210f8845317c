import { backoff } from '../../../base/backoff.ts';
import { type Clock, sleep } from '../../../base/clock.ts';

/** What Discord says of the sessions that a bot may still begin (`session_start_limit`). */
export interface SessionLimit {
  readonly total: number;
  readonly remaining: number;
  /** Milliseconds. */
  readonly reset_after: number;
  readonly max_concurrency: number;
}

export interface IdentifyPacing {
  /** Settles when this shard may identify; aborted when its connection closes before that. */
  wait(shard: number, limit: () => Promise<SessionLimit>, signal: AbortSignal): Promise<void>;
  /** Why no session is begun for now. */
  trouble(): string | undefined;
}

/** One identify in five seconds for each of `max_concurrency` groups of shards. */
const SPACING = 5_000;
const LONGEST_PAUSE = 15 * 60_000;
/** A session that lasted this long ended for another reason than the one before it. */
const STABLE = 10 * 60_000;
/** Left for the owner: Discord resets the token of a bot that needs more than it may. */
const RESERVE = 20;

interface Shard {
  identifiedAt: number;
  /** Sessions in a row that ended early. */
  short: number;
  /** The time that was set for an identify which has not been sent yet. */
  notBefore: number | undefined;
}

/**
 * Discord allows 1,000 identifies a day. The library identifies again at once after a close, so a session that is closed
 * straight after READY would use them up in hours: here the pause grows, and nothing is sent when few are left.
 */
export const createIdentifyPacing = (options: {
  readonly clock: Clock;
  /** Few are left: told once each time that this stops the bot. */
  readonly exhausted: () => void;
}): IdentifyPacing => {
  const { clock } = options;
  const shards = new Map<number, Shard>();
  const freeAt = new Map<number, number>();
  let problem: string | undefined;

  const stateOf = (shard: number): Shard => {
    const known = shards.get(shard);
    if (known) return known;
    const fresh = { identifiedAt: Number.NEGATIVE_INFINITY, short: 0, notBefore: undefined };
    shards.set(shard, fresh);
    return fresh;
  };

  const pauseAfter = (short: number): number =>
    short === 0 ? 0 : backoff(short - 1, SPACING, LONGEST_PAUSE);

  const untilThereAreEnough = async (
    limit: () => Promise<SessionLimit>,
    signal: AbortSignal,
  ): Promise<number> => {
    for (;;) {
      // Unknown is no reason to stay away: the growing pause alone keeps far below the limit.
      const known = await limit().catch(() => undefined);
      if (known === undefined || known.remaining > RESERVE) {
        problem = undefined;
        return Math.max(1, known?.max_concurrency ?? 1);
      }
      const minutes = Math.ceil(known.reset_after / 60_000);
      if (problem === undefined) options.exhausted();
      problem = `Discord lets this bot connect only ${known.remaining} more times today: it connects again in ${minutes} min`;
      await sleep(clock, Math.max(known.reset_after, 60_000), signal);
    }
  };

  return {
    async wait(shard, limit, signal) {
      const state = stateOf(shard);
      if (state.notBefore === undefined) {
        const lasted = clock.now() - state.identifiedAt;
        state.short = lasted < STABLE ? state.short + 1 : 0;
        state.notBefore = clock.now() + pauseAfter(state.short);
      }
      if (state.notBefore > clock.now()) await sleep(clock, state.notBefore - clock.now(), signal);
      const group = shard % (await untilThereAreEnough(limit, signal));
      const turn = Math.max(clock.now(), freeAt.get(group) ?? 0);
      freeAt.set(group, turn + SPACING);
      if (turn > clock.now()) await sleep(clock, turn - clock.now(), signal);
      state.identifiedAt = clock.now();
      state.notBefore = undefined;
    },
    trouble: () => problem,
  };
};
