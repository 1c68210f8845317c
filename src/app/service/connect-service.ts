import { dirname, join } from 'node:path';
import { type Clock, machineTime, waitAtMost } from '../../base/clock.ts';
import type { SharedPace } from '../../base/members/members.ts';
import { createDownloads } from '../../base/network/download.ts';
import type { Config } from '../../config/config.ts';
import type { FaceFinder } from '../../faces/finder.ts';
import { createGenerationClient } from '../../generation-client/client.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { Log } from '../../log/log.ts';
import { createPacing } from '../../orchestrator/service/call-pacing.ts';
import { createSharedPacing } from '../../orchestrator/service/shared-pacing.ts';
import { StoreError } from '../../store/records/store-error.ts';
import { fileOf } from '../../store/store.ts';

/** The jobs in progress were already waited for. */
const LONGEST_CLOSING_MS = 1_000;

export interface ServiceDependencies {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** Finds faces for the embedded service. */
  readonly finder: FaceFinder;
  /** How long it took. */
  readonly called: (lane: string, ms: number) => void;
  readonly callFailed: (error: unknown) => void;
  /** The pace of this service, when several processes keep it together. */
  readonly sharedPace?: ((service: string) => SharedPace) | undefined;
  readonly opened: AsyncDisposableStack;
}

/** The generation service, embedded or configured, with a paced client and downloads of its results. */
export async function connectService(parts: ServiceDependencies) {
  const { config, log, clock, opened } = parts;
  const access = await openService(config, log, clock, parts.finder);
  opened.defer(() => access.close());
  const { callsPerSecond } = config.generation;
  const sharedPace = parts.sharedPace?.(access.url);
  const calls =
    sharedPace === undefined ? createPacing(callsPerSecond) : createSharedPacing(callsPerSecond, sharedPace);
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
  /** `callsWaiting`: calls to the service that wait for their turn. */
  return { access, client, callsWaiting: calls.waiting, downloads };
}

export type ServiceAccess = Awaited<ReturnType<typeof openService>>;

/** The generation service as the features use it. */
export interface ConnectedService
  extends Pick<Awaited<ReturnType<typeof connectService>>, 'client' | 'callsWaiting' | 'downloads'> {
  readonly access: Pick<ServiceAccess, 'url' | 'embedded'>;
}

/** URL and credentials of the configured service, or of the embedded one, whose file is beside the store. */
export async function openService(
  { generation, store, visibleMark }: Config,
  log: Log,
  clock: Clock,
  finder: FaceFinder,
) {
  if (generation.url !== undefined)
    return { ...generation, url: generation.url, embedded: false, close: async () => {} };
  // Loaded only if needed: the renderer is large.
  const { createGenerationService } = await import('../../generation-service/service.ts');
  const { UnusableFileError } = await import('../../generation-service/storage/database.ts');
  const path = fileOf(store.url) ?? ':memory:';
  const dataDir = path === ':memory:' ? undefined : dirname(path);
  const service = await createGenerationService({
    clock,
    finder,
    marksVideos: visibleMark,
    // It encrypts nothing, so with a key it must not write what people sent and got.
    jobsInMemory: store.keys.length > 0,
    dataDir: dataDir === undefined ? ':memory:' : join(dataDir, 'generation-service'),
    onError: (error) => log.error({ err: error }, 'the embedded generation service had an error'),
  }).catch((error: unknown) => {
    throw error instanceof UnusableFileError ? new StoreError(error.message) : error;
  });
  const { url, apiKey, apiKeyHeader, token } = service;
  return { url, apiKey, apiKeyHeader, token, embedded: true, close: () => service.close() };
}
