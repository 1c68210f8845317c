import { StoreRequestedError } from '../records/store-error.ts';
import type { Query } from '../tables/driver.ts';
import { addressOf } from './database/address.ts';
import { openDatabase } from './database/database.ts';
import { AT_WORK, MEMBER_LOCKS, NOT_REQUESTED, RESTORED } from './members/lock-keys.ts';

/** Whether a restore asks for the store, or replaces it. */
export async function isRequested(url: string): Promise<boolean> {
  const database = openDatabase(addressOf(url));
  try {
    return await isRequestedIn(database.query);
  } finally {
    await database.close();
  }
}

/** Whether processes work on it. */
export async function isInUse(url: string): Promise<boolean> {
  const database = openDatabase(addressOf(url));
  try {
    const [row] = await database.query(`SELECT EXISTS (SELECT FROM ${MEMBER_LOCKS}) AS yes`, []);
    return row?.yes === true;
  } finally {
    await database.close();
  }
}

export async function isRequestedIn(query: Query): Promise<boolean> {
  const [row] = await query(`SELECT ${NOT_REQUESTED} AS free`, []);
  // Null: there is no schema yet.
  return row?.free === false;
}

/** By which restore the store was filled; null: by none. */
export async function restoredBy(query: Query): Promise<string | null> {
  const [known] = await query("SELECT to_regclass('meta') IS NOT NULL AS yes", []);
  if (known?.yes !== true) return null;
  const [row] = await query(`SELECT ${RESTORED} AS restored`, []);
  return typeof row?.restored === 'string' ? row.restored : null;
}

/**
 * For every connection of a process that works on the store. One that froze, and wakes after a restore, gets none any more, and the
 * restore has ended those that it had: what it has in memory is not written over what was restored.
 */
export function createAdmission() {
  let opened: string | null | undefined;
  return {
    async admit(query: Query): Promise<void> {
      if (opened === undefined) return void (await query(`SELECT ${AT_WORK}`));
      // A restore that locks the table afterwards finds the lock, and one that did so before is waited for.
      const [row] = await query(`SELECT ${AT_WORK}, ${RESTORED} AS restored`);
      if (row?.restored !== opened) throw new StoreRequestedError();
    },
    /** From now on only this store is the one that was opened. */
    async remember(query: Query): Promise<string | null> {
      opened = await restoredBy(query);
      return opened;
    },
  };
}
