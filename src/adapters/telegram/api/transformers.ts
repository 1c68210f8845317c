import type { RawApi, Transformer } from 'grammy';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { refusalOf, TelegramFault, toFault } from './fault.ts';
import type { Post } from './post.ts';
import { type ApiSignal, limitedTo } from './signals.ts';

/** The transformers of all calls to Telegram, from the one next to the socket to the one next to the caller. */
export const transformersFor = (clock: Clock, post: Post, botUrl: string): readonly Transformer[] => [
  sendFast(post, botUrl),
  limitTime(clock),
  checkAnswers,
  throwFaults,
];

/** Matches the methods whose payload can have files in it. */
const HAS_FILES = /(Photo|Video|Document|Media)$/;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Sends calls without files by `post`, because grammY's own way to the socket delays the card of a command. */
const sendFast = (post: Post, botUrl: string): Transformer => {
  return async (prev, method, payload, signal) => {
    if (HAS_FILES.test(method)) return await prev(method, payload, signal);
    // The casts are safe, because `limitTime` gives every call a signal, and `checkAnswers` checks results.
    const request = { headers: JSON_HEADERS, body: JSON.stringify(payload), signal: signal as ApiSignal };
    const answer = await post(`${botUrl}/${method}`, request);
    return (await answer.json()) as Awaited<ReturnType<typeof prev<typeof method>>>;
  };
};

type ForMethods<T> = { readonly [M in keyof RawApi]?: T };

const ORDINARY_TIMEOUT_MS = 15_000;
const UPLOAD_TIMEOUT_MS = 120_000;
const CHAT_TIMEOUT_MS = 5_000;

/** Timeouts by method; a caller that wants a shorter one passes a signal (`limitedTo`). */
const TIMEOUTS_MS: ForMethods<number> = {
  // The timeout is longer than a long poll.
  getUpdates: 45_000,
  getChat: CHAT_TIMEOUT_MS,
  getChatMember: CHAT_TIMEOUT_MS,
  getChatMemberCount: CHAT_TIMEOUT_MS,
  sendPhoto: UPLOAD_TIMEOUT_MS,
  sendVideo: UPLOAD_TIMEOUT_MS,
  sendDocument: UPLOAD_TIMEOUT_MS,
  editMessageMedia: UPLOAD_TIMEOUT_MS,
  editEphemeralMessageMedia: UPLOAD_TIMEOUT_MS,
};

/** Aborts every call after its timeout, by our clock. */
const limitTime = (clock: Clock): Transformer => {
  return (prev, method, payload, signal) => {
    const timeoutMs = TIMEOUTS_MS[method] ?? ORDINARY_TIMEOUT_MS;
    return limitedTo(clock, timeoutMs, (limited) => prev(method, payload, limited), signal as ApiSignal);
  };
};

const id = z.number().int();
const file = z.looseObject({ file_id: z.string() });
const message = z.looseObject({
  message_id: id,
  ephemeral_message_id: id.optional(),
  chat: z.looseObject({ id }),
  photo: z.array(file).optional(),
  document: file.optional(),
});
const edited = message.or(z.literal(true));
const member = z.looseObject({ status: z.string(), user: z.looseObject({ id }) });

/** The fields of results that this adapter reads, by method. */
const RESULTS: ForMethods<z.ZodType> = {
  getMe: z.looseObject({ id, username: z.string() }),
  // The fields of updates are not checked here, so that one without a valid number does not keep the others from being read.
  getUpdates: z.array(z.looseObject({})),
  getWebhookInfo: z.looseObject({ url: z.string() }),
  getFile: z.looseObject({ file_size: z.number().optional(), file_path: z.string().optional() }),
  getChat: z.looseObject({ id, title: z.string().optional() }),
  getChatMember: member,
  getChatMemberCount: id,
  getChatAdministrators: z.array(member),
  sendMessage: message,
  sendPhoto: message,
  sendVideo: message,
  sendDocument: message,
  editMessageText: edited,
  editMessageCaption: edited,
  editMessageMedia: edited,
};

/** Treats a result without the fields that are read as no answer at all. */
const checkAnswers: Transformer = async (prev, method, payload, signal) => {
  const answer = await prev(method, payload, signal);
  if (answer.ok && RESULTS[method]?.safeParse(answer.result).success === false)
    throw new TelegramFault(method, 'unreachable', 'no usable answer');
  return answer;
};

/**
 * Makes a failed call throw a `TelegramFault`, because a `GrammyError` would hold the payload, and an `HttpError` the token.
 */
const throwFaults: Transformer = async (prev, method, payload, signal) => {
  const answer = await prev(method, payload, signal).catch((thrown: unknown) => {
    throw toFault(method, thrown);
  });
  if (!answer.ok) throw refusalOf(method, answer);
  return answer;
};
