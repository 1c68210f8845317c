import {
  type APIInteraction,
  Client,
  type ClientOptions,
  Events,
  GatewayDispatchEvents,
  Options,
  Status,
} from 'discord.js';
import { backoff } from '../../../base/backoff.ts';
import { type Clock, waitAtMost } from '../../../base/clock.ts';
import type { Log } from '../../../log/log.ts';
import { TOKEN_REFUSED, UNREACHABLE } from './fault.ts';
import { createIdentifyPacing } from './identify-pacing.ts';
import { restOptions } from './requests.ts';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** `start` waits this long for the connection, which then continues in the background. */
const READY_WITHIN_MS = 10_000;
/** Direct message channels that the library may cache before they are removed. */
const MOST_CACHED_CHANNELS = 2_000;

/** The connection that interactions arrive on. It keeps no state that another shard would need. */
export function createGateway(options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly ready: (application: string) => void;
  readonly interaction: (interaction: APIInteraction) => void;
  /** Too few sessions are left today to keep connecting. */
  readonly sessionsExhausted?: () => void;
}) {
  const { clock, log } = options;
  let client: Client | undefined;
  let problem: string | undefined = 'not connected to Discord yet';
  let failures = 0;
  let stopped = false;
  let cancelRetry = (): void => {};
  /** Shared by all clients, which replace each other. */
  const pacing = createIdentifyPacing({
    clock,
    exhausted() {
      log.error('few sessions are left today; connecting waits until Discord allows more');
      options.sessionsExhausted?.();
    },
  });

  const settings: ClientOptions = {
    // Interactions need no intent.
    intents: [],
    shards: 'auto',
    allowedMentions: { parse: [] },
    rest: restOptions(options.apiUrl),
    ws: {
      buildIdentifyThrottler: (manager) => ({
        waitForIdentify: (shard, signal) =>
          pacing.wait(
            shard,
            async () => (await manager.fetchGatewayInformation(true)).session_start_limit,
            signal,
          ),
      }),
    },
    // Raw events are used, so the library's caches are not needed.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      GuildMemberManager: 0,
      UserManager: { maxSize: 200, keepOverLimit: (user) => user.id === user.client.user.id },
      DMMessageManager: 0,
    }),
  };

  const retry = (reason: string): void => {
    // Each reason is a warning once.
    const level = reason === problem ? 'debug' : 'warn';
    problem = reason;
    if (stopped) return;
    const pause = backoff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
    failures += 1;
    log[level]({ inMs: Math.round(pause) }, `${reason}; reconnecting`);
    cancelRetry();
    cancelRetry = clock.after(pause, () => void connect());
  };

  const discard = async (): Promise<void> => {
    const old = client;
    client = undefined;
    old?.removeAllListeners();
    // The library's clean-up can fail on a connection that was never made; that does not matter.
    old?.on(Events.Error, () => undefined);
    await old?.destroy().catch(() => undefined);
  };

  const listen = (fresh: Client): void => {
    /** Shards that closed after their last READY: the library may still report them as ready. */
    const disconnected = new Set<number>();
    const reconnected = (_data: unknown, shard: number): void => void disconnected.delete(shard);
    fresh.ws.on(GatewayDispatchEvents.Ready, reconnected);
    fresh.ws.on(GatewayDispatchEvents.Resumed, reconnected);
    fresh.on(Events.ClientReady, (ready) => {
      if (disconnected.size === 0) problem = undefined;
      failures = 0;
      log.info({ shards: ready.ws.shards.size }, 'connected to Discord');
      options.ready(ready.application.id);
    });
    const clearTrouble = (): void => {
      const allReady = fresh.ws.shards.every((shard) => shard.status === Status.Ready);
      if (allReady && disconnected.size === 0) problem = undefined;
    };
    fresh.on(Events.ShardResume, clearTrouble);
    fresh.on(Events.ShardReady, clearTrouble);
    fresh.on(Events.ShardReconnecting, (shard) => {
      disconnected.add(shard);
      problem = `the connection to Discord was lost (shard ${shard})`;
    });
    fresh.on(Events.ShardDisconnect, (event) => {
      if (fresh === client) void discard().then(() => retry(closeReason(event.code)));
    });
    fresh.on(Events.ShardError, (error) =>
      log.warn({ err: error }, 'the connection to Discord had an error'),
    );
    fresh.on(Events.Error, (error) => log.warn({ err: error }, 'the Discord library had an error'));
    fresh.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
      if (fresh.channels.cache.size > MOST_CACHED_CHANNELS)
        fresh.channels.cache.sweep((channel) => channel.isDMBased());
      if (fresh === client && !stopped) options.interaction(interaction);
    });
  };

  const connect = async (): Promise<void> => {
    await discard();
    if (stopped) return;
    const fresh = new Client(settings);
    client = fresh;
    listen(fresh);
    const ready = new Promise<void>((resolve) => fresh.once(Events.ClientReady, () => resolve()));
    const attempt = fresh
      .login(options.token)
      .then(() => ready)
      .catch(async (error: unknown) => {
        if (fresh !== client) return;
        await discard();
        retry(connectFailure(error));
      });
    // Discord can make a session wait for hours; `start` does not.
    await waitAtMost(clock, READY_WITHIN_MS, attempt);
  };

  return {
    /** Resolves after the first attempt, successful or not; retries continue in the background. */
    start: connect,
    async stop(): Promise<void> {
      stopped = true;
      cancelRetry();
      await discard();
    },
    trouble: () => pacing.trouble() ?? problem,
  };
}

function connectFailure(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'TokenInvalid') return TOKEN_REFUSED;
  // The library checks this at the first connection only.
  if (error instanceof Error && error.message.startsWith('Not enough sessions remaining'))
    return 'Discord allows this bot no more connections today';
  return UNREACHABLE;
}

function closeReason(code: number): string {
  if (code === 4004) return TOKEN_REFUSED;
  if (code === 4013 || code === 4014) return 'Discord refuses the intents of this bot';
  return `Discord closed the connection (code ${code})`;
}
