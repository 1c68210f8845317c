import { type Clock, machineTime } from '../base/clock.ts';
import { version } from '../base/version.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import { openStore } from '../store/store.ts';
import { createStoreHealth } from './monitoring/readiness.ts';
import { createDamageNotices } from './notices/notices.ts';
import { createRetryAfterLoss } from './retry-after-loss.ts';

/** The store for the program's work, with the processes that share it, and what watches over it. */
export async function openProgramStore(
  config: Config,
  log: Log,
  clock: Clock,
  replaced: (() => void) | undefined,
  opened: AsyncDisposableStack,
) {
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
    /** Rejects if the store is damaged; that takes long for a large one. */
    verified,
    health,
    damage,
  };
}
