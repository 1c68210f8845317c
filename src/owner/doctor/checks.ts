import type { Finding } from '../../adapters/profile.ts';
import { PLATFORMS, profileOf } from '../../adapters/profiles.ts';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../config/config.ts';
import { checkService } from './service-check.ts';
import { checkStore } from './store-check.ts';

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
