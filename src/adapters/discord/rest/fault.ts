import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes } from 'discord.js';
import { z } from 'zod';
import { isConnectError } from '../../connect-error.ts';

/**
 * The error of a failed request. Unlike the library's own errors it has neither the URL, which contains tokens, nor the
 * files. `refused`: Discord rejected the request. `unsent`: the request cannot have arrived. `unknown`: the request may have
 * taken effect.
 */
export class DiscordFault extends Error {
  override readonly name = 'DiscordFault';
  readonly kind: 'refused' | 'rate-limited' | 'unsent' | 'unknown';
  /** A description of the failure, without the name of the request. */
  readonly what: string;
  /** One of `RESTJSONErrorCodes`, or the HTTP status if Discord sent no such code. */
  readonly code: number;
  readonly retryAfterMs: number;
  /** Whether Discord rejected the content of the request, rather than its sender or its target. */
  readonly isAboutContent: boolean;

  /** `request`: the method, and the route without ids and tokens. */
  constructor(
    request: string,
    kind: DiscordFault['kind'],
    what: string,
    code = 0,
    { retryAfterMs = 0, isAboutContent = false } = {},
  ) {
    super(`Discord: ${request}: ${what}`);
    this.what = what;
    this.kind = kind;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.isAboutContent = isAboutContent;
  }
}

export const TOKEN_REFUSED =
  'Discord refuses DISCORD_TOKEN (copy it again from the developer portal: Bot, Reset Token)';

export const UNREACHABLE = 'Discord could not be reached (check the network and DISCORD_API_URL)';

const refusal = z.object({
  code: z.number().int().catch(RESTJSONErrorCodes.GeneralError),
  message: z.string().catch(''),
  errors: z.unknown().optional(),
});

/** Reads the code and message from the body of an error; a general code and no message if the body is not Discord's. */
export function readRefusal(body: unknown): { readonly code: number; readonly message: string } {
  const { code, message, errors } = refusal.safeParse(body).data ?? {
    code: RESTJSONErrorCodes.GeneralError,
    message: '',
  };
  return { code, message: errors === undefined ? message : `${message} ${JSON.stringify(errors)}` };
}

/**
 * HTTP statuses that mean the same from a proxy as from Discord. Any other status of a proxy says nothing about the request.
 */
const PROXY_STATUSES: readonly number[] = [401, 413];

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** Translates an error of discord.js or of the network into a `DiscordFault`. */
export function toFault(request: string, error: unknown): DiscordFault {
  if (error instanceof DiscordFault) return error;
  if (error instanceof RateLimitError) {
    const after = Math.max(error.retryAfter, error.timeToReset, 0);
    const retryAfterMs = Number.isFinite(after) ? after : 0;
    return new DiscordFault(request, 'rate-limited', 'too many requests', 429, { retryAfterMs });
  }
  if (error instanceof DiscordAPIError) {
    const { status } = error;
    const { code: named, message } = readRefusal(error.rawError);
    if (named === RESTJSONErrorCodes.GeneralError && message === '' && !PROXY_STATUSES.includes(status))
      return new DiscordFault(request, 'unknown', `status ${status}`, status);
    const code = named === RESTJSONErrorCodes.GeneralError ? status : named;
    const description = message.replaceAll(/https?:\/\/\S+/g, '…').slice(0, 300);
    const isAboutContent = status === 400 || status === 413;
    return new DiscordFault(request, 'refused', `${status}, code ${code}: ${description}`, code, {
      isAboutContent,
    });
  }
  if (error instanceof HTTPError)
    return new DiscordFault(request, 'unknown', `status ${error.status}`, error.status);
  if (!(error instanceof Error)) return new DiscordFault(request, 'unknown', 'failed');
  const code = codeOf(error);
  if (isConnectError(error)) return new DiscordFault(request, 'unsent', code);
  return new DiscordFault(request, 'unknown', code || error.name);
}

/** Whether Discord rejected a request with one of these codes. */
export const isRefusedWith = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordFault && error.kind === 'refused' && codes.includes(error.code);
