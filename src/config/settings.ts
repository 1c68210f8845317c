import { z } from 'zod';
import { connectionOf } from '../adapters/connections.ts';
import {
  decimal,
  matching,
  oneOf,
  optionalSetting,
  type SettingDescription,
  secretText,
  settingDescriptions,
  webAddress,
  wholeNumber,
  withDefault,
} from '../base/setting.ts';
import { SHORTEST_SECRET } from '../log/redact.ts';
import { PLATFORMS } from '../platforms/platforms.ts';
import { LANGUAGES } from '../words/language.ts';
import { creditPrice, OWNER_FORMS, owners, storeKeys, storeUrl, videoCredits } from './setting-kinds.ts';

const count = (preset: number, most: number, meaning: string, least = 1) =>
  withDefault(wholeNumber(least, most), String(preset), meaning);

const amount = (preset: number, most: number, meaning: string) =>
  withDefault(decimal(0.01, most), String(preset), meaning);

const ceiling = (meaning: string) =>
  optionalSetting(wholeNumber(0, 1_000_000_000), meaning, 'unset: no limit');

const headerName = matching(
  'owner',
  'the name of an HTTP header',
  /^[\w!#$%&'*+.^`|~-]{1,100}$/,
  'not a header name',
);
const hostName = matching(
  'owner',
  'a host name or IP address; 0.0.0.0 listens everywhere',
  /^[\w.:-]{1,253}$/,
  'not a host name or IP address',
);

const serviceSettings = {
  GENERATION_URL: optionalSetting(
    webAddress(),
    'base URL of the generation service; needs the key, the token, or both',
    'unset: embedded service',
  ),
  GENERATION_API_KEY: optionalSetting(
    secretText(SHORTEST_SECRET, 4096),
    'key for face swap and multi swap endpoints and catalogs',
  ),
  GENERATION_API_KEY_HEADER: withDefault(headerName, 'X-API-Key', 'header that the key is sent in'),
  GENERATION_TOKEN: optionalSetting(
    secretText(SHORTEST_SECRET, 4096),
    'bearer token for video and alias endpoints',
  ),
  GENERATION_ASSUMPTIONS: optionalSetting(
    {
      schema: z.string().max(100_000),
      allowed: 'a JSON object, or the path of a file that holds one',
      shownTo: 'owner',
    },
    'JSON (or the path of a JSON file) that overrides what the client assumes about the service',
  ),
};

const otherSettings = {
  HTTP_HOST: withDefault(
    hostName,
    '127.0.0.1',
    'address on which the playground, `/healthz`, `/readyz`, `/metrics` and webhooks listen',
  ),
  HTTP_PORT: withDefault(wholeNumber(0, 65_535), '8080', 'port for these; 0 picks a free one'),
  PLAYGROUND: optionalSetting(
    oneOf('on', 'off'),
    'chat page; together with a platform it needs `PLAYGROUND_PASSWORD`',
    '`on` when no platform token is set, else `off`',
  ),
  PLAYGROUND_PASSWORD: optionalSetting(
    secretText(8, 256),
    'password of the chat page, and of the console at `/owner`, which is not there without one where a platform is connected',
  ),
  STORE_URL: withDefault(
    storeUrl,
    'sqlite:./data/darkroom.sqlite',
    'where jobs and settings are kept: a file, or `postgres://user:password@host/database` (PostgreSQL 14 or newer; `?schema=name` for a schema of its own)',
  ),
  STORE_KEY: optionalSetting(
    storeKeys,
    'encrypts everything personal at rest, and lets people save faces; `new,old` while changing keys',
    'unset: not encrypted',
  ),
  OWNERS: optionalSetting(owners, `people who may do everything everywhere: \`${OWNER_FORMS.join()}\``),
  OWNER_LANGUAGE: withDefault(
    {
      ...oneOf(...LANGUAGES),
      allowed: 'the two letters of a language that Darkroom speaks, such as en or de',
    },
    'en',
    'language of notices to owners and of messages in log channels (`/settings language` there is first), and of the console in a browser whose languages Darkroom does not speak',
  ),
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
  SERVICE_MONTHLY_CREDITS: ceiling(
    'the most that everybody together can spend a calendar month (UTC); owners are told at 80 % and when it is reached',
  ),
  CREDIT_PRICE: optionalSetting(
    creditPrice,
    'what a credit costs the owner, such as `0.04 EUR`: the console, notices and `/usage` of owners then show money beside credits',
  ),
  COMMUNITIES: withDefault(
    oneOf('open', 'approved'),
    'open',
    '`approved`: only communities, and people in direct chats, that an owner has approved; others get a polite answer, and owners a notice with a button',
  ),
  FACE_CHECK: withDefault(
    oneOf('on', 'off'),
    'on',
    'look for faces in a photo before credits are spent, and ask where it does not show who it should',
  ),
  CONTENT_CHECK: withDefault(
    oneOf('on', 'off'),
    'on',
    'look for nudity in photos and results, on the own machine: a photo over the threshold is refused before credits are spent, a result is held until a moderator decides (`off`: never; the doctor warns)',
  ),
  MINORS: withDefault(
    oneOf('allow', 'refuse'),
    'allow',
    '`refuse`: boys and girls are not offered and not accepted, in new and repeated jobs, drafts and saved faces; what a photo or a text shows is not judged',
  ),
  VISIBLE_MARK: optionalSetting(
    oneOf('on', 'off'),
    'a small "AI" in a corner of every picture that is shown, and of the videos of the embedded service; videos of a real service say it in their caption alone',
    '`on` with a real service, `off` with the embedded one',
  ),
  REMOVAL_PAGE: withDefault(
    oneOf('on', 'off'),
    'off',
    '`on`: people outside the chat can ask at `/removal` that a result is removed; owners decide in the console; needs `STORE_KEY`',
  ),
  VIDEO_CREDITS: withDefault(
    videoCredits,
    'simple:5,advanced:10,performance:20',
    'credits per 4 s of video, counted against the allowance',
  ),
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
  CONSENT: withDefault(
    oneOf('required', 'off'),
    'required',
    'ask at first use whether the people shown agreed',
  ),
  LOG_LEVEL: withDefault(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'least level that is logged; JSON lines, or readable text in a terminal; the signal `SIGUSR2` switches to `debug` and back',
  ),
};

/** The settings of all platforms; each connection declares and reads its own. */
export const platformSettings: z.ZodObject<Readonly<Record<string, z.ZodType>>> = z.object(
  Object.assign({}, ...PLATFORMS.map((platform) => connectionOf(platform)?.settings)),
);
export const ownSettings = z.object({ ...serviceSettings, ...otherSettings });

/** Every setting, in the order of the tables that are made from it. */
const all: Readonly<Record<string, z.ZodType>> = {
  ...serviceSettings,
  ...platformSettings.shape,
  ...otherSettings,
};

/** The environment variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The names of all settings, in the order of their tables. */
export const settingNames: readonly string[] = Object.keys(all);

export function aboutSetting(name: string): SettingDescription {
  const known = all[name] && settingDescriptions.get(all[name]);
  if (known === undefined) throw new Error(`no such setting: ${name}`);
  return known;
}

/** The names of the settings that hold secrets. */
export const secretNames: readonly string[] = settingNames.filter((name) =>
  aboutSetting(name).shownTo.startsWith('nobody'),
);

/** The name of the setting that holds the path of a file with this secret. */
export const fileNameOf = (secretName: string): string => `${secretName}_FILE`;

/** Thrown for settings with which Darkroom must not start. The message has one line for each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
