import { z } from 'zod';
import { PLATFORMS, profileOf } from '../adapters/profiles.ts';
import { LANGUAGES } from '../words/words.ts';
import { OWNERS_ALLOWED, owners, storeKeys, storeUrl, videoCredits } from './kinds.ts';
import { type About, about, optional, URL_ALLOWED, withDefault } from './setting.ts';
import { choice, decimal, matching, secretText, webAddress, wholeNumber } from './values.ts';

function count(preset: number, most: number, meaning: string, least = 1) {
  return withDefault(wholeNumber(least, most), String(preset), {
    meaning,
    allowed: `a whole number from ${least} to ${most}`,
    shownTo: 'owner',
  });
}

function amount(preset: number, most: number, meaning: string) {
  return withDefault(decimal(0.01, most), String(preset), {
    meaning,
    allowed: `a number from 0.01 to ${most}`,
    shownTo: 'owner',
  });
}

function ceiling(meaning: string) {
  return optional(wholeNumber(0, 1_000_000_000), {
    unset: 'unset: no limit',
    meaning,
    allowed: 'a whole number from 0 to 1000000000',
    shownTo: 'owner',
  });
}

const serviceSettings = {
  GENERATION_URL: optional(webAddress(), {
    unset: 'unset: embedded service',
    meaning: 'base URL of the generation service; needs the key, the token, or both',
    allowed: URL_ALLOWED,
    shownTo: 'owner',
  }),
  GENERATION_API_KEY: optional(secretText(1, 4096), {
    meaning: 'key for face swap and multi swap endpoints and catalogs',
    allowed: '1 to 4096 printable characters without spaces',
    shownTo: 'nobody',
  }),
  GENERATION_API_KEY_HEADER: withDefault(
    matching(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'not a header name'),
    'X-API-Key',
    {
      meaning: 'header that the key is sent in',
      allowed: 'the name of an HTTP header',
      shownTo: 'owner',
    },
  ),
  GENERATION_TOKEN: optional(secretText(1, 4096), {
    meaning: 'bearer token for video and alias endpoints',
    allowed: '1 to 4096 printable characters without spaces',
    shownTo: 'nobody',
  }),
  GENERATION_ASSUMPTIONS: optional(z.string().max(100_000), {
    meaning: 'JSON (or the path of a JSON file) that overrides what the client assumes about the service',
    allowed: 'a JSON object, or the path of a file that holds one',
    shownTo: 'owner',
  }),
};

