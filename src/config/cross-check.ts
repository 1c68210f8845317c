import { isIP } from 'node:net';
import { ConfigError } from './error.ts';
import type { Values } from './parse.ts';

/** Ports to which Telegram's own servers deliver updates. */
const WEBHOOK_PORTS = ['', '443', '80', '88', '8443'];
const TELEGRAM_API_URL = 'https://api.telegram.org';

/** Throws for settings that contradict each other; returns warnings for likely mistakes. */
export function crossCheck(values: Values): readonly string[] {
  const problems = [
    ...generationProblems(values),
    ...webhookProblems(values),
    ...playgroundProblems(values),
    ...approvalProblems(values),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return [...unusedSettings(values), ...weakSettings(values)];
}

export function playgroundIsOn(values: Values): boolean {
  const platform = values.DISCORD_TOKEN !== undefined || values.TELEGRAM_TOKEN !== undefined;
  return values.PLAYGROUND === undefined ? !platform : values.PLAYGROUND === 'on';
}

function* generationProblems(values: Values): Generator<string> {
  if (values.GENERATION_URL === undefined) {
    if (values.STORE_URL.startsWith('postgres:'))
      yield 'GENERATION_URL: missing, but STORE_URL is a database. The embedded service belongs to one process: set the URL of a generation service, or a file as STORE_URL.';
    return;
  }
  if (values.GENERATION_API_KEY === undefined && values.GENERATION_TOKEN === undefined)
    yield 'GENERATION_API_KEY: missing, but GENERATION_URL is set. Set the key for pictures, GENERATION_TOKEN for videos and aliases, or both.';
}

function* webhookProblems(values: Values): Generator<string> {
  if (values.TELEGRAM_WEBHOOK_URL === undefined) return;
  if (values.TELEGRAM_WEBHOOK_SECRET === undefined)
    yield 'TELEGRAM_WEBHOOK_SECRET: missing, but TELEGRAM_WEBHOOK_URL is set. Allowed: 1 to 256 of the characters A-Z a-z 0-9 _ - (openssl rand -hex 32).';
  // A self-hosted Bot API server delivers to plain http and to any port.
  if (values.TELEGRAM_API_URL !== TELEGRAM_API_URL) return;
  const url = new URL(values.TELEGRAM_WEBHOOK_URL);
  const given = JSON.stringify(url.href);
  if (url.protocol !== 'https:')
    yield `TELEGRAM_WEBHOOK_URL: ${given} is not valid (not https). Allowed: an https address that Telegram can reach.`;
  if (!WEBHOOK_PORTS.includes(url.port))
    yield `TELEGRAM_WEBHOOK_URL: ${given} is not valid (port ${url.port}). Allowed: the ports 443, 80, 88 and 8443.`;
}

function* playgroundProblems(values: Values): Generator<string> {
  const platform = values.DISCORD_TOKEN !== undefined || values.TELEGRAM_TOKEN !== undefined;
  if (platform && playgroundIsOn(values) && values.PLAYGROUND_PASSWORD === undefined)
    yield 'PLAYGROUND_PASSWORD: missing, but PLAYGROUND is on together with a platform. Set 8 to 256 printable characters without spaces, or PLAYGROUND=off.';
}

function* approvalProblems(values: Values): Generator<string> {
  const platform = values.DISCORD_TOKEN !== undefined || values.TELEGRAM_TOKEN !== undefined;
  if (values.COMMUNITIES === 'approved' && platform && (values.OWNERS ?? []).length === 0)
    yield 'OWNERS: missing, but COMMUNITIES is approved: nobody could approve a community. Set a list of discord:ID and telegram:ID, or COMMUNITIES=open.';
  if (values.COMMUNITIES === 'approved' && isOpenToOthers(values))
    yield `PLAYGROUND_PASSWORD: missing, but COMMUNITIES is approved and HTTP_HOST is ${values.HTTP_HOST}: nobody could approve a chat of the playground. Set 8 to 256 printable characters without spaces, or HTTP_HOST=127.0.0.1.`;
}

function* unusedSettings(values: Values): Generator<string> {
  const embedded = values.GENERATION_URL === undefined;
  if (embedded && (values.GENERATION_API_KEY !== undefined || values.GENERATION_TOKEN !== undefined))
    yield 'GENERATION_URL is unset: the embedded service is used; the given key and token are ignored.';
  if (!embedded && values.GENERATION_API_KEY === undefined)
    yield 'GENERATION_API_KEY is unset: the service will refuse face swaps, group swaps and catalogs.';
  if (!embedded && values.GENERATION_TOKEN === undefined)
    yield 'GENERATION_TOKEN is unset: the service will refuse videos and aliases.';
  if (values.DISCORD_PUBLIC_KEY !== undefined && values.DISCORD_TOKEN === undefined)
    yield 'DISCORD_PUBLIC_KEY is set, but DISCORD_TOKEN is not: Discord is off.';
  if (values.TELEGRAM_WEBHOOK_URL !== undefined && values.TELEGRAM_TOKEN === undefined)
    yield 'TELEGRAM_WEBHOOK_URL is set, but TELEGRAM_TOKEN is not: Telegram is off.';
  if (values.TELEGRAM_WEBHOOK_SECRET !== undefined && values.TELEGRAM_WEBHOOK_URL === undefined)
    yield 'TELEGRAM_WEBHOOK_SECRET is set, but TELEGRAM_WEBHOOK_URL is not: updates come by long polling.';
}

function isOpenToOthers(values: Values): boolean {
  return playgroundIsOn(values) && values.PLAYGROUND_PASSWORD === undefined && !isLoopback(values.HTTP_HOST);
}

function* weakSettings(values: Values): Generator<string> {
  if (isOpenToOthers(values))
    yield `HTTP_HOST is ${values.HTTP_HOST}: everyone who reaches it can use the playground. Set PLAYGROUND_PASSWORD.`;
  yield* videoPrices(values);
  const short = values.TELEGRAM_WEBHOOK_SECRET?.length ?? 256;
  if (short < 16)
    yield `TELEGRAM_WEBHOOK_SECRET has ${short} characters and can be guessed. Use 32 or more (openssl rand -hex 32).`;
}

function* videoPrices({ VIDEO_CREDITS, USER_DAILY_CREDITS }: Values): Generator<string> {
  for (const [model, credits] of Object.entries(VIDEO_CREDITS)) {
    if (credits === 0)
      yield `VIDEO_CREDITS: ${model} costs nothing, so the allowance does not limit these videos.`;
    if (credits > USER_DAILY_CREDITS && USER_DAILY_CREDITS > 0)
      yield `VIDEO_CREDITS: ${model} costs ${credits} for four seconds, more than USER_DAILY_CREDITS (${USER_DAILY_CREDITS}): nobody can make one without a higher allowance.`;
  }
}

/** Only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
