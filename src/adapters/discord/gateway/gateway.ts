import { type APIGatewayBotInfo, GatewayCloseCodes } from 'discord.js';
import { sleep, untilAborted, waitAtMost } from '../../../base/clock.ts';
import type { ConnectParts } from '../../adapter.ts';
import type { DiscordContext } from '../rest/api.ts';
import { pauseAfter } from '../rest/bounded-rest.ts';
import { TOKEN_REFUSED, UNREACHABLE } from '../rest/fault.ts';
import { createFairClaims, type FairClaims } from './fair-claims.ts';
import { createIdentifyThrottler } from './identify-throttler.ts';
import { openShard, type ShardOptions } from './shard.ts';
import { createShardCount } from './shard-count.ts';
import { findSession, keepSession } from './shard-sessions.ts';

/** Before the shards are connected again in another number. */
const PAUSE_MS = 2_000;
/** `start` waits this long for the connection, which then continues in the background. */
const READY_WITHIN_MS = 10_000;
/** Where others hold every shard, `start` does not wait for one. */
const STANDS_BY_AFTER_MS = 1_000;
const NOT_CONNECTED = 'not connected to Discord yet';
const NO_DATABASE = 'the database is away: which process is connected to Discord is not known';
/** A process that may have lost its shard leaves the first answer to the one that has it. */
const OTHERS_FIRST_MS = 500;

/**
 * The connections that interactions arrive on. Discord divides the bot's servers among shards; each shard is connected by
 * one of the live processes, and taken over by another with its session. While the database is away each keeps its own: people
 * get a first answer, and the rest when it is back. They are not made by discord.js' `Client`, because it keeps its sessions to
 * itself and takes half as much memory again.
 */
export function createGateway(
  common: DiscordContext,
  token: string,
  take: ShardOptions['interaction'],
  ready: (application: string) => void,
  tellOwners: ConnectParts['tellOwners'],
) {
  const { api, clock, log, members, stop } = common;
  const shardCount = createShardCount(common);
  /** Why each shard of this process is not connected. */
  const problems = new Map<number, string>();
  /** Shards whose connection is lost; the loss was logged. */
  const lost = new Set<number>();
  /** Why the gateway is not known. */
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

  /** Each reason is a warning once. */
  const report = (reason: string, before: string | undefined, inMs: number): void =>
    log[reason === before ? 'debug' : 'warn']({ inMs: Math.round(inMs) }, `${reason}; reconnecting`);

  /** The first loss is a warning; each further failed attempt is logged at debug level. */
  const disconnected = (shard: number, reason: string): void => {
    const isKnown = lost.has(shard);
    lost.add(shard);
    problems.set(shard, `the connection to Discord was lost (shard ${shard}: ${reason})`);
    log[isKnown ? 'debug' : 'warn']({ shard, reason }, 'no connection to Discord; connecting again');
  };

  const connected = (shard: number, application: string): void => {
    problems.delete(shard);
    log.info({ shard }, lost.delete(shard) ? 'connected to Discord again' : 'connected to Discord');
    settled.resolve();
    if (announced === application) return;
    announced = application;
    ready(application);
  };

  /** Connects a shard, again after Discord has refused it, until `ended` aborts. */
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
      const pause = pauseAfter(failures);
      failures += 1;
      report(closeReason(code), problems.get(shard), pause);
      problems.set(shard, closeReason(code));
      await sleep(clock, pause, ended).catch(() => undefined);
    }
  };

  /** Holds a share of the shards until their number changes, or the stop. */
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
        const pause = pauseAfter(failures);
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
    /** Resolves after the first attempt, successful or not; retries continue in the background. */
    async start(): Promise<void> {
      running = run();
      // Discord can make a session wait for hours; `start` does not.
      await waitAtMost(clock, READY_WITHIN_MS, settled.promise);
    },
    /** When it has stopped. Sessions are left as they are: they are resumed after a restart, or by another process. */
    ended: () => running,
    trouble(): string | undefined {
      if (standsBy() !== undefined) return undefined;
      const [first] = problems.values();
      const idle = members.isAlive() ? NOT_CONNECTED : NO_DATABASE;
      return throttler.trouble() ?? problem ?? first ?? (isIdle() ? idle : undefined);
    },
    /** Set while this process has no shard: it takes over those of a process that ends. */
    standsBy,
  };
}

function closeReason(code: number): string {
  if (code === GatewayCloseCodes.AuthenticationFailed) return TOKEN_REFUSED;
  if (code === GatewayCloseCodes.InvalidIntents || code === GatewayCloseCodes.DisallowedIntents)
    return 'Discord refuses the intents of this bot';
  return `Discord closed the connection (code ${code})`;
}
