import {
  CloseCodes,
  DefaultWebSocketManagerOptions,
  type IIdentifyThrottler,
  WebSocketShard,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from '@discordjs/ws';
import {
  type APIGatewayBotInfo,
  type APIInteraction,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  SnowflakeUtil,
} from 'discord.js';
import { jitteredBackoff } from '../../../base/backoff.ts';
import { type Clock, sleep, waitAtMost } from '../../../base/clock.ts';
import type { ShardSession } from './shard-sessions.ts';

/** Unlike the ordinary codes 1000 and 1001, it leaves a session that can be resumed. */
const LEAVE_SESSION = CloseCodes.Resuming;
/** The socket's own code for a connection that broke off without a closing frame, or was never made. */
const BROKEN_OFF = 1006;
const CLOSE_WITHIN_MS = 3_000;
/** Between attempts that all fail. The library itself would try twice a second for ever. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Discord takes no answer after 3 seconds, and shows the person that; clocks differ a little. */
const MOST_REPLAYED_AGE_MS = 10_000;

/** The library does not connect again after these. */
const FINAL_CODES: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];

export interface ShardOptions {
  readonly id: number;
  readonly count: number;
  readonly token: string;
  readonly gateway: APIGatewayBotInfo;
  /** To be resumed. */
  readonly session: ShardSession | undefined;
  readonly clock: Clock;
  /** While it is not, another process may have the shard: no connection is made, which would take the session from it. */
  readonly isHeld: () => boolean;
  readonly identifyThrottler: IIdentifyThrottler;
  readonly connected: (application: string) => void;
  /** Not when Discord itself asks for another connection. */
  readonly disconnected: (reason: string) => void;
  /** `isRepeated`: Discord sends it again after a connection was lost. */
  readonly interaction: (interaction: APIInteraction, isRepeated: boolean) => void;
}

/**
 * One shard's connection. The library keeps it alive and resumes it; it caches nothing. It is a `WebSocketShard` without the library's
 * `WebSocketManager`, because that one's `connect()` throws where no identify is left, though every session could be resumed, and it
 * cannot take over or give up one of its shards: all of them connect and end together.
 */
export function openShard(options: ShardOptions) {
  const { id, count, gateway, clock } = options;
  let session = options.session?.shardCount === count ? options.session : undefined;
  const closing = new AbortController();
  const refused = Promise.withResolvers<number>();
  /** Attempts in a row that did not lead to a session. */
  let failures = 0;
  /** What the library said of the connection that is about to close. */
  let problem: string | undefined;
  /** What Discord sends before it says that a session is resumed happened before that. */
  let isReplaying = true;
  /** The library connects again when it is closed while it connects: it is kept waiting. */
  const never = new Promise<never>(() => undefined);
  /** The library asks for the session before it connects. */
  const mayConnect = async (): Promise<void> => {
    const pause =
      failures === 0 ? 0 : jitteredBackoff(failures - 1, Math.random(), FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    failures += 1;
    if (pause > 0) await sleep(clock, pause, closing.signal).catch(() => undefined);
    while (!options.isHeld() && !closing.signal.aborted)
      await sleep(clock, FIRST_PAUSE_MS, closing.signal).catch(() => undefined);
  };

  const shard = new WebSocketShard(
    {
      options: {
        ...DefaultWebSocketManagerOptions,
        token: options.token,
        // Interactions need no intent.
        intents: 0,
        shardCount: count,
        gatewayInformation: gateway,
      },
      async retrieveSessionInfo() {
        if (shard.status === WebSocketShardStatus.Idle) await mayConnect();
        return closing.signal.aborted ? never : (session ?? null);
      },
      updateSessionInfo(_shard, info) {
        if (info !== null) session = { ...info, application: session?.application ?? '' };
        else if (!closing.signal.aborted) session = undefined;
      },
      waitForIdentify: (shardId, signal) => options.identifyThrottler.waitForIdentify(shardId, signal),
    },
    id,
  );

  const connected = (application: string): void => {
    failures = 0;
    options.connected(application);
  };

  shard.on(WebSocketShardEvents.Ready, ({ data }) => {
    if (session !== undefined) session = { ...session, application: data.application.id };
    connected(data.application.id);
  });
  shard.on(WebSocketShardEvents.Resumed, () => connected(session?.application ?? ''));
  shard.on(WebSocketShardEvents.Closed, ({ code }) => {
    isReplaying = true;
    if (closing.signal.aborted) return;
    if (FINAL_CODES.includes(code)) refused.resolve(code);
    else if (code !== LEAVE_SESSION) options.disconnected(problem ?? reasonOf(code));
    problem = undefined;
  });
  shard.on(WebSocketShardEvents.Error, ({ error }) => {
    problem = error.message;
  });
  shard.on(WebSocketShardEvents.Dispatch, ({ data }) => {
    if (data.t === GatewayDispatchEvents.Ready || data.t === GatewayDispatchEvents.Resumed)
      isReplaying = false;
    if (data.t !== GatewayDispatchEvents.InteractionCreate) return;
    const age = clock.now() - SnowflakeUtil.timestampFrom(data.d.id);
    if (!isReplaying || age < MOST_REPLAYED_AGE_MS) options.interaction(data.d, isReplaying);
  });
  // What goes wrong is an event, too.
  shard.connect().catch(() => undefined);

  return {
    session: () => session,
    /** Resolves with the code if the library does not connect any more. */
    refused: refused.promise,
    /** Leaves a session that can be resumed. Events that arrived before have been forwarded. */
    async close(): Promise<void> {
      closing.abort();
      const closed = shard.destroy({ code: LEAVE_SESSION }).catch(() => undefined);
      // The library's clean-up can fail to end when it was connecting.
      await waitAtMost(clock, CLOSE_WITHIN_MS, closed);
    },
  };
}

function reasonOf(code: number): string {
  return code === BROKEN_OFF ? 'it cannot be reached, or broke off' : `it was closed with code ${code}`;
}
