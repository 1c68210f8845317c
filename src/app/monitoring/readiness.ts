import type { Adapter } from '../../adapters/adapter.ts';
import type { Clock } from '../../base/clock.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import { createReadiness } from '../../http/readiness.ts';
import type { Log } from '../../log/log.ts';
import { type StoreCheckParts, storeChecks } from './store-health.ts';

export interface ReadinessParts extends StoreCheckParts {
  readonly client: Pick<GenerationClient, 'catalog'>;
  readonly adapters: readonly Adapter[];
  readonly clock: Clock;
  readonly log: Log;
}

/** The checks of /readyz: the store, the service, every platform. */
export function createAppReadiness({ store, members, client, adapters, clock, log }: ReadinessParts) {
  return createReadiness({
    clock,
    onError: (check, err) => log.warn({ err, check }, 'a readiness check failed'),
    checks: [
      ...storeChecks({ store, members }),
      { name: 'service', check: async (signal) => void (await client.catalog('face-v6', { signal })) },
      ...adapters.map((adapter) => ({
        name: adapter.platform,
        check: async () => adapter.trouble(),
        detail: () => adapter.standsBy?.(),
      })),
    ],
  });
}
