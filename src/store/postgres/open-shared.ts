import type { Members, SharedPace } from '../../base/members/members.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../records/store.ts';
import { addressOf } from './database/address.ts';
import { openDatabase } from './database/database.ts';
import { refuseSharedSessions } from './database/pooler.ts';
import { startError } from './database/postgres-error.ts';
import { joinMembers, type PostgresMembers } from './members/members.ts';
import { createSharedPace } from './members/pace.ts';
import { openPostgresStore, type PostgresOptions } from './store.ts';

export interface SharedOptions extends Omit<PostgresOptions, 'memberId'> {
  readonly url: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly version: string;
  readonly load: () => Readonly<Record<string, number>>;
}

/** Opens the store and joins the processes that use it. */
export async function openShared({ url, log, version, load, ...options }: SharedOptions): Promise<{
  readonly store: Store;
  readonly members: Members;
  readonly sharedPace: (service: string) => SharedPace;
  close(): Promise<void>;
}> {
  const address = addressOf(url);
  const { config, setUp } = address;
  const database = openDatabase(address);
  let members: PostgresMembers | undefined;
  try {
    await refuseSharedSessions(address);
    // Jobs are written only after this process has joined.
    const store = await openPostgresStore(database, { ...options, memberId: () => members?.id() ?? '' });
    const joined = await joinMembers({ config, setUp, version, load, log });
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
    await database.close();
    throw startError(error, address.shown, 'opened');
  }
}
