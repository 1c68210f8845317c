import type { Members, SharedPace } from '../../base/members/members.ts';
import type { Log } from '../../log/log.ts';
import { StoreRequestedError } from '../records/store-error.ts';
import type { Store } from '../tables/store.ts';
import { addressOf } from './database/address.ts';
import { openDatabase } from './database/database.ts';
import { refuseSharedSessions } from './database/pooler.ts';
import { startError } from './database/postgres-error.ts';
import { joinMembers, type PostgresMembers } from './members/members.ts';
import { createSharedPace } from './members/pace.ts';
import { createAdmission, isRequestedIn } from './restore-request.ts';
import { openPostgresStore, type PostgresOptions } from './store.ts';

export interface SharedOptions extends Omit<PostgresOptions, 'memberId' | 'isSettled'> {
  readonly url: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly version: string;
  readonly load: () => Readonly<Record<string, number>>;
  /** A restore asks for the store, or has replaced it: it must be closed. */
  readonly requested?: () => void;
}

/** Opens the store and joins the processes that use it. */
export async function openShared(shared: SharedOptions): Promise<{
  readonly store: Store;
  readonly members: Members;
  readonly sharedPace: (service: string) => SharedPace;
  close(): Promise<void>;
}> {
  const { url, log, version, load, requested = () => undefined, ...options } = shared;
  const address = addressOf(url);
  const { config, setUp } = address;
  const { admit, remember } = createAdmission();
  const database = openDatabase(address, admit);
  let members: PostgresMembers | undefined;
  try {
    await refuseSharedSessions(address);
    if (await isRequestedIn(database.query)) throw new StoreRequestedError();
    // Before anything else is read: whoever joins asks whether it is still so.
    const restored = await remember(database.query);
    // Jobs are written only after this process has joined.
    const store = await openPostgresStore(database, {
      ...options,
      memberId: () => members?.id() ?? '',
      isSettled: () => members?.isSettled() === true,
    });
    const passed = options.machine?.passed;
    const joined = await joinMembers({ config, setUp, version, load, log, requested, restored, passed });
    members = joined;
    // Their connections go the same way: half-open ones would be waited for.
    joined.watch({ lost: database.disconnect });
    return {
      store,
      members,
      sharedPace: (service) => createSharedPace(database.query, service),
      async close() {
        await joined.close();
        await store.close();
      },
    };
  } catch (error) {
    // A restore that began meanwhile holds what was waited for.
    const isRequested = await isRequestedIn(database.query).catch(() => false);
    await database.close();
    if (isRequested) throw new StoreRequestedError();
    throw startError(error, address.shown, 'opened');
  }
}
