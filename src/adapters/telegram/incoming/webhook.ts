import { createHash, timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import { type Clock, waitAtMost } from '../../../base/clock.ts';
import { readBody } from '../../../base/read-body.ts';
import type { Intake } from './intake.ts';

const largestBody = 1_000_000;
/** Telegram waits for each answer on one of its connections: longer work goes on after we answered. */
const patienceMs = 500;
/** Of these connections (40 unless told otherwise) so many wait that long: the others stay free for what comes next. */
const mostWaiting = 10;
/** Most of what comes in a crowd is refused at once, and then need not be written down. */
const briefPatienceMs = 25;

const envelope = z.looseObject({ update_id: z.number().int().nonnegative() });

const same = (given: string, expected: string): boolean => {
  // Hashes have one length: the comparison tells nothing about the secret, not even how long it is.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
};

const readUpdate = (body: Buffer): Update | undefined => {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    return envelope.safeParse(read).success ? (read as Update) : undefined;
  } catch {
    return undefined;
  }
};

/** The door through which Telegram delivers. 200 means: handled, or safely ours. Anything else is delivered again. */
export const createWebhook = (options: {
  readonly secret: string;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly closed: () => boolean;
}): ((request: Request) => Promise<Response>) => {
  let waiting = 0;

  /** Until it is handled, or as long as there is patience for it. */
  const handle = async (update: Update): Promise<'handled' | 'called off' | 'slow'> => {
    const mostMs = waiting < mostWaiting ? patienceMs : briefPatienceMs;
    waiting += 1;
    try {
      return (await waitAtMost(options.clock, mostMs, options.intake.take(update))) ?? 'slow';
    } finally {
      waiting -= 1;
    }
  };

  return async (request) => {
    const given = request.headers.get('x-telegram-bot-api-secret-token') ?? '';
    if (!same(given, options.secret)) return new Response(null, { status: 401 });
    if (options.closed() || options.intake.overload() !== undefined)
      return new Response(null, { status: 503 });
    const announced = Number(request.headers.get('content-length') ?? 0);
    if (announced > largestBody) return new Response(null, { status: 413 });
    const body = await readBody(request.body ?? new Blob([]).stream(), { maxBytes: largestBody }).catch(
      () => undefined,
    );
    if (body === 'too-large') return new Response(null, { status: 413 });
    // Undefined: the connection broke before its end.
    const update = body === undefined ? undefined : readUpdate(body);
    if (update === undefined) return new Response(null, { status: 400 });
    const outcome = await handle(update);
    if (outcome === 'called off') return new Response(null, { status: 503 });
    // Throws when the store is down: the server answers 500 and Telegram delivers it again.
    if (outcome === 'slow') await options.intake.keep([update]);
    return new Response(null, { status: 200 });
  };
};
