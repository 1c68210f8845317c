import type { Adapter } from '../../adapters/adapter.ts';
import { type Clock, createRepeat } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import { createReadiness, type ReadinessCheck } from '../../http/readiness.ts';
import type { Log } from '../../log/log.ts';
import type { Orchestrator, OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { Store } from '../../store/tables/store.ts';
import { languages } from '../../words/words.ts';

export interface ReadinessDependencies extends StoreCheckDependencies {
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
export function createAppReadiness(parts: ReadinessDependencies) {
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

/** The words of the console in English, which is the language of /readyz. */
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

interface StoreCheckDependencies {
  readonly store: Pick<Store, 'tryToWrite' | 'trouble'> & { readonly jobs: Pick<Store['jobs'], 'onDisk'> };
  readonly members: Pick<Members, 'isAlive' | 'isShared'>;
}

const SLOW_DISK = 'is its disk overloaded?';
const SLOW_DATABASE = 'is the database or the network overloaded, or one of them down?';
const NO_SESSION = 'the session with the database was lost; it is opened again as soon as possible';

/** Whether the store can be used. `ask` rejects when not. */
function storeChecks(
  { store, members }: StoreCheckDependencies,
  ask = async (): Promise<void> => {
    await store.tryToWrite();
    await store.jobs.onDisk();
  },
): readonly ReadinessCheck[] {
  return [
    {
      name: 'store',
      check: async () => void (await ask()),
      whenFailed: store.trouble,
      whenLate: members.isShared ? SLOW_DATABASE : SLOW_DISK,
    },
    ...(members.isShared
      ? [{ name: 'session', check: async () => (members.isAlive() ? undefined : NO_SESSION) }]
      : []),
  ];
}

export interface StoreHealthDependencies extends StoreCheckDependencies {
  readonly store: StoreCheckDependencies['store'] & Pick<Store, 'tryToReach'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

const EVERY_MS = 1_000;
/** How often a test value is written; less often than the store is reached, because writing wears disks out. */
const WRITE_EVERY_MS = 60_000;
const KEPT_MS = 500;

/** Watches the store also while there is no work. */
export function createStoreHealth(parts: StoreHealthDependencies) {
  const { store, clock, log } = parts;
  const asking = (checks: readonly ReadinessCheck[], onError: (name: string, error: unknown) => void) =>
    createReadiness({ clock, keptMs: KEPT_MS, checks, onError });
  const reaches = asking(storeChecks(parts, store.tryToReach), () => undefined);
  const writes = asking(storeChecks(parts), (_, err) => {
    if (!isStopped) log.warn({ err }, 'the store cannot be used');
  });
  let trouble: string | undefined;
  let writeAt = 0;
  let isStopped = false;

  const ask = async (): Promise<string | undefined> => {
    const { checks } = await writes();
    trouble = Object.values(checks).find(({ ok }) => !ok)?.reason;
    writeAt = clock.now() + WRITE_EVERY_MS;
    return trouble;
  };
  const check = async (): Promise<void> => {
    const isCheap = trouble === undefined && clock.now() < writeAt;
    if (isCheap && (await reaches()).ready) return;
    await ask();
  };
  const checks = createRepeat(clock, EVERY_MS, check);

  return {
    start: checks.start,
    stop(): void {
      isStopped = true;
      void checks.stop();
    },
    /** Why the store cannot be used, as of about a second ago, in words that anybody may read. */
    trouble: () => trouble,
    /** Like `trouble`, of this moment: the store is asked. */
    ask,
  };
}
