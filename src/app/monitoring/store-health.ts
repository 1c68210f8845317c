import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { createReadiness, type ReadinessCheck } from '../../http/readiness.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/tables/store.ts';

export interface StoreCheckParts {
  readonly store: Pick<Store, 'tryToWrite' | 'trouble'> & { readonly jobs: Pick<Store['jobs'], 'onDisk'> };
  /** The processes that share the store; undefined: there is only this one. */
  readonly members?: Pick<Members, 'isAlive'> | undefined;
}

const SLOW_DISK = 'is its disk overloaded?';
const SLOW_DATABASE = 'is the database or the network overloaded, or one of them down?';
const NO_SESSION = 'the session with the database was lost; it is opened again as soon as possible';

/** Whether the store can be used. `ask` rejects when not. */
export function storeChecks(
  { store, members }: StoreCheckParts,
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
      whenLate: members === undefined ? SLOW_DISK : SLOW_DATABASE,
    },
    ...(members === undefined
      ? []
      : [{ name: 'session', check: async () => (members.isAlive() ? undefined : NO_SESSION) }]),
  ];
}

export interface StoreHealthParts extends StoreCheckParts {
  readonly store: StoreCheckParts['store'] & Pick<Store, 'tryToReach'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

const EVERY_MS = 1_000;
/** Writing wears disks out: less often than reaching it. */
const WRITE_EVERY_MS = 60_000;
const KEPT_MS = 500;

/** Watches the store also while there is no work. */
export function createStoreHealth(parts: StoreHealthParts) {
  const { store, clock, log } = parts;
  const reaches = createReadiness({
    clock,
    keptMs: KEPT_MS,
    checks: storeChecks(parts, store.tryToReach),
    onError: () => undefined,
  });
  const writes = createReadiness({
    clock,
    keptMs: KEPT_MS,
    checks: storeChecks(parts),
    onError(_, err) {
      if (!isStopped) log.warn({ err }, 'the store cannot be used');
    },
  });
  let trouble: string | undefined;
  let writeAt = 0;
  let isStopped = false;
  let cancel = (): void => undefined;

  const ask = async (): Promise<string | undefined> => {
    const { checks } = await writes();
    trouble = Object.values(checks).find(({ ok }) => !ok)?.reason;
    writeAt = clock.now() + WRITE_EVERY_MS;
    return trouble;
  };
  const look = async (): Promise<void> => {
    const isCheap = trouble === undefined && clock.now() < writeAt;
    if (isCheap && (await reaches()).ready) return;
    await ask();
  };
  const plan = (): void => {
    cancel = clock.after(EVERY_MS, () => void look().then(() => isStopped || plan()));
  };

  return {
    start: plan,
    stop(): void {
      isStopped = true;
      cancel();
    },
    /** Why it cannot be used, as of about a second ago; public words. */
    trouble: () => trouble,
    /** The same, of this moment. */
    ask,
  };
}
