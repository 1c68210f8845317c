import type { Adapter } from '../../adapters/adapter.ts';
import type { Clock } from '../../base/clock.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import { createReadiness } from '../../http/readiness.ts';
import type { Log } from '../../log/log.ts';
import type { Orchestrator, OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import { explainCall, suspended } from './service-words.ts';
import { type StoreCheckParts, storeChecks } from './store-health.ts';

export interface ReadinessParts extends StoreCheckParts {
  readonly client: Pick<GenerationClient, 'catalog'>;
  readonly orchestrator: Pick<Orchestrator, 'outages' | 'outagesMet'>;
  /** Which credentials the owner has set: what the others are for is not expected to work. */
  readonly credentials: readonly (keyof OrchestratorStats['outages'])[];
  readonly adapters: readonly Adapter[];
  readonly clock: Clock;
  readonly log: Log;
}

const SLOW_SERVICE = 'is it or the network overloaded, or the store away?';

/** The checks of /readyz: the store, the service, every platform. */
export function createAppReadiness(parts: ReadinessParts) {
  const { client, orchestrator, credentials, adapters, clock, log } = parts;
  return createReadiness({
    clock,
    onError: (check, err) => log.warn({ err, check }, 'a readiness check failed'),
    checks: [
      ...storeChecks(parts),
      {
        name: 'service',
        async check(signal) {
          await client.catalog('face-v6', { signal });
          return suspended(orchestrator.outagesMet(), credentials);
        },
        detail: () => suspended(orchestrator.outages()),
        whenFailed: explainCall,
        whenLate: SLOW_SERVICE,
      },
      ...adapters.map((adapter) => ({
        name: adapter.platform,
        check: async () => adapter.trouble(),
        detail: () => adapter.standsBy?.(),
      })),
    ],
  });
}
