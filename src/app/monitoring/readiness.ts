import type { Adapter } from '../../adapters/adapter.ts';
import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import { createReadiness } from '../../http/readiness.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/records/store.ts';

export interface ReadinessParts {
  readonly store: Pick<Store, 'tryToWrite' | 'trouble'> & { readonly jobs: Pick<Store['jobs'], 'onDisk'> };
  /** The processes that share the store; undefined: there is only this one. */
  readonly members?: Pick<Members, 'isAlive'> | undefined;
  readonly client: Pick<GenerationClient, 'catalog'>;
  readonly adapters: readonly Adapter[];
  readonly clock: Clock;
  readonly log: Log;
}

const SLOW_DISK = 'is its disk overloaded?';
const SLOW_DATABASE = 'is the database or the network overloaded, or one of them down?';
const NO_SESSION = 'the session with the database was lost; it is opened again as soon as possible';

/** The checks of /readyz: the store, the service, every platform. */
export function createAppReadiness({ store, members, client, adapters, clock, log }: ReadinessParts) {
  return createReadiness({
    clock,
    onError: (check, err) => log.warn({ err, check }, 'a readiness check failed'),
    checks: [
      {
        name: 'store',
        async check() {
          await store.tryToWrite();
          await store.jobs.onDisk();
          return undefined;
        },
        whenFailed: store.trouble,
        whenLate: members === undefined ? SLOW_DISK : SLOW_DATABASE,
      },
      ...(members === undefined
        ? []
        : [{ name: 'session', check: async () => (members.isAlive() ? undefined : NO_SESSION) }]),
      { name: 'service', check: async (signal) => void (await client.catalog('face-v6', { signal })) },
      ...adapters.map((adapter) => ({
        name: adapter.platform,
        check: async () => adapter.trouble(),
        detail: () => adapter.standsBy?.(),
      })),
    ],
  });
}
