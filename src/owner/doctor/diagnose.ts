import type { Finding } from '../../adapters/connection.ts';
import { connectionOf } from '../../adapters/connections.ts';
import { systemClock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Config } from '../../config/config.ts';
import { factsOf, PLATFORMS } from '../../platforms/platforms.ts';
import { checkService } from './service-check.ts';
import { checkStore } from './store-check.ts';

/** The result of one check of the doctor, as `--json` shows it. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  /** Why the check failed: a constant word or an error code, for programs. */
  readonly reason?: string;
  /** Tells how to fix the problem. */
  readonly cure?: string;
}

/** Runs all checks of an installation: store, generation service, and the platforms that are on. */
export async function* examine(config: Config): AsyncGenerator<Check> {
  yield* (await checkStore(config)).map(checkOf);
  yield* (await checkService(config)).map(checkOf);
  for (const platform of PLATFORMS) {
    const connection = connectionOf(platform);
    if (connection === undefined) continue;
    const settings = config.platforms[platform];
    const [token] = Object.keys(connection.settings);
    if (settings !== undefined) yield* (await connection.check(settings, systemClock)).map(checkOf);
    else yield { name: factsOf(platform).title, status: 'skipped', found: `off (${token} is not set)` };
  }
}

function checkOf({ name, ok, detail, reason, cure }: Finding): Check {
  if (ok) return { name, status: 'ok', found: detail };
  return { name, status: 'failed', found: detail, ...defined({ reason, cure }) };
}
