import { connectionOf } from '../adapters/connections.ts';
import { isLoopback } from '../base/network/public-address.ts';
import { PLATFORMS, type Platform } from '../platforms/platforms.ts';
import type { SettingValues } from './parse.ts';
import { aboutSetting, ConfigError } from './settings.ts';

const connections = PLATFORMS.flatMap((platform) => connectionOf(platform) ?? []);

/** The configuration of each active platform. */
export function activePlatforms({ platforms }: SettingValues): Readonly<Partial<Record<Platform, unknown>>> {
  const read = PLATFORMS.map((name) => [name, connectionOf(name)?.read(platforms)] as const);
  return Object.fromEntries(read.filter(([, config]) => config !== undefined));
}

const hasActivePlatform = (values: SettingValues): boolean => Object.keys(activePlatforms(values)).length > 0;

export const playgroundIsOn = (values: SettingValues): boolean =>
  values.PLAYGROUND === undefined ? !hasActivePlatform(values) : values.PLAYGROUND === 'on';

/** Whether only this machine can reach a host address. */
export const isThisMachine = (host: string): boolean => host === 'localhost' || isLoopback(host);

const isOpenToOthers = (values: SettingValues): boolean =>
  playgroundIsOn(values) && values.PLAYGROUND_PASSWORD === undefined && !isThisMachine(values.HTTP_HOST);

/** Whether the console is served, see `hasConsole`. */
const hasConsoleWith = (values: SettingValues): boolean =>
  values.PLAYGROUND_PASSWORD !== undefined || (playgroundIsOn(values) && isThisMachine(values.HTTP_HOST));

/** Throws for settings that contradict each other. */
export function refuseContradictions(values: SettingValues): void {
  const problems = [...contradictions(values)];
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

function* contradictions(values: SettingValues): Generator<string> {
  const { GENERATION_URL, GENERATION_API_KEY, GENERATION_TOKEN } = values;
  if (GENERATION_URL === undefined && values.STORE_URL.startsWith('postgres:'))
    yield 'GENERATION_URL: missing, but STORE_URL is a database. The embedded service belongs to one process: set the URL of a generation service, or a file as STORE_URL.';
  if (playgroundIsOn(values) && values.STORE_URL.startsWith('postgres:'))
    yield `PLAYGROUND: ${values.PLAYGROUND ?? 'on, because no platform is set'}, but STORE_URL is a database. The playground belongs to one process: set PLAYGROUND=off, or a file as STORE_URL.`;
  if (GENERATION_URL !== undefined && GENERATION_API_KEY === undefined && GENERATION_TOKEN === undefined)
    yield 'GENERATION_API_KEY: missing, but GENERATION_URL is set. Set the key for pictures, GENERATION_TOKEN for videos and aliases, or both.';
  for (const each of connections) yield* each.problems?.(values.platforms) ?? [];
  if (hasActivePlatform(values) && playgroundIsOn(values) && values.PLAYGROUND_PASSWORD === undefined)
    yield `PLAYGROUND_PASSWORD: missing, but PLAYGROUND is on together with a platform. Set ${aboutSetting('PLAYGROUND_PASSWORD').allowed}, or PLAYGROUND=off.`;
  if (values.REMOVAL_PAGE === 'on' && values.STORE_KEY === undefined)
    yield `STORE_KEY: missing, but REMOVAL_PAGE is on, and requests are stored encrypted only. Set ${aboutSetting('STORE_KEY').allowed}, or REMOVAL_PAGE=off.`;
  if (values.COMMUNITIES === 'approved' && hasActivePlatform(values) && (values.OWNERS ?? []).length === 0)
    yield `OWNERS: missing, but COMMUNITIES is approved: nobody could approve a community. Set ${aboutSetting('OWNERS').allowed}, or COMMUNITIES=open.`;
  if (values.COMMUNITIES === 'approved' && isOpenToOthers(values))
    yield `PLAYGROUND_PASSWORD: missing, but COMMUNITIES is approved and HTTP_HOST is ${values.HTTP_HOST}: nobody could approve a chat of the playground. Set ${aboutSetting('PLAYGROUND_PASSWORD').allowed}, or HTTP_HOST=127.0.0.1.`;
}

/** Warnings about settings that were understood but are probably not what the owner wanted. */
export function* likelyMistakes(values: SettingValues): Generator<string> {
  const { GENERATION_URL, GENERATION_API_KEY, GENERATION_TOKEN, USER_DAILY_CREDITS } = values;
  const embedded = GENERATION_URL === undefined;
  if (embedded && (GENERATION_API_KEY !== undefined || GENERATION_TOKEN !== undefined))
    yield 'GENERATION_URL is unset: the embedded service is used; the given key and token are ignored.';
  if (!embedded && GENERATION_API_KEY === undefined)
    yield 'GENERATION_API_KEY is unset: the service will refuse face swaps, group swaps and catalogs.';
  if (!embedded && GENERATION_TOKEN === undefined)
    yield 'GENERATION_TOKEN is unset: the service will refuse videos and aliases.';
  for (const each of connections) yield* each.warnings?.(values.platforms) ?? [];
  if (isOpenToOthers(values))
    yield `HTTP_HOST is ${values.HTTP_HOST}: without PLAYGROUND_PASSWORD the playground is for this machine alone, but whoever reaches it can claim to be on it. Set PLAYGROUND_PASSWORD.`;
  if (values.CONTENT_CHECK === 'off')
    yield 'CONTENT_CHECK is off: photos and results are not looked at for nudity.';
  if (!embedded && values.VISIBLE_MARK === 'off')
    yield 'VISIBLE_MARK is off: platforms strip what a file says of itself from photos, so nothing in such a picture shows that it was made by AI.';
  if (values.REMOVAL_PAGE === 'on' && !hasConsoleWith(values))
    yield 'REMOVAL_PAGE is on, but there is no console: requests with a picture cannot be answered, and none can be refused with a reason. Set PLAYGROUND_PASSWORD.';
  const hasOwnerInPlayground = playgroundIsOn(values) && hasConsoleWith(values);
  if (values.REMOVAL_PAGE === 'on' && (values.OWNERS ?? []).length === 0 && !hasOwnerInPlayground)
    yield 'REMOVAL_PAGE is on, but OWNERS is unset: nobody is told of a request. Set OWNERS.';
  for (const [model, credits] of Object.entries(values.VIDEO_CREDITS)) {
    if (credits === 0)
      yield `VIDEO_CREDITS: ${model} costs nothing, so the allowance does not limit these videos.`;
    if (credits > USER_DAILY_CREDITS && USER_DAILY_CREDITS > 0)
      yield `VIDEO_CREDITS: ${model} costs ${credits} for four seconds, more than USER_DAILY_CREDITS (${USER_DAILY_CREDITS}): nobody can make one without a higher allowance.`;
  }
}
