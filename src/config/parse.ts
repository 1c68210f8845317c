import type { z } from 'zod';
import type { SettingDescription } from '../base/setting.ts';
import { createRedactor } from '../log/redact.ts';
import { readSecretFiles } from './secret-files.ts';
import {
  aboutSetting,
  ConfigError,
  type Env,
  fileNameOf,
  ownSettings,
  platformSettings,
  secretNames,
  settingNames,
} from './settings.ts';

/** The parsed value of every setting. */
export type SettingValues = z.output<typeof ownSettings> & {
  /** The settings of all platforms, by name. */
  readonly platforms: Readonly<Record<string, unknown>>;
  /** Secret values, which no log may show. */
  readonly secrets: readonly string[];
};

/** Parses each setting on its own; `cross-check.ts` checks them against each other. */
export function parseSettings(env: Env): SettingValues {
  const given = givenIn(env, settingNames);
  const own = ownSettings.safeParse(given.values);
  const platforms = platformSettings.safeParse(given.values);
  if (own.success && platforms.success && given.problems.length === 0)
    return {
      ...own.data,
      platforms: platforms.data,
      secrets: secretsIn({ ...own.data, ...platforms.data }),
    };
  throw errorOf(given, [...(own.error?.issues ?? []), ...(platforms.error?.issues ?? [])]);
}

/** Parses only the settings of `schema`, for a tool that uses no others, which may be missing or wrong. */
export function parseSome<Shape extends z.ZodRawShape>(env: Env, schema: z.ZodObject<Shape>) {
  const given = givenIn(env, Object.keys(schema.shape));
  const parsed = schema.safeParse(given.values);
  if (parsed.success && given.problems.length === 0)
    return { values: parsed.data, secrets: secretsIn(parsed.data) };
  throw errorOf(given, parsed.error?.issues ?? []);
}

type Given = ReturnType<typeof givenIn>;

/**
 * The texts of settings as the owner has written them, in `env` or in files of secrets. `problems` has one line for each file
 * that cannot be used.
 */
function givenIn(env: Env, names: readonly string[]) {
  const { values: fromFiles, problems } = readSecretFiles(env, names);
  // Empty values count as unset, because `.env` files and Compose write them like that.
  const values: Readonly<Record<string, string>> = Object.fromEntries(
    names.flatMap((name) => {
      const value = fromFiles.get(name) ?? env[name];
      return value?.trim() ? [[name, value] as const] : [];
    }),
  );
  return { values, fromFiles, problems };
}

/** Makes an error with one line for each wrong setting, in the order of the tables of settings, without secrets. */
function errorOf({ values, fromFiles, problems }: Given, issues: readonly z.core.$ZodIssue[]): ConfigError {
  const scrub = createRedactor(secretNames.map((name) => values[name]?.trim() ?? ''));
  const lines = new Map<string, string>();
  for (const issue of issues.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const name = String(issue.path[0]);
    const from = fromFiles.has(name) ? fileNameOf(name) : name;
    if (!lines.has(name))
      lines.set(name, `${from}: ${describe(name, values[name] ?? '', issue.message, scrub)}`);
  }
  return new ConfigError([...problems.map(scrub), ...lines.values()].join('\n'));
}

function describe(name: string, given: string, wrong: string, scrub: (text: string) => string): string {
  const { allowed, shownTo } = aboutSetting(name);
  const hidden = `${scheme(shownTo, given)} value of ${given.length} characters (not shown)`;
  const shown = secretNames.includes(name) ? hidden : JSON.stringify(cut(scrub(given)));
  return `${shown} is not valid (${wrong}). Allowed: ${allowed}.`;
}

function scheme(shownTo: SettingDescription['shownTo'], given: string): string {
  const [, found] = /^([a-z]{1,20}):/i.exec(given) ?? [];
  return shownTo === 'nobody after the scheme' && found !== undefined ? `a "${found}:"` : 'a';
}

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

const orderOf = ({ path: [name] }: z.core.$ZodIssue): number => settingNames.indexOf(String(name));

/** Collects the secrets among the values: a secret is a text, a list of keys, or an address that contains one. */
function secretsIn(values: Readonly<Record<string, unknown>>): readonly string[] {
  return secretNames
    .flatMap((name) => [values[name] ?? []].flat().map((value) => [name, value] as const))
    .flatMap(([name, value]) => {
      if (Buffer.isBuffer(value)) return value.toString('base64');
      return aboutSetting(name).shownTo === 'nobody' ? String(value) : passwordFormsIn(String(value));
    })
    .filter((secret) => secret !== '');
}

/** The password of an address, as it is written there and decoded. */
export function passwordFormsIn(url: string): readonly string[] {
  const password = URL.parse(url)?.password ?? '';
  return [password, decodeURIComponent(password)];
}
