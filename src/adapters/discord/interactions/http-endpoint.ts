import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { type APIInteraction, InteractionResponseType, InteractionType } from 'discord.js';
import { z } from 'zod';
import { machineTime, sleep, waitAtMost } from '../../../base/clock.ts';
import { createFairBudget } from '../../../base/limits/fair-budget.ts';
import { announcedBytes, readBody } from '../../../base/network/read-body.ts';
import { createOncePer } from '../../../base/once-per.ts';
import { parseJson } from '../../../base/parse-json.ts';
import type { DiscordContext } from '../rest/api.ts';
import { INTERACTIONS_PATH, isSameKey, readApplication, WRONG_PUBLIC_KEY } from '../rest/application.ts';
import { pauseAfterFailures } from '../rest/bounded-rest.ts';
import { UNREACHABLE } from '../rest/fault.ts';
import type { InteractionRest } from '../rest/interaction-rest.ts';
import type { Intake } from './intake.ts';

/** The longest body that is read: far more than the largest form or message. */
const MOST_BODY_BYTES = 512 * 1024;
/**
 * The memory for all bodies over 64 KB together: anybody can send one, and its signature can be checked only when all of it
 * is read.
 */
const LARGE_BODIES = { total: 32 * 1024 * 1024, perPerson: 32 * 1024 * 1024 };
/** Discord waits 3 seconds for an answer; a slower body cannot be answered any more. */
const WITHIN_MS = 3_000;
/** How long the store may take to record an interaction, so that time is left for the answer. */
const STORE_WITHIN_MS = 500;
/** A signature may be this old, because clocks differ; an older request may be a replay. */
const SIGNATURE_LIFE_MS = 5 * 60_000;
/** Ids are remembered while a replay of their request would be accepted. */
const REMEMBERED_MS = 2 * SIGNATURE_LIFE_MS;
const WARN_EVERY_MS = 60_000;

/** How often Discord is asked, so that an unreachable Discord is noticed even if no interactions arrive. */
const CHECK_EVERY_MS = 60_000;
/** `start` waits this long for the first check; after that the checks continue in the background. */
const READY_WITHIN_MS = 10_000;

/** The HTTP status for a body that could not be read. */
const UNREAD = { 'too-large': 413, slow: 408, broken: 400 } as const;
const SIGNATURE = /^[0-9a-f]{128}$/i;
const SECONDS = /^\d{1,11}$/;

const envelope = z.looseObject({
  id: z.string().regex(/^\d{1,20}$/),
  type: z.number(),
  token: z.string().min(1),
  application_id: z.string().regex(/^\d{1,20}$/),
});

/** Makes the check of an Ed25519 signature over timestamp and body. `publicKey`: 64 hexadecimal digits. */
function createVerifier(publicKey: string) {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return (signature: string, timestamp: string, body: Buffer): boolean =>
    verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}

function empty(status: number): Response {
  // The connection is closed, so that the unread rest of a body is not taken for another request.
  return new Response(null, { status, headers: { connection: 'close' } });
}

function readInteraction(body: Buffer): APIInteraction | undefined {
  const read = parseJson(body.toString('utf8'));
  return envelope.safeParse(read).success ? (read as APIInteraction) : undefined;
}

/**
 * Receives interactions that Discord sends as signed POST requests; the first answer is the HTTP response. Token and key are
 * checked with Discord at the start and every minute.
 */
