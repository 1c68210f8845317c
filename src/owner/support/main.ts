import { existsSync } from 'node:fs';
import { availableParallelism, freemem, release, totalmem } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { version } from '../../base/version.ts';
import { type Config, ConfigError, mergeEnvFile, readConfig } from '../../config/config.ts';
import { type Env, fileNameOf, settingNames } from '../../config/settings.ts';
import { GENERATION_ERROR_KINDS } from '../../generation-client/wire/errors.ts';
import { createOutFile, toolOptions } from '../command-line.ts';
import { type Check, examine } from '../doctor/diagnose.ts';

/**
 * `npm run support [-- --out FILE]` writes a file for the report of a problem: versions, names of settings, and the doctor's
 * results. It contains only numbers and words of fixed lists; all other text is left out instead of being searched for
 * secrets.
 */

const usage = 'Usage: npm run support [-- --out FILE]';

/** The reasons of the doctor that are no codes. Reasons of unexpected errors may be any text, and are left out. */
const REASONS: ReadonlySet<string> = new Set([
  ...['malformed', 'not set', 'none', 'refused', 'rate-limited', 'not reachable', 'unexpected error'],
  ...['cannot be added', 'webhook error', 'address without key', 'wrong key', 'no address'],
  ...['StoreError', 'StoreKeyError', 'StoreGoneError', 'StoreDamagedError', ...GENERATION_ERROR_KINDS],
  ...[...getSystemErrorMap().values()].map(([code]) => code),
]);
/** Matches the codes of Node and its libraries, of PostgreSQL, SQLite and Discord. */
const CODE =
  /^(?:(?:UND_)?ERR_[A-Z_0-9]{2,36}|(?:\d[0-9A-Z]|XX|P0|F0|HV)[0-9A-Z]{3}|SQLite \d{1,5}|refused \d{1,6})$/;

function settingsIn(env: Env, error: ConfigError | undefined) {
  const names = settingNames.flatMap((name) => [name, fileNameOf(name)]);
  const complaints = error?.message.split('\n').map((line) => line.split(':')[0] ?? '') ?? [];
  return {
    set: names.filter((name) => env[name]?.trim()),
    malformed: complaints.filter((name) => names.includes(name) || name === '.env'),
  };
}

async function checksOf(config: Config) {
  const checks: Pick<Check, 'name' | 'status' | 'reason'>[] = [];
  try {
    for await (const { name, status, reason = '' } of examine(config))
      checks.push({ name, status, ...(REASONS.has(reason) || CODE.test(reason) ? { reason } : {}) });
  } catch {
    checks.push({ name: 'Doctor', status: 'failed', reason: 'unexpected error' });
  }
  return checks;
}

/** Reads the environment, and the configuration if its settings are valid. */
function read(): { env: Env; config?: Config; error?: ConfigError } {
  let env: Env = process.env;
  try {
    env = mergeEnvFile('.env', process.env).env;
    return { env, config: readConfig(env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { env, error };
  }
}

async function gather(now: number) {
  const { env, config, error } = read();
  return {
    format: 2,
    version,
    at: new Date(now).toISOString(),
    node: process.version,
    machine: {
      system: process.platform,
      // Only the number is kept, because the text of a release may name the person who built it.
      release: /^[\d.]*\d/.exec(release())?.[0],
      processor: process.arch,
      processors: availableParallelism(),
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
      isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    },
    settings: settingsIn(env, error),
    ...(config && { checks: await checksOf(config) }),
  };
}

const now = Date.now();
const out =
  toolOptions({ out: { type: 'string' } }, usage).out ??
  `darkroom-support-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
const text = `${JSON.stringify(await gather(now), undefined, 2)}\n`;
createOutFile(out).write(text);
console.log(
  `Wrote ${out}: no secrets, no people, no addresses. Look through it, then attach it to your report.`,
);
