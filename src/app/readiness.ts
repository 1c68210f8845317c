import type { Adapter } from '../adapters/adapter.ts';
import type { Clock } from '../clock.ts';
import type { GenerationClient } from '../generation-client/client.ts';
import { createReadiness } from '../http/readiness.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';

export interface ReadinessParts {
  readonly store: Pick<Store, 'tryToWrite'>;
  readonly client: Pick<GenerationClient, 'catalog'>;
  readonly adapters: readonly Adapter[];
  readonly clock: Clock;
  readonly log: Log;
}

/** What must work before traffic is welcome: the store, the service, every platform. */
export const createAppReadiness = ({ store, client, adapters, clock, log }: ReadinessParts) => {
  /** Said once, not with every question, until it is well again. */
  const told = new Set<string>();
  const failed = (name: string, error: unknown): void => {
    if (!told.has(name)) log.warn({ err: error, check: name }, 'a readiness check failed');
    told.add(name);
  };
  const storeTrouble = (): string | undefined => {
    try {
      store.tryToWrite();
      return undefined;
    } catch (error) {
      failed('store', error);
      return 'nothing can be written to it: is the disk full?';
    }
  };
  const ask = createReadiness({
    clock,
    onError: failed,
    checks: [
      { name: 'store', check: async () => storeTrouble() },
      { name: 'service', check: async (signal) => void (await client.catalog('face-v6', { signal })) },
      ...adapters.map((adapter) => ({ name: adapter.platform, check: async () => adapter.trouble() })),
    ],
  });
  return async () => {
    const answer = await ask();
    for (const name of told) if (answer.checks[name]?.ok) told.delete(name);
    return answer;
  };
};
