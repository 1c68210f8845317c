import { GrammyError, HttpError } from 'grammy';
import { isConnectError } from '../../../base/connect-error.ts';

/**
 * `gone`: the chat, the message or our right to write there is no more. `unreachable`: no answer that tells us
 * anything, so it may be tried again. `undeletable`: older than Telegram lets us delete.
 */
export type FaultKind =
  | 'flood'
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
 * What went wrong in a call, and nothing else. grammY's own errors hold the request's address, in which the token
 * stands, and the payload with people's pictures: they never leave this file.
 */
export class TelegramFault extends Error {
  override readonly name = 'TelegramFault';
  readonly method: string;
  readonly kind: FaultKind;
  readonly retryAfterMs: number;
  readonly migratedTo: number | undefined;
  /** It cannot have reached Telegram, so that it cannot have taken effect. */
  readonly unsent: boolean;

  constructor(
    method: string,
    kind: FaultKind,
    description: string,
    more: { readonly retryAfterMs?: number; readonly migratedTo?: number; readonly unsent?: boolean } = {},
  ) {
    super(`Telegram ${method}: ${description}`);
    this.method = method;
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs ?? 0;
    this.migratedTo = more.migratedTo;
    this.unsent = more.unsent ?? false;
  }
}

const goneWords = [
  'chat not found',
  'chat was deactivated',
  'chat was deleted',
  'user is deactivated',
  'peer_id_invalid',
  'message to edit not found',
  'message to delete not found',
  'message_id_invalid',
  "message can't be edited",
  'message identifier is not specified',
  'message thread not found',
  'topic_deleted',
  'topic_closed',
  'topic_id_invalid',
  'chat_write_forbidden',
  'chat_restricted',
  'chat_admin_required',
  'channel_private',
  'not enough rights',
  'have no rights',
  'need administrator rights',
  'bot is not a member',
  'bot was kicked',
];

/** Words, photos, videos, files: a group can forbid each. */
const forbiddenThere = /chat_send_\w+_forbidden|not enough rights to send/;

const longestPause = 3600;

const kindOf = (code: number, description: string): FaultKind => {
  const words = description.toLowerCase();
  if (code === 429) return 'flood';
  if (code === 409) return 'conflict';
  if (code === 401 || code === 404) return 'unauthorized';
  if (code === 413) return 'too-large';
  if (code === 403) return 'gone';
  if (code >= 500) return 'unreachable';
  if (words.includes('file is too big')) return 'too-large';
  if (words.includes('message is not modified')) return 'unchanged';
  if (words.includes("message can't be deleted")) return 'undeletable';
  // An edit that we gave up on and that Telegram was still busy with.
  if (words.includes('canceled by new')) return 'unreachable';
  const gone = forbiddenThere.test(words) || goneWords.some((each) => words.includes(each));
  return gone ? 'gone' : 'refused';
};

const isUnsent = (thrown: unknown): boolean => thrown instanceof HttpError && isConnectError(thrown.error);

/** Any error of a call as one that is safe to log and to act upon. */
export const toFault = (method: string, thrown: unknown): TelegramFault => {
  if (thrown instanceof TelegramFault) return thrown;
  // Whatever else is thrown below may quote the address in its message: none of it is repeated.
  if (!(thrown instanceof GrammyError))
    return new TelegramFault(method, 'unreachable', 'no usable answer', { unsent: isUnsent(thrown) });
  const { error_code: code, parameters } = thrown;
  const description = `${code} ${thrown.description.slice(0, 200)}`;
  if (parameters.migrate_to_chat_id !== undefined)
    return new TelegramFault(method, 'migrated', description, { migratedTo: parameters.migrate_to_chat_id });
  const seconds = Math.min(parameters.retry_after ?? 1, longestPause);
  return new TelegramFault(method, kindOf(code, thrown.description), description, {
    retryAfterMs: code === 429 ? seconds * 1000 : 0,
  });
};

/** The chat is there, only it does not allow this kind of message. */
export const isBarred = (thrown: unknown): boolean =>
  isFault(thrown, 'gone') && forbiddenThere.test(thrown.message.toLowerCase());

export const isFault = (thrown: unknown, ...kinds: readonly FaultKind[]): thrown is TelegramFault =>
  thrown instanceof TelegramFault && kinds.includes(thrown.kind);
