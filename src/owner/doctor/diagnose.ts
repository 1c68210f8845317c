import type { Finding } from '../../adapters/profile.ts';
import { PLATFORMS, profileOf } from '../../adapters/profiles.ts';
import { systemClock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { version } from '../../base/version.ts';
import type { Config, ConfigError } from '../../config/config.ts';
import { checkService } from './service-check.ts';
import { checkStore } from './store-check.ts';

/** One check as `--json` shows it. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  /** Why the check failed: a constant word or an error code, for programs. */
  readonly reason?: string;
  /** How to fix it. */
  readonly cure?: string;
}

export interface Diagnosis {
  readonly version: string;
  readonly at: string;
  /** The worst of the checks; one that was skipped is fine. */
  readonly overall: 'ok' | 'warning' | 'failed';
  readonly checks: readonly Check[];
}

/** Checks everything that can be wrong with an installation. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  yield* await checkStore(config);
  yield* await checkService(config);
  for (const platform of PLATFORMS) {
    const { title, connection } = profileOf(platform);
    if (connection === undefined) continue;
    const settings = config.platforms[platform];
    const [token] = Object.keys(connection.settings);
    if (settings !== undefined) yield* await connection.check(settings, systemClock);
    else yield { name: title, ok: true, isSkipped: true, detail: `off (${token} is not set)` };
  }
}

const SETTINGS = 'Settings';

/** Settings that were understood, and what is probably wrong with them. */
export function settingChecks(warnings: readonly string[]): readonly Check[] {
  return [
    ...warnings.map((warning): Check => ({ name: SETTINGS, status: 'warning', found: warning })),
    { name: SETTINGS, status: 'ok', found: 'valid' },
  ];
}

/** One for each malformed setting. */
export function malformedChecks(error: ConfigError): readonly Check[] {
  return error.message
    .split('\n')
    .map((line) => ({ name: SETTINGS, status: 'failed', found: line, reason: 'malformed' }));
}

export function checkOf({ name, ok, isSkipped, detail, reason, cure }: Finding): Check {
  if (ok) return { name, status: isSkipped ? 'skipped' : 'ok', found: detail };
  return { name, status: 'failed', found: detail, ...defined({ reason, cure }) };
}

export function diagnosisOf(checks: readonly Check[], now: number): Diagnosis {
  const has = (wanted: Check['status']): boolean => checks.some(({ status }) => status === wanted);
  const overall = has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok';
  return { version, at: new Date(now).toISOString(), overall, checks };
}
