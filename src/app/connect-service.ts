import { type Clock, machineTime, waitAtMost } from '../base/clock.ts';
import type { SharedPace } from '../base/members/members.ts';
import { createDownloads } from '../base/network/download.ts';
import type { Config } from '../config/config.ts';
import type { FaceFinder } from '../faces/finder.ts';
import { createGenerationClient } from '../generation-client/client.ts';
import { GenerationError } from '../generation-client/wire/errors.ts';
import type { Log } from '../log/log.ts';
import { createCalls } from '../orchestrator/service/call-pacing.ts';
import { createSharedCalls } from '../orchestrator/service/shared-pacing.ts';
import { openService } from './embedded-service.ts';

/** The jobs in progress were already waited for. */
const LONGEST_CLOSING_MS = 1_000;

export interface ServiceParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** Of the embedded service. */
  readonly finder: FaceFinder;
  /** How long it took. */
  readonly called: (lane: string, ms: number) => void;
  readonly callFailed: (error: unknown) => void;
  /** The pace of this service, when several processes keep it together. */
  readonly sharedPace?: ((service: string) => SharedPace) | undefined;
}

/** The generation service, embedded or configured, with a paced client and downloads of its results. */
export async function connectService(parts: ServiceParts, opened: AsyncDisposableStack) {
  const { config, log, clock } = parts;
  const access = await openService(config, log, clock, parts.finder);
  opened.defer(() => access.close());
  const { callsPerSecond } = config.generation;
  const sharedPace = parts.sharedPace?.(access.url);
  const calls =
    sharedPace === undefined ? createCalls(callsPerSecond) : createSharedCalls(callsPerSecond, sharedPace);
  const client = createGenerationClient({
    baseUrl: access.url,
    apiKey: access.apiKey,
    apiKeyHeader: access.apiKeyHeader,
    token: access.token,
    videoCredits: config.generation.videoCredits,
    assumptions: config.generation.assumptions,
    log,
    // Enough for all submissions at once, including those of cancelled jobs: none waits for one that hangs.
    connections: Math.max(64, 4 * config.generation.concurrentJobs),
    pace: (lane, attempt, askers) => {
      const observed: typeof attempt = async () => {
        const began = machineTime.passed();
        const passed = (): number => machineTime.passed() - began;
        const tell = (how: object): void =>
          log.debug({ lane, ms: Math.round(passed()), ...how }, 'a call to the service');
        try {
          const answer = await attempt();
          tell({ outcome: 'answered' });
          return answer;
        } catch (error) {
          const { endpoint, kind, status } =
            error instanceof GenerationError ? error : { kind: 'unexpected error' };
          tell({ outcome: 'failed', endpoint, kind, status });
          parts.callFailed(error);
          throw error;
        } finally {
          parts.called(lane, passed());
        }
      };
      return calls.pace(lane, observed, askers);
    },
  });
  // A service that hangs must not delay the exit: the next start continues what was in progress.
  opened.defer(async () => {
    await waitAtMost(clock, LONGEST_CLOSING_MS, Promise.all([calls.stop(), client.close()]));
  });
  // The pictures of the embedded service are files of this program.
  const downloads = access.embedded
    ? createDownloads(access.url, clock)
    : createDownloads(access.url, clock, { turn: (lane) => calls.pace(lane, async () => undefined) });
  opened.defer(() => downloads.close());
  return { access, client, callsWaiting: calls.waiting, downloads };
}
