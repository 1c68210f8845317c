import type { Finding } from '../../adapters/profile.ts';
import { version } from '../../base/version.ts';
import type { ConfigError } from '../../config/config.ts';

/** One check as `--json` shows it. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  /** Of what failed: a constant word or an error code, for programs. */
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
  return {
    name,
    status: 'failed',
    found: detail,
    ...(reason === undefined ? {} : { reason }),
    ...(cure === undefined ? {} : { cure }),
  };
}

export function diagnosisOf(checks: readonly Check[], now: number): Diagnosis {
  const has = (wanted: Check['status']): boolean => checks.some(({ status }) => status === wanted);
  const overall = has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok';
  return { version, at: new Date(now).toISOString(), overall, checks };
}