const otherSettings = {
  HTTP_HOST: withDefault(matching(/^[\w.:-]{1,253}$/, 'not a host name or IP address'), '127.0.0.1', {
    meaning: 'address on which the playground, `/healthz`, `/readyz`, `/metrics` and webhooks listen',
    allowed: 'a host name or IP address; 0.0.0.0 listens everywhere',
    shownTo: 'owner',
  }),
  HTTP_PORT: withDefault(wholeNumber(0, 65_535), '8080', {
    meaning: 'port for these; 0 picks a free one',
    allowed: 'a whole number from 0 to 65535',
    shownTo: 'owner',
  }),
  PLAYGROUND: optional(choice('on', 'off'), {
    unset: '`on` when no platform token is set, else `off`',
    meaning: 'chat page; together with a platform it needs `PLAYGROUND_PASSWORD`',
    allowed: 'on or off',
    shownTo: 'owner',
  }),
  PLAYGROUND_PASSWORD: optional(secretText(8, 256), {
    meaning: 'password of the chat page',
    allowed: '8 to 256 printable characters without spaces',
    shownTo: 'nobody',
  }),
  STORE_URL: withDefault(storeUrl, 'sqlite:./data/darkroom.sqlite', {
    meaning:
      'where jobs and settings are kept: a file, or `postgres://user:password@host/database` (PostgreSQL 14 or newer; `?schema=name` for a schema of its own)',
    allowed: 'sqlite:PATH or postgres://user:password@host:port/database',
    // It often carries a password.
    shownTo: 'nobody after the scheme',
  }),
  STORE_KEY: optional(storeKeys, {
    unset: 'unset: not encrypted',
    meaning:
      'encrypts everything personal at rest, and lets people save faces; `new,old` while changing keys',
    allowed: '32 bytes in base64 (openssl rand -base64 32), or two such keys separated by a comma',
    shownTo: 'nobody',
  }),
  OWNERS: optional(owners, {
    meaning: `people who may do everything everywhere: \`${OWNERS_ALLOWED.join()}\``,
    allowed: `a list of ${OWNERS_ALLOWED.join(' and ')}, separated by commas`,
    shownTo: 'owner',
  }),
  OWNER_LANGUAGE: withDefault(choice(...LANGUAGES), 'en', {
    meaning:
      'language of notices to owners and of messages in log channels (`/settings language` there is first), and of the console in a browser whose languages Darkroom does not speak',
    allowed: 'the two letters of a language that Darkroom speaks, such as en or de',
    shownTo: 'owner',
  }),
  USER_CONCURRENT_JOBS: count(2, 1000, 'running jobs of one user; more wait in line'),
  USER_WAITING_JOBS: count(5, 1000, 'waiting jobs of one user; more are refused', 0),
  USER_JOBS_PER_MINUTE: count(10, 10_000, 'jobs that one user can submit per minute'),
  USER_DAILY_CREDITS: count(
    100,
    1_000_000,
    'daily allowance of one user; a community can set its own, up to `USER_MAX_DAILY_CREDITS`',
    0,
  ),
  USER_MAX_DAILY_CREDITS: count(
    1000,
    1_000_000,
    'the most that a community can give one user a day; owners may give more',
    0,
  ),
  COMMUNITY_DAILY_CREDITS: ceiling('the most that all users of one community can spend a day'),
  SERVICE_DAILY_CREDITS: ceiling(
    'the most that everybody together can spend a day; owners are told at 80 % and when it is reached',
  ),
  COMMUNITIES: withDefault(choice('open', 'approved'), 'open', {
    meaning:
      '`approved`: only communities, and people in direct chats, that an owner has approved; others get a polite answer, and owners a notice with a button',
    allowed: 'open or approved',
    shownTo: 'owner',
  }),
  FACE_CHECK: withDefault(choice('on', 'off'), 'on', {
    meaning:
      'look for faces in a photo before credits are spent, and ask where it does not show who it should',
    allowed: 'on or off',
    shownTo: 'owner',
  }),
  VIDEO_CREDITS: withDefault(videoCredits, 'simple:5,advanced:10,performance:20', {
    meaning: 'credits per 4 s of video, counted against the allowance',
    allowed:
      'model:credits for each of simple, advanced and performance, separated by commas, whole numbers from 0 to 10000',
    shownTo: 'owner',
  }),
  SERVICE_CONCURRENT_JOBS: count(50, 10_000, 'running jobs of all users'),
  SERVICE_CALLS_PER_SECOND: count(
    20,
    10_000,
    'HTTP calls to the service, files on its own host included; when more are wanted, half are for submissions',
  ),
  IMAGE_DEADLINE_MINUTES: amount(10, 1440, 'a picture that takes longer fails'),
  VIDEO_DEADLINE_MINUTES: amount(30, 1440, 'a video that takes longer fails'),
  WAITING_DEADLINE_MINUTES: amount(360, 10_080, 'a job that is not submitted by then fails'),
  IMAGE_LOOK_FLOOR_SECONDS: amount(1, 600, 'minimum time between two polls of a picture'),
  VIDEO_LOOK_FLOOR_SECONDS: amount(5, 600, 'minimum time between two polls of a video'),
  CONSENT: withDefault(choice('required', 'off'), 'required', {
    meaning: 'ask at first use whether the people shown agreed',
    allowed: 'required or off',
    shownTo: 'owner',
  }),
  LOG_LEVEL: withDefault(choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', {
    meaning:
      'least level that is logged; JSON lines, or readable text in a terminal; the signal `SIGUSR2` switches to `debug` and back',
    allowed: 'trace, debug, info, warn, error, fatal or silent',
    shownTo: 'owner',
  }),
};

/** By platform: each reads its own. */
export const platformSettings: z.ZodObject<Readonly<Record<string, z.ZodType>>> = z.object(
  Object.assign({}, ...PLATFORMS.map((platform) => profileOf(platform).connection?.settings)),
);
export const ownSettings = z.object({ ...serviceSettings, ...otherSettings });

/** Every setting, in the order of the tables made from it. */
const all: Readonly<Record<string, z.ZodType>> = {
  ...serviceSettings,
  ...platformSettings.shape,
  ...otherSettings,
};

export type Env = Readonly<Record<string, string | undefined>>;

export const settingNames: readonly string[] = Object.keys(all);

export function aboutSetting(name: string): About {
  const known = all[name] && about.get(all[name]);
  if (known === undefined) throw new Error(`no such setting: ${name}`);
  return known;
}

export const secretNames: readonly string[] = settingNames.filter((name) =>
  aboutSetting(name).shownTo.startsWith('nobody'),
);

/** The setting that names a file which holds this secret. */
export const fileNameOf = (secretName: string): string => `${secretName}_FILE`;

/** Settings with which Darkroom must not start. The message has one line for each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
