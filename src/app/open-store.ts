import { type Clock, machineTime, waitAtMost } from '../base/clock.ts';
import { version } from '../base/version.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import { openStore } from '../store/store.ts';
import { createStoreHealth } from './monitoring/readiness.ts';
import { createDamageNotices, type OwnerNotice } from './notices/notices.ts';
import { createRetryAfterLoss } from './retry-after-loss.ts';

/** Verifying a very large store takes longer, and goes on after the start. */
const LONGEST_VERIFYING_MS = 3_000;

/** The store for the program's work, with the processes that share it, and what watches over it. */
export async function openProgramStore(parts: {
  readonly config: Config;
  /** Called when a restore has replaced the store under this process. */
  readonly replaced: (() => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { config, replaced, clock, log, opened } = parts;
  const damage = createDamageNotices(log);
  const { store, members, sharedPace, close } = await openStore({
    ...config.store,
    now: clock.now,
    damaged: damage.found,
    machine: machineTime,
    log,
    version,
    ...(replaced && { replaced }),
  });
  opened.defer(close);
  const verified = store.verify();
  // SQLite removes its log when the last connection closes: the store must be the last, so wait for the verifier.
  const verifying = verified.catch(() => undefined);
  opened.defer(() => verifying);
  const health = createStoreHealth({ store, members, clock, log });
  opened.defer(health.stop);
  return {
    store,
    members,
    sharedPace,
    retryAfterLoss: createRetryAfterLoss(store, members, clock),
    health,
    /** Rejects if the store is found to be damaged, as far as that is known in a few seconds. */
    async verify(): Promise<void> {
      await waitAtMost(clock, LONGEST_VERIFYING_MS, verified);
      verified.catch((error: unknown) =>
        log.error({ err: error }, 'the store is damaged: nothing is accepted'),
      );
    },
    /** Tells owners of damaged records, those found before included, and looks whether the store can be used. */
    start(tellOwners: OwnerNotice): void {
      damage.tellBy(() => tellOwners('damaged-records'));
      health.start();
    },
  };
}
