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
import { tokenRefused } from './fault.ts';
import { createIdentifyPacing } from './identify-pacing.ts';
import { restOptions } from './requests.ts';

/** The connection over which Discord tells us what people do. It keeps nothing that another shard would need. */
export interface Gateway {
  /** Resolves after the first attempt, whether it succeeded or not: later ones go on by themselves. */
  start(): Promise<void>;
  stop(): Promise<void>;
  trouble(): string | undefined;
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 5 * 60_000;
/** A start waits no longer than this for the connection; it comes about in the background then. */
const READY_WITHIN = 10_000;
/** Channels of direct messages that the library may keep before they are swept out. */
const CHANNELS = 2_000;

export const createGateway = (options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly ready: (application: string) => void;
  readonly interaction: (interaction: APIInteraction) => void;
  /** Too few sessions are left today to go on connecting: only the owner can find out why. */
  readonly sessionsExhausted: () => void;
}): Gateway => {
  const { clock, log } = options;
  let client: Client | undefined;
  let problem: string | undefined = 'not connected to Discord yet';
  let failures = 0;
  let stopped = false;
  let cancelRetry = (): void => {};
  /** One for all clients that follow each other. */
  const pacing = createIdentifyPacing({
    clock,
    exhausted() {
      log.error('few sessions are left today; connecting waits until Discord allows more');
      options.sessionsExhausted();
    },
  });

  const settings: ClientOptions = {
    // Interactions come without any intent; nothing else is listened to.
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
    // We work on the events themselves: nothing that the library would remember is used.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      GuildMemberManager: 0,
      UserManager: { maxSize: 200, keepOverLimit: (user) => user.id === user.client.user.id },
      DMMessageManager: 0,
    }),
  };

  const retry = (reason: string): void => {
    // Told once; trying in vain again and again is no news.
    const level = reason === problem ? 'debug' : 'warn';
    problem = reason;
    if (stopped) return;
    const pause = backoff(failures, FIRST_PAUSE, LONGEST_PAUSE) * (0.5 + Math.random() / 2);
    failures += 1;
    log[level]({ inMs: Math.round(pause) }, `${reason}; reconnecting`);
    cancelRetry();
    cancelRetry = clock.after(pause, () => void connect());
  };

  const discard = async (): Promise<void> => {
    const old = client;
    client = undefined;
    old?.removeAllListeners();
    // The library's own clean-up may fail on a connection that never came about; nothing hangs on it.
    old?.on(Events.Error, () => undefined);
    await old?.destroy().catch(() => undefined);
  };

  const listen = (fresh: Client): void => {
    /** Closed since they were last told that they are ready: the library may call them ready after that. */
    const lost = new Set<number>();
    const found = (_data: unknown, shard: number): void => void lost.delete(shard);
    fresh.ws.on(GatewayDispatchEvents.Ready, found);
    fresh.ws.on(GatewayDispatchEvents.Resumed, found);
    fresh.on(Events.ClientReady, (ready) => {
      if (lost.size === 0) problem = undefined;
      failures = 0;
      log.info({ shards: ready.ws.shards.size }, 'connected to Discord');
      options.ready(ready.application.id);
    });
    const wellAgain = (): void => {
      const allReady = fresh.ws.shards.every((shard) => shard.status === Status.Ready);
      if (allReady && lost.size === 0) problem = undefined;
    };
    fresh.on(Events.ShardResume, wellAgain);
    fresh.on(Events.ShardReady, wellAgain);
    fresh.on(Events.ShardReconnecting, (shard) => {
      lost.add(shard);
      problem = `the connection to Discord was lost (shard ${shard})`;
    });
    fresh.on(Events.ShardDisconnect, (event) => {
      if (fresh === client) void discard().then(() => retry(closedBecause(event.code)));
    });
    fresh.on(Events.ShardError, (error) =>
      log.warn({ err: error }, 'the connection to Discord had an error'),
    );
    fresh.on(Events.Error, (error) => log.warn({ err: error }, 'the Discord library had an error'));
    fresh.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
      if (fresh.channels.cache.size > CHANNELS) fresh.channels.cache.sweep((channel) => channel.isDMBased());
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
        retry(unconnectedBecause(error));
      });
    // Discord may let us wait for hours before a session may begin: a start does not.
    await waitAtMost(clock, READY_WITHIN, attempt);
  };

  return {
    start: connect,
    async stop() {
      stopped = true;
      cancelRetry();
      await discard();
    },
    trouble: () => pacing.trouble() ?? problem,
  };
};

const unconnectedBecause = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && error.code === 'TokenInvalid') return tokenRefused;
  // The library's own check, at the first connection alone.
  if (error instanceof Error && error.message.startsWith('Not enough sessions remaining'))
    return 'Discord allows this bot no more connections today';
  return 'Discord could not be reached (check the network and DISCORD_API_URL)';
};

const closedBecause = (code: number): string => {
  if (code === 4004) return tokenRefused;
  if (code === 4013 || code === 4014) return 'Discord refuses the intents of this bot';
  return `Discord closed the connection (code ${code})`;
};
