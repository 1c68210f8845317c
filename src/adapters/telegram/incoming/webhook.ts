import { createHash, timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import { announcedBytes, readBody } from '../../../base/network/read-body.ts';
import { parseJson } from '../../../base/parse-json.ts';
import type { UpdateInbox } from './update-inbox.ts';

const MOST_BODY_BYTES = 1_000_000;

const envelope = z.looseObject({ update_id: z.number().int().nonnegative() });

function isSameSecret(given: string, expected: string): boolean {
  // The hashes are compared, because their equal lengths do not reveal the secret's length.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function readUpdate(body: Buffer): Update | undefined {
  const read = parseJson(body.toString('utf8'));
  return envelope.safeParse(read).success ? (read as Update) : undefined;
}

/**
 * Handles Telegram's webhook requests: answers 200 when the update was stored, and Telegram delivers it again after any
 * other answer. grammY's `webhookCallback` is not used, because it stores nothing and answers when the update was handled,
 * or after ten seconds.
 */
export function createWebhook(options: {
  readonly secret: string;
  readonly updateInbox: UpdateInbox;
  readonly closed: () => boolean;
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const given = request.headers.get('x-telegram-bot-api-secret-token') ?? '';
    if (!isSameSecret(given, options.secret)) return new Response(null, { status: 401 });
    if (options.closed()) return new Response(null, { status: 503 });
    const limits = { maxBytes: MOST_BODY_BYTES, announced: announcedBytes(request.headers) };
    const body = await readBody(request.body, limits).catch(() => undefined);
    if (body === 'too-large') return new Response(null, { status: 413 });
    // The body is undefined if the connection broke.
    const update = body === undefined ? undefined : readUpdate(body);
    if (update === undefined) return new Response(null, { status: 400 });
    // If the store is down this throws, the server answers 500, and Telegram delivers the update again.
    const outcome = await options.updateInbox.take(update);
    return new Response(null, { status: outcome === 'stored' ? 200 : 503 });
  };
}
