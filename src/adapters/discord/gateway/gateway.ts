import { type APIGatewayBotInfo, GatewayCloseCodes } from 'discord.js';
import { sleep, untilAborted, waitAtMost } from '../../../base/clock.ts';
import type { AdapterDependencies } from '../../adapter.ts';
import type { DiscordContext } from '../rest/api.ts';
import { pauseAfterFailures } from '../rest/bounded-rest.ts';
import { TOKEN_REFUSED, UNREACHABLE } from '../rest/fault.ts';
import { createFairClaims, type FairClaims } from './fair-claims.ts';
import { createIdentifyThrottler } from './identify-throttler.ts';
import { openShard, type ShardOptions } from './shard.ts';
import { createShardCount } from './shard-count.ts';
import { findSession, keepSession } from './shard-sessions.ts';

/** The pause before the shards are connected again with another number of shards. */
const PAUSE_MS = 2_000;
/** `start` waits this long for a connection; after that the attempts continue in the background. */
const READY_WITHIN_MS = 10_000;
/** `start` waits only this long where other processes hold every shard. */
const STANDS_BY_AFTER_MS = 1_000;
const NOT_CONNECTED = 'not connected to Discord yet';
const NO_DATABASE = 'the database is away: which process is connected to Discord is not known';
/**
 * A process that may have lost its shard delays its answer by this time, so that the process that now holds the shard
 * answers first.
 */
const OTHERS_FIRST_MS = 500;

/**
 * The gateway connections on which interactions arrive. Discord divides the bot's servers among shards; each shard is
 * connected by one of the live processes, and another process takes it over together with its session. While the database is
 * away each process keeps its shards: people get a first answer, and the rest when the database is back. discord.js'
 * `Client` is not used, because it keeps its sessions to itself and takes half as much memory again.
 */
