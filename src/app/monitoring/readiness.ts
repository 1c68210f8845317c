import type { Adapter } from '../../adapters/adapter.ts';
import type { Clock } from '../../base/clock.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import { createReadiness } from '../../http/readiness.ts';
import type { Log } from '../../log/log.ts';
import type { Orchestrator, OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import { languages } from '../../words/words.ts';
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

type Outages = OrchestratorStats['outages'];
type Credentials = keyof Outages;

/** /readyz is in English. */
const { outages: said } = languages.en.owner.console;

/** All that is suspended, in words that anybody may read; undefined: nothing is. */
function suspended(outages: Outages, of: readonly Credentials[] = ['key', 'token']): string | undefined {
  const parts = of.flatMap((each) => {
    const outage = outages[each];
    return outage === undefined ? [] : [`${said[each]} are suspended: ${said[outage]}`];
  });
  return parts.length === 0 ? undefined : parts.join('; ');
}

const FAILURES: Partial<Record<GenerationErrorKind, string>> = {
  unauthorized: 'it refuses the credentials: check GENERATION_API_KEY and GENERATION_TOKEN',
  credits: 'it has run out of credits',
  'rate-limited': 'it is overloaded',
  unavailable: 'it is out of order or overloaded',
  redirected: 'GENERATION_URL redirects: set the address that it redirects to',
  unreachable: 'it cannot be reached: check GENERATION_URL and the network',
  'not-found': 'it has no filters at this address: check GENERATION_URL',
  'bad-response': 'its answer cannot be read: check GENERATION_URL',
};

/** Why a call failed, without anything that the service or a proxy wrote. */
function explainCall(error: unknown): string {
  const { kind, status } = error instanceof GenerationError ? error : {};
  const words = (kind && FAILURES[kind]) ?? 'the check failed; the log says why';
  return status === undefined ? words : `${words} (HTTP ${status})`;
}
