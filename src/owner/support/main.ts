import { existsSync } from 'node:fs';
import { availableParallelism, freemem, release, totalmem } from 'node:os';
import { version } from '../../base/version.ts';
import { type Config, ConfigError, loadEnvFile, readConfig } from '../../config/config.ts';
import type { Env } from '../../config/settings.ts';
import { createOut, optionsOf } from '../command-line.ts';
import { aboutHealth, aboutRunning } from './about-health.ts';
import { aboutSettings } from './about-settings.ts';
import { aboutStore } from './about-store.ts';

/**
 * `npm run support [-- --out FILE]`: writes what a report of a problem needs, without secrets and without anything about people.
 * Only known words, numbers and versions go into it; everything else is left out, not searched for secrets.
 */

const usage = 'Usage: npm run support [-- --out FILE]';

/** `warnings`: lines in `.env` that are no setting. */
function read(): { env: Env; warnings: number; config?: Config; error?: ConfigError } {
  let given: { env: Env; warnings: number } = { env: process.env, warnings: 0 };
  try {
    const { env, warnings } = loadEnvFile('.env', process.env);
    given = { env, warnings: warnings.length };
    return { ...given, config: readConfig(env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...given, error };
  }
}

async function gather(now: number) {
  const { env, warnings, config, error } = read();
  const parts = config && {
    settingWarnings: warnings + config.warnings.length,
    checks: await aboutHealth(config),
    running: await aboutRunning(config),
    ...(await aboutStore(config, now)),
  };
  return {
    format: 1,
    version,
    at: new Date(now).toISOString(),
    node: process.version,
    machine: {
      system: process.platform,
      // Its text may name the person who built it.
      release: /^[\d.]*\d/.exec(release())?.[0],
      processor: process.arch,
      processors: availableParallelism(),
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
      isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    },
    settings: aboutSettings(env, error),
    ...parts,
  };
}

const now = Date.now();
const out =
  optionsOf({ out: { type: 'string' } }, usage).out ??
  `darkroom-support-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
const text = `${JSON.stringify(await gather(now), undefined, 2)}\n`;
createOut(out).write(text);
console.log(
  `Wrote ${out}: no secrets, no people, no addresses. Look through it, then attach it to your report.`,
);