export function createGateway(
  common: DiscordContext,
  token: string,
  take: ShardOptions['interaction'],
  ready: (application: string) => void,
  tellOwners: AdapterDependencies['tellOwners'],
) {
  const { api, clock, log, members, stop } = common;
  const shardCount = createShardCount(common);
  /** The reason for each shard of this process that is not connected. */
  const problems = new Map<number, string>();
  /** Shards whose connection is lost, and whose loss was logged. */
  const lost = new Set<number>();
  /** Why Discord did not tell the address of its gateway; undefined once it has. */
  let problem: string | undefined = NOT_CONNECTED;
  let claims: FairClaims | undefined;
  let announced: string | undefined;
  const settled = Promise.withResolvers<void>();
  const { gateway } = api.within({ repeatable: false, totalTimeoutMs: READY_WITHIN_MS });
  const readLimit = async () => (await gateway.getBot()).session_start_limit;
  const throttler = createIdentifyThrottler(common, readLimit, () => {
    log.error('few sessions are left today; connecting waits until Discord allows more');
    tellOwners('discord-sessions');
  });

  /** Logs a new reason as a warning; the same reason as before is logged at debug level. */
  const report = (reason: string, before: string | undefined, inMs: number): void => {
    const level = reason === before ? 'debug' : 'warn';
    log[level]({ inMs: Math.round(inMs) }, `${reason}; reconnecting`);
  };

  /** Logs the loss of a connection as a warning; each further failed attempt is logged at debug level. */
  const disconnected = (shard: number, reason: string): void => {
    const isKnown = lost.has(shard);
    lost.add(shard);
    problems.set(shard, `the connection to Discord was lost (shard ${shard}: ${reason})`);
    const level = isKnown ? 'debug' : 'warn';
    log[level]({ shard, reason }, 'no connection to Discord; connecting again');
  };

  const connected = (shard: number, application: string): void => {
    problems.delete(shard);
    const wasLost = lost.delete(shard);
    log.info({ shard }, wasLost ? 'connected to Discord again' : 'connected to Discord');
    settled.resolve();
    if (announced === application) return;
    announced = application;
    ready(application);
  };

  /** Keeps a shard connected until `ended` aborts; retries with backoff when Discord refuses the connection. */
  const work = async (
    shard: number,
    count: number,
    gateway: APIGatewayBotInfo,
    ended: AbortSignal,
    isHeld: () => boolean,
  ): Promise<void> => {
    problems.set(shard, NOT_CONNECTED);
    let failures = 0;
    while (!ended.aborted) {
      const connection = openShard({
        token,
        clock,
        id: shard,
        count,
        gateway,
        session: await findSession(common, shard),
        identifyThrottler: throttler,
        connected(application) {
          failures = 0;
          connected(shard, application);
        },
        disconnected: (reason) => disconnected(shard, reason),
        async interaction(received, isRepeated) {
          const mayBeOthers = !isHeld();
          if (mayBeOthers) await sleep(clock, OTHERS_FIRST_MS, stop).catch(() => undefined);
          take(received, isRepeated || mayBeOthers);
        },
        isHeld,
      });
      const endRecord = keepSession(common, shard, connection.session, isHeld);
      const code = await Promise.race([connection.refused, untilAborted(ended).then(() => undefined)]);
      await connection.close();
      await endRecord();
      if (code === undefined) return;
      if (code === GatewayCloseCodes.ShardingRequired || code === GatewayCloseCodes.InvalidShard)
        shardCount.refuse();
      const pause = pauseAfterFailures(failures);
      failures += 1;
      report(closeReason(code), problems.get(shard), pause);
      problems.set(shard, closeReason(code));
      await sleep(clock, pause, ended).catch(() => undefined);
    }
  };

  /** Holds this process's share of the shards until the number of shards changes or the adapter stops. */
  const runShards = async (gateway: APIGatewayBotInfo): Promise<void> => {
    const count = await shardCount.agree(gateway.shards);
    const mine = createFairClaims(common, count, (shard, ended, isHeld) =>
      work(shard, count, gateway, ended, isHeld).finally(() => problems.delete(shard)),
    );
    claims = mine;
    problem = undefined;
    mine.start();
    clock.after(STANDS_BY_AFTER_MS, () => {
      if (standsBy() !== undefined) settled.resolve();
    });
    await shardCount.changed(count, stop);
    await mine.stop();
  };

  const isIdle = (): boolean => claims?.held().length === 0;
  const standsBy = (): string | undefined =>
    problem === undefined && isIdle() && members.isAlive() && members.count() > 1
      ? 'standing by: other processes are connected to Discord'
      : undefined;

  const run = async (): Promise<void> => {
    for (let failures = 0; !stop.aborted; ) {
      try {
        const information = await gateway.getBot();
        failures = 0;
        await runShards(information);
        await sleep(clock, PAUSE_MS, stop).catch(() => undefined);
      } catch (error) {
        const reason = api.tokenFault() ?? UNREACHABLE;
        const pause = pauseAfterFailures(failures);
        failures += 1;
        log.debug({ err: error }, 'the gateway could not be read');
        report(reason, problem, pause);
        problem = reason;
        settled.resolve();
        await sleep(clock, pause, stop).catch(() => undefined);
      }
    }
  };
  let running: Promise<void> | undefined;

  return {
    /** Resolves after the first attempt to connect, successful or not; retries continue in the background. */
    async start(): Promise<void> {
      running = run();
      // Discord can make a new session wait for hours, and `start` must not.
      await waitAtMost(clock, READY_WITHIN_MS, settled.promise);
    },
    /**
     * Resolves when all shards are closed. Their sessions stay open at Discord, so that the next process can resume them.
     */
    ended: () => running,
    trouble(): string | undefined {
      if (standsBy() !== undefined) return undefined;
      const [first] = problems.values();
      const idle = members.isAlive() ? NOT_CONNECTED : NO_DATABASE;
      return throttler.trouble() ?? problem ?? first ?? (isIdle() ? idle : undefined);
    },
    /** The reason why this process has no shard although all is well; it takes over the shards of a process that ends. */
    standsBy,
  };
}

function closeReason(code: number): string {
  if (code === GatewayCloseCodes.AuthenticationFailed) return TOKEN_REFUSED;
  if (code === GatewayCloseCodes.InvalidIntents || code === GatewayCloseCodes.DisallowedIntents)
    return 'Discord refuses the intents of this bot';
  return `Discord closed the connection (code ${code})`;
}
