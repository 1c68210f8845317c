import type { z } from 'zod';
import { createRedactor } from '../log/redact.ts';
import { ConfigError } from './error.ts';
import { aboutSetting, settingNames, settings } from './settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Values = z.output<typeof settings>;

/** Parses each setting on its own; `crossCheck` checks them against each other. */
export function parseSettings(env: Env): Values {
  // `.env` files and Compose express "unset" as an empty value.
  const given = Object.fromEntries(
    settingNames.flatMap((name) => (env[name]?.trim() ? [[name, env[name]] as const] : [])),
  );
  const result = settings.safeParse(given);
  if (result.success) return result.data;

  const secrets = settingNames.filter((name) => aboutSetting(name).secret).map((name) => given[name] ?? '');
  const scrub = createRedactor(secrets);
  const lines = new Map<string, string>();
  for (const issue of result.error.issues) {
    const name = String(issue.path[0]);
    if (!lines.has(name)) lines.set(name, describe(name, given[name] ?? '', issue.message, scrub));
  }
  throw new ConfigError([...lines.values()].join('\n'));
}

function describe(name: string, given: string, wrong: string, scrub: (text: string) => string): string {
  const { allowed, secret } = aboutSetting(name);
  const hidden = `${scheme(secret, given)} value of ${given.length} characters (not shown)`;
  const shown = secret ? hidden : JSON.stringify(cut(scrub(given)));
  return `${name}: ${shown} is not valid (${wrong}). Allowed: ${allowed}.`;
}

function scheme(secret: true | string | undefined, given: string): string {
  const [, found] = /^([a-z]{1,20}):/i.exec(given) ?? [];
  return secret === 'after the scheme' && found !== undefined ? `a "${found}:"` : 'a';
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
