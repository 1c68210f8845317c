import { HttpError } from 'grammy';
import type { ApiError } from 'grammy/types';
import { z } from 'zod';
import { isConnectError } from '../../connect-error.ts';

/**
 * `gone`: the chat, the message or our permission to write no longer exists. `unreachable`: there was no usable answer, so
 * the call can be retried. `undeletable`: the message is too old for Telegram to delete.
 */
export type FaultKind =
  | 'rate-limited'
  | 'migrated'
  | 'unchanged'
  | 'gone'
  | 'undeletable'
  | 'conflict'
  | 'unauthorized'
  | 'too-large'
  | 'refused'
  | 'unreachable';

/**
 * The error of a failed call. The errors of grammY and undici hold the URL, which contains the token, and the payload with
 * people's pictures, so they never leave this file.
 */
export class TelegramFault extends Error {
  override readonly name = 'TelegramFault';
  readonly method: string;
  readonly kind: FaultKind;
  readonly retryAfterMs: number;
  readonly migratedTo: number | undefined;
  /** Whether the call certainly did not reach Telegram. */
  readonly unsent: boolean;
  /** Whether Telegram answered 403: the bot has no access to the chat. */
  readonly isForbidden: boolean;

  constructor(
    method: string,
    kind: FaultKind,
    description: string,
    more: Partial<Pick<TelegramFault, 'retryAfterMs' | 'migratedTo' | 'unsent' | 'isForbidden'>> = {},
  ) {
    super(`Telegram ${method}: ${description}`);
    this.method = method;
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs ?? 0;
    this.migratedTo = more.migratedTo;
    this.unsent = more.unsent ?? false;
    this.isForbidden = more.isForbidden ?? false;
  }
}

/** Descriptions of errors of the kind `gone`, because Telegram has no codes for them. */
const GONE_DESCRIPTIONS = [
  /chat not found|chat was deactivated|chat was deleted|user is deactivated|peer_id_invalid/,
  /message to (?:edit|delete) not found|message_id_invalid|message can't be edited/,
  /message identifier is not specified|message thread not found|topic_(?:deleted|closed|id_invalid)/,
  /chat_write_forbidden|chat_restricted|chat_admin_required|channel_private/,
  /not enough rights|have no rights|need administrator rights|bot is not a member|bot was kicked/,
];

/** Matches those of them after which a message may still be seen. */
const OUT_OF_REACH =
  /chat not found|can't be edited|chat_write_forbidden|chat_restricted|chat_admin_required|channel_private|rights|not a member|kicked/;

/** Matches errors for groups that forbid text, photos, videos or files. */
const KIND_FORBIDDEN = /chat_send_\w+_forbidden|not enough rights to send/;

const MOST_RETRY_AFTER_SECONDS = 3600;

/** The body of a refusal, which grammY passes on unchecked: servers leave fields out or send others. */
const refusal = z.object({
  error_code: z.number().catch(0),
  description: z.string().catch(''),
  parameters: z
    .object({
      migrate_to_chat_id: z.number().int().optional().catch(undefined),
      retry_after: z.coerce.number().positive().catch(1),
    })
    .catch({ retry_after: 1, migrate_to_chat_id: undefined }),
});

function kindOf(code: number, description: string): FaultKind {
  const words = description.toLowerCase();
  if (code === 429) return 'rate-limited';
  if (code === 409) return 'conflict';
  if (code === 401 || code === 404) return 'unauthorized';
  if (code === 413) return 'too-large';
  if (code === 403) return 'gone';
  if (code >= 500) return 'unreachable';
  if (words.includes('file is too big')) return 'too-large';
  if (words.includes('message is not modified')) return 'unchanged';
  if (words.includes("message can't be deleted")) return 'undeletable';
  // Telegram was still processing an edit that timed out here.
  if (words.includes('canceled by new')) return 'unreachable';
  const gone = KIND_FORBIDDEN.test(words) || GONE_DESCRIPTIONS.some((each) => each.test(words));
  if (gone) return 'gone';
  // An answer with neither a code nor known words says nothing about the call.
  return code < 400 ? 'unreachable' : 'refused';
}

const isUnsent = (thrown: unknown): boolean =>
  isConnectError(thrown instanceof HttpError ? thrown.error : thrown);

/** Translates the error of a call that threw. Messages of grammY and undici may quote the URL, so they are dropped. */
export const toFault = (method: string, thrown: unknown): TelegramFault =>
  thrown instanceof TelegramFault
    ? thrown
    : new TelegramFault(method, 'unreachable', 'no usable answer', { unsent: isUnsent(thrown) });

/** Translates Telegram's refusal of a call. */
export function refusalOf(method: string, answer: ApiError): TelegramFault {
  const { error_code: code, description: words, parameters } = refusal.parse(answer);
  const description = `${code} ${words.slice(0, 200)}`.trimEnd();
  if (parameters.migrate_to_chat_id !== undefined)
    return new TelegramFault(method, 'migrated', description, { migratedTo: parameters.migrate_to_chat_id });
  const seconds = Math.min(parameters.retry_after, MOST_RETRY_AFTER_SECONDS);
  return new TelegramFault(method, kindOf(code, words), description, {
    retryAfterMs: code === 429 ? seconds * 1000 : 0,
    isForbidden: code === 403,
  });
}

/** Whether the chat exists, but does not allow this kind of message. */
export const isMessageKindBarred = (thrown: unknown): boolean =>
  isFault(thrown, 'gone') && KIND_FORBIDDEN.test(thrown.message.toLowerCase());

/** Whether the bot cannot get at the message, which may still be there. */
export const isOutOfReach = (thrown: unknown): boolean =>
  isFault(thrown, 'gone') && (thrown.isForbidden || OUT_OF_REACH.test(thrown.message.toLowerCase()));

/** Whether a call failed in one of these ways. */
export const isFault = (thrown: unknown, ...kinds: readonly FaultKind[]): thrown is TelegramFault =>
  thrown instanceof TelegramFault && kinds.includes(thrown.kind);
