import { defined } from '../base/defined.ts';
import { parseJson } from '../base/parse-json.ts';
import {
  activePlatforms,
  isThisMachine,
  likelyMistakes,
  playgroundIsOn,
  refuseContradictions,
} from './cross-check.ts';
import { NamedFileError, readNamedFile } from './named-file.ts';
import { parseSettings, parseSome, type SettingValues } from './parse.ts';
import { aboutSetting, ConfigError, type Env, ownSettings } from './settings.ts';

export { mergeEnvFile, readEnvFileText } from './env-file.ts';
export { ConfigError } from './settings.ts';

/** The validated configuration of the program. */
export type Config = ReturnType<typeof readConfig>;

/**
 * The room's entry: reads and validates all settings (declared in `settings.ts`, parsed in `parse.ts`, checked against each
 * other in `cross-check.ts`). Throws a `ConfigError` that names every wrong setting and shows no secret.
 */
export function readConfig(env: Env) {
  const values = parseSettings(env);
  const config = configFrom(values);
  refuseContradictions(values);
  return { ...config, warnings: [...likelyMistakes(values)] };
}

/** Reads the settings of tools that work on the store alone, whatever the other settings are. */
export function readStoreConfig(env: Env) {
  const schema = ownSettings.pick({ STORE_URL: true, STORE_KEY: true });
  const { values, secrets } = parseSome(env, schema);
  return { url: values.STORE_URL, keys: values.STORE_KEY ?? [], secrets };
}

/** Reads only the keys of a store whose address is not a setting: `npm run store:move` is given two addresses. */
export function readStoreKeys(env: Env) {
  const { values, secrets } = parseSome(env, ownSettings.pick({ STORE_KEY: true }));
  return { keys: values.STORE_KEY ?? [], secrets };
}

/** Groups the values of the settings for the program. */
export function configFrom(values: SettingValues) {
  return {
    generation: {
      /** The URL of the service; absent: the embedded service. */
      url: values.GENERATION_URL,
      apiKey: values.GENERATION_API_KEY,
      apiKeyHeader: values.GENERATION_API_KEY_HEADER,
      token: values.GENERATION_TOKEN,
      videoCredits: values.VIDEO_CREDITS,
      callsPerSecond: values.SERVICE_CALLS_PER_SECOND,
      concurrentJobs: values.SERVICE_CONCURRENT_JOBS,
      assumptions: readAssumptions(values.GENERATION_ASSUMPTIONS),
    },
    /** The configuration of each active platform, made by its connection. */
    platforms: activePlatforms(values),
    http: { host: values.HTTP_HOST, port: values.HTTP_PORT },
    playground: { on: playgroundIsOn(values), password: values.PLAYGROUND_PASSWORD },
    /** The store's address and keys: the first key encrypts, every key decrypts; without a key nothing is encrypted. */
    store: { url: values.STORE_URL, keys: values.STORE_KEY ?? [] },
    owners: values.OWNERS ?? [],
    ownerLanguage: values.OWNER_LANGUAGE,
    user: {
      concurrentJobs: values.USER_CONCURRENT_JOBS,
      waitingJobs: values.USER_WAITING_JOBS,
      jobsPerMinute: values.USER_JOBS_PER_MINUTE,
      dailyCredits: values.USER_DAILY_CREDITS,
      /** The most credits that a community can give; by default the owner's own allowance. */
      mostDailyCredits: Math.max(values.USER_MAX_DAILY_CREDITS, values.USER_DAILY_CREDITS),
    },
    /** The most credits a day, for all people of one community, and for everybody, and a month for everybody; absent: no limit. */
    ceilings: defined({
      community: values.COMMUNITY_DAILY_CREDITS,
      service: values.SERVICE_DAILY_CREDITS,
      month: values.SERVICE_MONTHLY_CREDITS,
    }),
    /** What a credit costs the owner; undefined: money is not shown. */
    creditPrice: values.CREDIT_PRICE,
    /** `approved`: only communities that an owner has approved may use the bot. */
    communities: values.COMMUNITIES,
    /** Whether photos are checked for faces before credits are spent. */
    faceCheck: values.FACE_CHECK,
    /** Whether photos are looked at for nudity. */
    contentCheck: values.CONTENT_CHECK,
    /** Whether boys and girls are accepted. */
    minors: values.MINORS,
    /** Whether pictures get the visible mark. The embedded service's are drawn by this program, which is known to who tries it. */
    visibleMark: (values.VISIBLE_MARK ?? (values.GENERATION_URL === undefined ? 'off' : 'on')) === 'on',
    /** Whether people outside the chat can ask for removal at `/removal`. */
    removalPage: values.REMOVAL_PAGE,
    consent: values.CONSENT,
    logLevel: values.LOG_LEVEL,
    deadlines: {
      imageMs: values.IMAGE_DEADLINE_MINUTES * 60_000,
      videoMs: values.VIDEO_DEADLINE_MINUTES * 60_000,
      waitingMs: values.WAITING_DEADLINE_MINUTES * 60_000,
    },
    floors: {
      imageMs: values.IMAGE_LOOK_FLOOR_SECONDS * 1_000,
      videoMs: values.VIDEO_LOOK_FLOOR_SECONDS * 1_000,
    },
    /** Every secret value, for the log, which must hide them. */
    secrets: values.secrets,
  };
}

/** Whether a platform other than the playground is active. */
export const hasActivePlatform = ({ platforms }: Config): boolean => Object.keys(platforms).length > 0;

/**
 * Whether the console is served. Without a password it is only if nothing else can reach it: on this machine, with no platform
 * connected.
 */
export function hasConsole({
  playground: { on, password },
  http,
}: Pick<Config, 'playground' | 'http'>): boolean {
  return password !== undefined || (on && isThisMachine(http.host));
}

/** Whether the playground has an owner: only people who may use the console can act as one. */
export const hasPlaygroundOwner = (config: Pick<Config, 'playground' | 'http'>): boolean =>
  config.playground.on && hasConsole(config);

const MOST_ASSUMPTION_BYTES = 1_000_000;

/** Reads the overrides of the client's assumptions: JSON in the setting itself, or in the file that it names. */
function readAssumptions(given: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined) return undefined;
  const path = given.trim().startsWith('{') ? undefined : given.trim();
  const shown = path === undefined ? 'the text' : JSON.stringify(path);
  const wrong = (what: string): ConfigError =>
    new ConfigError(
      `GENERATION_ASSUMPTIONS: ${shown} ${what}. Allowed: ${aboutSetting('GENERATION_ASSUMPTIONS').allowed}.`,
    );
  let text = given;
  try {
    if (path !== undefined) text = readNamedFile(path, MOST_ASSUMPTION_BYTES).toString();
  } catch (error) {
    throw error instanceof NamedFileError ? wrong(`cannot be read (${error.message})`) : error;
  }
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(path === undefined ? 'is not a JSON object' : 'holds no JSON object');
}
