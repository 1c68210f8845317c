import { createHash, timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import { type Clock, waitAtMost } from '../../../base/clock.ts';
import { announcedBytes, readBody } from '../../../base/network/read-body.ts';
import type { Intake } from './intake.ts';

const MOST_BODY_BYTES = 1_000_000;
/** Telegram waits for each answer on one of its connections, so slow updates are stored and answered early. */
const WAIT_MS = 500;
/** At most this many of Telegram's connections (default: 40) wait that long; the others stay free. */
const MOST_WAITING = 10;
/** For the others: most updates of a burst are refused at once and need not be stored. */
const SHORT_WAIT_MS = 25;

const envelope = z.looseObject({ update_id: z.number().int().nonnegative() });

function isSameSecret(given: string, expected: string): boolean {
  // Hashes have equal lengths, so the comparison does not reveal the secret's length.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function readUpdate(body: Buffer): Update | undefined {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    return envelope.safeParse(read).success ? (read as Update) : undefined;
  } catch {
    return undefined;
  }
}

/** Answers 200 when an update was handled or stored; Telegram delivers it again after any other answer. */
export function createWebhook(options: {
  readonly secret: string;
  readonly intake: Intake;
  readonly clock: Clock;
  readonly closed: () => boolean;
}): (request: Request) => Promise<Response> {
  let waiting = 0;

  const handle = async (update: Update): Promise<Awaited<ReturnType<Intake['take']>> | 'slow'> => {
    const mostMs = waiting < MOST_WAITING ? WAIT_MS : SHORT_WAIT_MS;
    waiting += 1;
    try {
      return (await waitAtMost(options.clock, mostMs, options.intake.take(update))) ?? 'slow';
    } finally {
      waiting -= 1;
    }
  };

  return async (request) => {
    const given = request.headers.get('x-telegram-bot-api-secret-token') ?? '';
    if (!isSameSecret(given, options.secret)) return new Response(null, { status: 401 });
    if (options.closed() || options.intake.overload() !== undefined)
      return new Response(null, { status: 503 });
    const limits = { maxBytes: MOST_BODY_BYTES, announced: announcedBytes(request.headers) };
    const body = await readBody(request.body ?? new Blob([]).stream(), limits).catch(() => undefined);
    if (body === 'too-large') return new Response(null, { status: 413 });
    // Undefined: the connection broke.
    const update = body === undefined ? undefined : readUpdate(body);
    if (update === undefined) return new Response(null, { status: 400 });
    const outcome = await handle(update);
    // Throws when the store is down: the server answers 500 and Telegram delivers it again.
    const isTaken = outcome === 'handled' || (outcome === 'slow' && (await options.intake.keep([update])));
    return new Response(null, { status: isTaken ? 200 : 503 });
  };
}
