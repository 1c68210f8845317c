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

/** A close with this code keeps the session, so that it can be resumed; codes 1000 and 1001 would end it. */
const LEAVE_SESSION = CloseCodes.Resuming;
/** The WebSocket code for a connection that ended without a close frame, or was never made. */
const BROKEN_OFF = 1006;
const CLOSE_WITHIN_MS = 3_000;
/** The pause after the first failed attempt; the library itself would try twice a second for ever. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/**
 * Older interactions of a replay are dropped: Discord accepts no answer after 3 seconds; the rest is for clocks that differ.
 */
const MOST_REPLAYED_AGE_MS = 10_000;

/** The close codes after which the library does not connect again. */
const FINAL_CODES: readonly number[] = [
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
];

/** The settings of one shard's connection, and the callbacks for its events. */
export interface ShardOptions {
  readonly id: number;
  readonly count: number;
  readonly token: string;
  readonly gateway: APIGatewayBotInfo;
  /** The session to resume, if one is known. */
  readonly session: ShardSession | undefined;
  readonly clock: Clock;
  /**
   * While false, another process may have this shard, so no connection is made, which would take the session from that
   * process.
   */
  readonly isHeld: () => boolean;
  readonly identifyThrottler: IIdentifyThrottler;
  readonly connected: (application: string) => void;
  /** Called when the connection is lost, except when Discord itself asks the shard to reconnect. */
  readonly disconnected: (reason: string) => void;
  /** `isRepeated`: Discord replays this interaction after a lost connection. */
  readonly interaction: (interaction: APIInteraction, isRepeated: boolean) => void;
}

/**
 * Connects one shard with the library's `WebSocketShard`, which sends heartbeats and resumes the session. The library's
 * `WebSocketManager` is not used, because its `connect()` throws when no identify is left, although every session could be
 * resumed, and because all of its shards connect and end together, so that it cannot take over or give up one of them.
 */
export function openShard(options: ShardOptions) {
  const { id, count, gateway, clock } = options;
  let session = options.session?.shardCount === count ? options.session : undefined;
  const closing = new AbortController();
  const refused = Promise.withResolvers<number>();
  /** How many attempts in a row did not lead to a session. */
  let failures = 0;
  /** The library's last error of the connection that is about to close. */
  let problem: string | undefined;
  /** True until READY or RESUMED: events that Discord sends before that are replayed from the time without a connection. */
  let isReplaying = true;
  /** Keeps the library waiting after `close`, because it connects again when it is closed while it connects. */
  const never = new Promise<never>(() => undefined);
  /**
   * Delays a connection until it may be made; called from `retrieveSessionInfo`, which the library awaits before it
   * connects.
   */
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
  // Errors of `connect` are ignored, because the library emits them as events as well.
  shard.connect().catch(() => undefined);

  return {
    session: () => session,
    /** Resolves with the close code after which the library does not connect again. */
    refused: refused.promise,
    /** Closes the connection and keeps the session, so that it can be resumed. Events that arrived before are forwarded. */
    async close(): Promise<void> {
      closing.abort();
      const closed = shard.destroy({ code: LEAVE_SESSION }).catch(() => undefined);
      // `destroy` may never resolve if the library was connecting.
      await waitAtMost(clock, CLOSE_WITHIN_MS, closed);
    },
  };
}

function reasonOf(code: number): string {
  return code === BROKEN_OFF ? 'it cannot be reached, or broke off' : `it was closed with code ${code}`;
}
