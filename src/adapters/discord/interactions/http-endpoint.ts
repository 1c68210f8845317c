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
import { pauseAfter } from '../rest/bounded-rest.ts';
import { UNREACHABLE } from '../rest/fault.ts';
import type { InteractionRest } from '../rest/interaction-rest.ts';
import type { Intake } from './intake.ts';

/** Far more than the largest form or message. */
const MOST_BODY_BYTES = 512 * 1024;
/** For all bodies over 64 KB together: anybody can send one, and its signature is at its end. */
const LARGE_BODIES = { total: 32 * 1024 * 1024, perPerson: 32 * 1024 * 1024 };
/** Discord waits 3 seconds for an answer; a slower body cannot be answered any more. */
const WITHIN_MS = 3_000;
/** Leaves time for the answer. */
const STORE_WITHIN_MS = 500;
/** Clocks differ a little; an older request may be a recorded one that is sent again. */
const SIGNATURE_LIFE_MS = 5 * 60_000;
/** A request can be repeated while its signature is young enough, by either clock. */
const REMEMBERED_MS = 2 * SIGNATURE_LIFE_MS;
const WARN_EVERY_MS = 60_000;

/** Without this check an unreachable Discord would stay unnoticed while there are no interactions. */
const CHECK_EVERY_MS = 60_000;
/** `start` waits this long for Discord, which is then asked in the background. */
const READY_WITHIN_MS = 10_000;

/** How a body that could not be read is answered. */
const UNREAD = { 'too-large': 413, slow: 408, broken: 400 } as const;
const SIGNATURE = /^[0-9a-f]{128}$/i;
const SECONDS = /^\d{1,11}$/;

const envelope = z.looseObject({
  id: z.string().regex(/^\d{1,20}$/),
  type: z.number(),
  token: z.string().min(1),
  application_id: z.string().regex(/^\d{1,20}$/),
});

/** `publicKey`: 64 hexadecimal digits. Whether they signed the body at that time, in seconds. */
function createVerifier(publicKey: string) {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return (signature: string, timestamp: string, body: Buffer): boolean =>
    verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}

function empty(status: number): Response {
  // What was not read of the body must not be taken for another request.
  return new Response(null, { status, headers: { connection: 'close' } });
}

function readInteraction(body: Buffer): APIInteraction | undefined {
  const read = parseJson(body.toString('utf8'));
  return envelope.safeParse(read).success ? (read as APIInteraction) : undefined;
}

/**
 * Interactions that Discord posts, each with a signature; the response is the first answer. Token and key are checked with Discord,
 * now and from time to time.
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
  const isNews = createOncePer(clock, WARN_EVERY_MS);
  let problem: string | undefined = 'Discord has not confirmed the token yet';
  let failures = 0;
  let isReady = false;

  /** Returns after how long it is to be checked again. */
  const check = async (): Promise<number> => {
    try {
      const { id, verify_key: key, interactions_endpoint_url: url } = await readApplication(api);
      const found = isSameKey(publicKey, key) ? undefined : WRONG_PUBLIC_KEY;
      // Each problem is logged once.
      if (found !== undefined && found !== problem) log.warn(found);
      problem = found;
      failures = 0;
      if (isReady || stop.aborted) return CHECK_EVERY_MS;
      isReady = true;
      // Not a problem for /readyz: Discord accepts the address only if Darkroom answers there.
      if (url === null)
        log.warn(
          `no interactions will come: set the Interactions Endpoint URL in the developer portal to the public https address that leads to ${INTERACTIONS_PATH}`,
        );
      log.info('Discord accepted the token; interactions come by HTTP');
      ready(id);
      return CHECK_EVERY_MS;
    } catch (error) {
      problem = api.tokenFault() ?? UNREACHABLE;
      const pause = pauseAfter(failures);
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
   * Also after a restart and in all processes, unless the store is down: then an answer is better than none. Suggestions
   * change nothing, so memory is enough for them.
   */
  const isFirst = async ({ id, type }: APIInteraction): Promise<boolean> => {
    if (!isNew(id)) return false;
    if (type === InteractionType.ApplicationCommandAutocomplete) return true;
    const key = `interaction:${id}`;
    const mine = randomUUID();
    const claim = (kept: unknown): unknown => (kept === undefined ? mine : undefined);
    const recorded = state.update<unknown>(key, claim, REMEMBERED_MS);
    recorded.catch((error: unknown) => log.warn({ err: error }, 'an interaction could not be recorded'));
    // A slow disk does not delay the answer where no other process could have the same interaction.
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
    // The program's clock never runs backwards: after a correction only the machine's is right.
    const [age = 0] = [clock.now(), machineTime.wall()]
      .map((now) => now - Number(timestamp) * 1_000)
      .sort((a, b) => Math.abs(a) - Math.abs(b));
    if (Math.abs(age) > SIGNATURE_LIFE_MS) {
      const warning = 'an interaction was refused for its age: is the clock of this machine right?';
      if (isNews('age')) log.warn({ ageMs: age }, warning);
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
    /** A check that is under way is not waited for. */
    ended: () => undefined,
    standsBy: () => undefined,
    trouble: () => problem,
  };
}
