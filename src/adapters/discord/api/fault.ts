import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { isConnectError } from '../../../base/connect-error.ts';

/**
 * A request that did not succeed, without the address (it contains tokens) and the files that the library's own
 * errors carry.
 * `refused`: Discord said no. `limited`: not now. `unsent`: it cannot have arrived. `unknown`: it may have taken effect.
 */
export class DiscordProblem extends Error {
  override readonly name = 'DiscordProblem';
  readonly kind: 'refused' | 'limited' | 'unsent' | 'unknown';
  /** What happened, without what was being done. */
  readonly what: string;
  /** Discord's own error number, e.g. 10008 for an unknown message; the HTTP status where there is none. */
  readonly code: number;
  readonly afterMs: number;

  constructor(doing: string, kind: DiscordProblem['kind'], what: string, code = 0, afterMs = 0) {
    super(`Discord: could not ${doing}: ${what}`);
    this.what = what;
    this.kind = kind;
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** Said to the owner, wherever it is noticed first. */
export const tokenRefused =
  'Discord refuses DISCORD_TOKEN (copy it again from the developer portal: Bot, Reset Token)';

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

export const toProblem = (doing: string, error: unknown): DiscordProblem => {
  if (error instanceof DiscordProblem) return error;
  if (error instanceof RateLimitError) {
    const after = Math.max(error.retryAfter, error.timeToReset, 0);
    return new DiscordProblem(doing, 'limited', 'too many requests', 429, Number.isFinite(after) ? after : 0);
  }
  if (error instanceof DiscordAPIError) {
    const code = typeof error.code === 'number' && error.code !== 0 ? error.code : error.status;
    const said = String(error.message)
      .replaceAll(/https?:\/\/\S+/g, '…')
      .slice(0, 300);
    return new DiscordProblem(doing, 'refused', `${error.status}, code ${code}: ${said}`, code);
  }
  if (error instanceof HTTPError)
    return new DiscordProblem(doing, 'unknown', `status ${error.status}`, error.status);
  if (!(error instanceof Error)) return new DiscordProblem(doing, 'unknown', 'failed');
  const code = codeOf(error);
  if (isConnectError(error)) return new DiscordProblem(doing, 'unsent', code);
  return new DiscordProblem(doing, 'unknown', code || error.name);
};

export const isProblem = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordProblem && error.kind === 'refused' && codes.includes(error.code);
