import { createHash } from 'node:crypto';
import type { Database } from '../file/database.ts';
import type { Row } from './job-row.ts';

/** Takes job records out of the table. Their events and their ids at the service stay known for some days. */
export interface RemovedJobs {
  /** `version`: only if it is still this one; null: whichever. Says whether there was one. */
  remove(id: string, version: number | null): boolean;
  removeRow(row: Row): void;
  /** The job of this event has been removed. `origin` as the table has it. */
  wasRemoved(origin: string): boolean;
  /** No other job can have this id at the service for some days: whoever got it would see what was made for another. */
  retire(serviceId: string): void;
  isRetired(serviceId: string): boolean;
}

/** A platform delivers an event again for a day at the most. */
const EVENTS_KEPT_MS = 2 * 86_400_000;

/** Of an id only a hash is kept. */
const hashed = (serviceId: string): string => `id ${createHash('sha256').update(serviceId).digest('hex')}`;

export function createRemovedJobs(
  { sql, removed }: Pick<Database, 'sql' | 'removed'>,
  now: () => number,
): RemovedJobs {
  const remember = sql.prepare(
    'INSERT OR REPLACE INTO removed (origin, at) SELECT origin, ? FROM jobs WHERE id = ? AND version = coalesce(?, version)',
  );
  const rememberRow = sql.prepare(
    'INSERT OR REPLACE INTO removed (origin, at) SELECT origin, ? FROM jobs WHERE seq = ? AND created_at > ?',
  );
  const rememberId = sql.prepare('INSERT OR REPLACE INTO removed (origin, at) VALUES (?, ?)');
  const claimedId = sql.prepare(
    'SELECT service_id FROM jobs WHERE id = ? AND version = coalesce(?, version) AND service_id IS NOT NULL',
  );
  const remove = sql.prepare('DELETE FROM jobs WHERE id = ? AND version = coalesce(?, version)');
  const removeRow = sql.prepare('DELETE FROM jobs WHERE seq = ?');
  const known = sql.prepare('SELECT 1 AS yes FROM removed WHERE origin = ?');

  const wasRemoved = (origin: string): boolean => known.get(origin) !== undefined;
  const retire = (serviceId: string): void => void rememberId.run(hashed(serviceId), now());
  const retireClaimed = (serviceId: unknown): void => {
    if (typeof serviceId === 'string') retire(serviceId);
  };

  return {
    remove(id, version) {
      remember.run(now(), id, version);
      retireClaimed(claimedId.get(id, version)?.service_id);
      removed();
      return remove.run(id, version).changes > 0;
    },
    removeRow({ seq, service_id }) {
      retireClaimed(service_id);
      rememberRow.run(now(), Number(seq), now() - EVENTS_KEPT_MS);
      removed();
      removeRow.run(Number(seq));
    },
    wasRemoved,
    retire,
    isRetired: (serviceId) => wasRemoved(hashed(serviceId)),
  };
}
