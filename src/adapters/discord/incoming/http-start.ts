import { backoff } from '../../../base/backoff.ts';
import { waitAtMost } from '../../../base/clock.ts';
import { INTERACTIONS_PATH, isSameKey, readApplication, WRONG_PUBLIC_KEY } from '../api/application.ts';
import { UNREACHABLE } from '../api/fault.ts';
import type { DiscordParts } from '../api/requests.ts';

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Without this check an unreachable Discord would stay unnoticed while there are no interactions. */
const CHECK_EVERY_MS = 60_000;
/** `start` waits this long for Discord, which is then asked in the background. */
const READY_WITHIN_MS = 10_000;

/** Takes the place of the gateway: checks token and key with Discord, now and from time to time. */
export function createHttpStart(
  options: Pick<DiscordParts, 'clock' | 'log' | 'requests'> & {
    readonly publicKey: string;
    readonly ready: (application: string) => void;
  },
) {
  const { clock, log, requests } = options;
  let problem: string | undefined = 'Discord has not confirmed the token yet';
  let failures = 0;
  let isReady = false;
  let stopped = false;
  let cancelRetry = (): void => {};

  const retry = (error: unknown): void => {
    if (stopped) return;
    problem = requests.tokenFault() ?? UNREACHABLE;
    const pause = backoff(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
    failures += 1;
    log.warn({ err: error, inMs: Math.round(pause) }, `${problem}; retrying`);
    cancelRetry = clock.after(pause, () => void attempt());
  };

  const attempt = async (): Promise<void> => {
    try {
      const { id, verify_key: key, interactions_endpoint_url: url } = await readApplication(requests);
      if (stopped) return;
      const found = isSameKey(options.publicKey, key) ? undefined : WRONG_PUBLIC_KEY;
      // Each problem is logged once.
      if (found !== undefined && found !== problem) log.warn(found);
      problem = found;
      failures = 0;
      cancelRetry = clock.after(CHECK_EVERY_MS, () => void attempt());
      if (isReady) return;
      isReady = true;
      // Not a problem for /readyz: Discord accepts the address only if Darkroom answers there.
      if (url === null)
        log.warn(
          `no interactions will come: set the Interactions Endpoint URL in the developer portal to the public https address that leads to ${INTERACTIONS_PATH}`,
        );
      log.info('Discord accepted the token; interactions come by HTTP');
      options.ready(id);
    } catch (error) {
      retry(error);
    }
  };

  return {
    async start(): Promise<void> {
      await waitAtMost(clock, READY_WITHIN_MS, attempt());
    },
    async stop(): Promise<void> {
      stopped = true;
      cancelRetry();
    },
    standsBy: () => undefined,
    trouble: () => problem,
  };
}
