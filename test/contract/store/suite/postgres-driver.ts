import { randomUUID } from 'node:crypto';
import type { Members } from '../../../../src/base/members/members.ts';
import { databaseAddressOf } from '../../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../../src/store/postgres/database/database.ts';
import { openPostgresStore } from '../../../../src/store/postgres/store.ts';
import type { MachineTime } from '../../../../src/store/records/removal-time.ts';
import { createSeal } from '../../../../src/store/records/seal.ts';
import type { DamagedRecord } from '../../../../src/store/tables/damaged.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { openStoreAt } from '../../../fakes/open-store-at.ts';
import { createTestDatabase, type TestDatabase } from '../../../fakes/postgres.ts';
import type { Driver, Place } from './driver.ts';

export interface PostgresPlace extends Place {
  readonly url: string;
  /** One more process beside the others. `member`: its name; nobody counts as alive. */
  another(keys?: readonly Uint8Array[], member?: string): Promise<Store>;
  /** One more process, which is alive until it leaves. */
  join(keys?: readonly Uint8Array[]): Promise<Store & { readonly members: Members; leave(): Promise<void> }>;
}

export interface PostgresDriver extends Driver {
  create(): Promise<PostgresPlace>;
  end(): Promise<void>;
}

let created = 0;

/** Makes a database for a file of tests, and in it a schema for each place. */
export function createPostgres(): PostgresDriver {
  let database: Promise<TestDatabase> | undefined;
  return {
    name: 'PostgreSQL',
    isShared: true,
    async create() {
      database ??= createTestDatabase();
      const { url: base, query } = await database;
      created += 1;
      const schema = `place_${created}`;
      const url = `${base}?schema=${schema}`;
      const time = { now: Date.UTC(2026, 0, 5, 12) };
      const machineTime = { wall: () => time.now, passed: () => time.now };
      // The database's clock, in the hands of the test: a function that is found before the server's own.
      const clock = `clock_of_${schema}`;
      const setClock = () => query(`UPDATE ${clock}.now SET ms = $1`, [time.now]);
      await query(`CREATE SCHEMA ${clock}; CREATE TABLE ${clock}.now (ms bigint); INSERT INTO ${clock}.now VALUES (0);
        CREATE FUNCTION ${clock}.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql
          RETURN (SELECT to_timestamp(ms / 1000.0) FROM ${clock}.now)`);
      await setClock();
      const address = databaseAddressOf(url);
      const setUp = `${address.setUp} SET search_path = ${schema}, ${clock}, pg_catalog;`;
      const found: DamagedRecord[] = [];
      const opened = new Set<Store>();
      let last: Store | undefined;
      let turn: Promise<unknown> = Promise.resolve();
      /** Does one piece of work after the other on the one connection that reads the tables past the store. */
      const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
        const done = turn.then(work);
        turn = done.catch(() => undefined);
        return done;
      };
      const another = async (
        keys: readonly Uint8Array[] = [],
        member = `member ${randomUUID()}`,
        machine: MachineTime = machineTime,
        aheadMs = 0,
      ): Promise<Store> => {
        const pool = openDatabase({ ...address, setUp });
        const damaged = (record: DamagedRecord) => void found.push(record);
        const options = { keys, now: () => time.now + aheadMs, damaged, machine, memberId: () => member };
        try {
          const store = await openPostgresStore(pool, options);
          opened.add(store);
          return store;
        } catch (error) {
          await pool.close();
          throw error;
        }
      };
      const close = async (): Promise<void> => {
        for (const store of opened) await store.close();
        opened.clear();
        last = undefined;
      };
      return {
        url,
        time,
        found,
        async pass(ms) {
          time.now += ms;
          await inTurn(setClock);
        },
        another,
        openAhead(aheadMs) {
          const machine = { wall: () => time.now + aheadMs, passed: () => time.now + aheadMs };
          return another([], undefined, machine, aheadMs);
        },
        async open(keys = [], machine) {
          if (last !== undefined) {
            opened.delete(last);
            await last.close();
          }
          last = await another(keys, undefined, machine);
          return last;
        },
        close,
        async join(keys = []) {
          const joined = await openStoreAt(url, keys, { now: () => time.now, machine: machineTime });
          opened.add({ ...joined.store, close: joined.close });
          return { ...joined.store, members: joined.members, leave: joined.close };
        },
        sql: (text, ...values) =>
          inTurn(async () => {
            await query(`SET search_path = ${schema}`);
            return query(text, [...values]);
          }),
        sealed: (text, purpose, keys) => createSeal(keys).seal(text, purpose),
        async remove() {
          await close();
          await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; DROP SCHEMA ${clock} CASCADE`);
        },
      };
    },
    async end() {
      await (await database)?.[Symbol.asyncDispose]();
    },
  };
}
