import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/config.ts';
import type { Mount } from '../http/routes.ts';
import type { Log } from '../log/log.ts';
import { REMOVAL_PATH } from '../removal-page/layout.ts';
import { createRemovalPage } from '../removal-page/removal-page.ts';
import type { Core } from './core.ts';

/** The page for people outside the chat, where it is switched on. */
export function removalMount(parts: {
  readonly config: Config;
  readonly requests: Pick<Core['requests'], 'page' | 'fingerprint'>;
  readonly clock: Clock;
  readonly log: Log;
}): readonly Mount[] {
  const { config, requests, clock, log } = parts;
  if (config.removalPage === 'off') return [];
  const app = createRemovalPage({
    requests: requests.page,
    fingerprint: requests.fingerprint,
    ownerLanguage: config.ownerLanguage,
    clock,
    log,
  });
  return [{ path: REMOVAL_PATH, app, isPublic: true }];
}