export function createHttpConnection(
  { api, state, members, clock, log, stop }: DiscordContext,
  publicKey: string,
  interactions: Pick<InteractionRest, 'hold'>,
  intake: Intake,
  ready: (application: string) => void,
) {
  const isSigned = createVerifier(publicKey);
  const largeBodies = createFairBudget(LARGE_BODIES);
  const isNew = createOncePer(clock, REMEMBERED_MS);
  const mayWarn = createOncePer(clock, WARN_EVERY_MS);
  let problem: string | undefined = 'Discord has not confirmed the token yet';
  let failures = 0;
  let isReady = false;

  /** Checks token and key with Discord, and returns the pause until the next check. */
  const check = async (): Promise<number> => {
    try {
      const { id, verify_key: key, interactions_endpoint_url: url } = await readApplication(api);
      const found = isSameKey(publicKey, key) ? undefined : WRONG_PUBLIC_KEY;
      // A problem is logged only when it is new.
      if (found !== undefined && found !== problem) log.warn(found);
      problem = found;
      failures = 0;
      if (isReady || stop.aborted) return CHECK_EVERY_MS;
      isReady = true;
      // /readyz reports no problem here, because Discord accepts the address only if Darkroom already answers there.
      if (url === null)
        log.warn(
          `no interactions will come: set the Interactions Endpoint URL in the developer portal to the public https address that leads to ${INTERACTIONS_PATH}`,
        );
      log.info('Discord accepted the token; interactions come by HTTP');
      ready(id);
      return CHECK_EVERY_MS;
    } catch (error) {
      problem = api.tokenFault() ?? UNREACHABLE;
      const pause = pauseAfterFailures(failures);
      failures += 1;
      if (!stop.aborted) log.warn({ err: error, inMs: Math.round(pause) }, `${problem}; retrying`);
      return pause;
    }
  };
  const checkForever = async (checked: () => void): Promise<void> => {
    while (!stop.aborted) {
      const pause = await check();
      checked();
      await sleep(clock, pause, stop).catch(() => undefined);
    }
  };

  const receive = async (request: Request): Promise<Buffer | keyof typeof UNREAD> => {
    const late = new AbortController();
    let release = (): void => {};
    const reserve = async (bytes: number): Promise<void> => {
      ({ release } = await largeBodies.take('', bytes, late.signal));
    };
    const limits = { maxBytes: MOST_BODY_BYTES, announced: announcedBytes(request.headers), reserve };
    const reading = readBody(request.body, limits)
      .catch(() => 'broken' as const)
      .finally(() => release());
    const body = (await waitAtMost(clock, WITHIN_MS, reading)) ?? 'slow';
    late.abort();
    return body;
  };

  /**
   * Whether this process is the first to receive the interaction, by a record that survives restarts and that all processes
   * share. If the store is down, the interaction is handled. Autocompletion changes nothing, so memory is enough for it.
   */
  const isFirst = async ({ id, type }: APIInteraction): Promise<boolean> => {
    if (!isNew(id)) return false;
    if (type === InteractionType.ApplicationCommandAutocomplete) return true;
    const key = `interaction:${id}`;
    const mine = randomUUID();
    const claim = (kept: unknown): unknown => (kept === undefined ? mine : undefined);
    const recorded = state.update<unknown>(key, claim, REMEMBERED_MS);
    recorded.catch((error: unknown) => log.warn({ err: error }, 'an interaction could not be recorded'));
    // A single process reads instead of waiting for its own write, so that a slow disk does not delay the answer.
    const known = members.count() === 1 ? state.get(key) : recorded;
    const kept = await waitAtMost(clock, STORE_WITHIN_MS, known).catch(() => undefined);
    return kept === undefined || kept === mine;
  };

  const handle = async (interaction: APIInteraction): Promise<Response> => {
    if (!(await isFirst(interaction))) return empty(409);
    const { answered, drop } = interactions.hold(interaction);
    const unanswered = intake.take(interaction).then(() => undefined);
    const answer = await waitAtMost(clock, WITHIN_MS, Promise.race([answered, unanswered])).finally(drop);
    if (answer === undefined) return empty(503);
    return answer === 'elsewhere' ? new Response(null, { status: 202 }) : Response.json(answer.body);
  };

  const receiveSigned = async (request: Request): Promise<Response> => {
    const signature = request.headers.get('x-signature-ed25519') ?? '';
    const timestamp = request.headers.get('x-signature-timestamp') ?? '';
    if (!SIGNATURE.test(signature) || !SECONDS.test(timestamp)) return empty(401);
    const body = await receive(request);
    if (typeof body === 'string') return empty(UNREAD[body]);
    if (!isSigned(signature, timestamp, body)) return empty(401);
    // The program's clock never runs backwards, so after a correction only the machine's clock is right: the smaller age
    // counts.
    const [age = 0] = [clock.now(), machineTime.wall()]
      .map((now) => now - Number(timestamp) * 1_000)
      .sort((a, b) => Math.abs(a) - Math.abs(b));
    if (Math.abs(age) > SIGNATURE_LIFE_MS) {
      const warning = 'an interaction was refused for its age: is the clock of this machine right?';
      if (mayWarn('age')) log.warn({ ageMs: age }, warning);
      return empty(401);
    }
    const interaction = readInteraction(body);
    if (interaction === undefined) return empty(400);
    if (interaction.type === InteractionType.Ping)
      return Response.json({ type: InteractionResponseType.Pong });
    if (stop.aborted || intake.overload() !== undefined) return empty(503);
    return handle(interaction);
  };

  return {
    handle: receiveSigned,
    async start(): Promise<void> {
      const { promise: checked, resolve } = Promise.withResolvers<void>();
      void checkForever(resolve);
      await waitAtMost(clock, READY_WITHIN_MS, checked);
    },
    /** There is nothing to wait for: a check in progress may be abandoned. */
    ended: () => undefined,
    standsBy: () => undefined,
    trouble: () => problem,
  };
}
