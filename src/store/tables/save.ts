import { setImmediate } from 'node:timers/promises';
import { createBatches, createKeyedQueue } from '../../base/limits/keyed-queue.ts';
import { turnKey } from '../../command/place.ts';
import { hasEnded, type Job } from '../../orchestrator/job/job.ts';
import { dueKindOf, type JobRecords, ServiceIdTaken } from '../../orchestrator/job/records.ts';
import { storable } from '../records/seal.ts';
import type { Dialect, Query, Row, Transaction } from './driver.ts';
import { dueOf, endOf, lineOf, sealJob, serviceIdOf, slotOf } from './job-rows.ts';
import { type JobTableDependencies, nextTurn } from './line.ts';
import { originOfUsedId } from './removed.ts';
import { talliesOfEnd } from './tallies.ts';

/** A change of nothing but the due time and the sealed body: the version that it replaces, and whether it stays claimed. */
type Postponed = readonly [id: string, version: number, due: number | null, body: Uint8Array, keeps: number];

/** Changes a job whose version is still the one that is replaced. */
const POSTPONE_ONE = `UPDATE jobs SET due = $3, version = $2 + 1, body = $4,
    member = CASE WHEN $5 = 1 AND held IS NOT NULL THEN member ELSE $6 END,
    held = CASE WHEN $5 = 1 THEN held END
  WHERE id = $1 AND version = $2 RETURNING id`;

/** Does the same for many jobs. One text for any number of them, so that it stays prepared. */
const postponing = ({ bytes, forUpdate, rows }: Dialect): string => `WITH given AS MATERIALIZED (
    SELECT value->>0 AS id, CAST(value->>1 AS bigint) AS version, CAST(value->>2 AS bigint) AS due,
      ${bytes('value->>3')} AS body, CAST(value->>4 AS bigint) AS keeps FROM ${rows('$2')}
  ), next AS MATERIALIZED (
    SELECT jobs.seq, given.* FROM given CROSS JOIN jobs
    WHERE jobs.id = given.id AND jobs.version = given.version ORDER BY jobs.seq${forUpdate}
  )
  UPDATE jobs SET due = next.due, version = next.version + 1, body = next.body,
    member = CASE WHEN next.keeps = 1 AND held IS NOT NULL THEN member ELSE $1 END,
    held = CASE WHEN next.keeps = 1 THEN held END
  FROM next WHERE jobs.seq = next.seq RETURNING jobs.id`;

const hexOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('hex');

const REMEMBERED = 'SELECT 1 FROM removed WHERE origin IN ($1, $2) LIMIT 1';

/** Saves a job over the version that it is based on; a job of which nothing but the next poll changed takes a shorter way. */
export function createSave(parts: JobTableDependencies): JobRecords['save'] {
  const { driver, seal, blind, memberId, rows, usage, tallies } = parts;
  const { query: ask, transaction, sql } = driver;
  const POSTPONE = postponing(sql);
  // A statement for each is half the work of one for all, whose rows SQLite copies three times; on the way to a server it is more.
  const deferred = async (write: Query, some: readonly Postponed[]): Promise<readonly Row[]> => {
    if (sql.isSole)
      return (await Promise.all(some.map((one) => write(POSTPONE_ONE, [...one, memberId()])))).flat();
    const rows = some.map(([id, version, due, body, keeps]) => [id, version, due, hexOf(body), keeps]);
    return write(POSTPONE, [memberId(), JSON.stringify(rows)]);
  };
  const defer = async (write: Query, some: readonly Postponed[]): Promise<ReadonlySet<unknown>> =>
    new Set((await deferred(write, some)).map(({ id }) => id));
  const postpone = createPostpone((some) => driver.together((write) => defer(write, some)));
  const changed = `state = $3, due = $4, version = $2 + 1, body = $5,
      member = CASE WHEN held IS NOT NULL AND $6 AND (held <> 'submission' OR $3 = 'submitting') THEN member ELSE $7 END,
      held = CASE WHEN $6 AND (held <> 'submission' OR $3 = 'submitting') THEN held END,
      credentials = coalesce(CAST($8 AS text), credentials), line = $8,
      turn = CASE WHEN turn IS NULL AND CAST($8 AS text) IS NOT NULL THEN ${nextTurn(sql, 'jobs.turn_of')} ELSE turn END,
      passed = CASE WHEN CAST($8 AS text) IS NULL THEN 0 ELSE passed END,
      returns = CASE WHEN CAST($8 AS text) IS NOT NULL THEN returns + slot WHEN $3 = 'waiting' THEN 0 ELSE returns END,
      slot = $9`;
  const update = `UPDATE jobs SET ${changed},
      finished_at = $10, service_id = coalesce(CAST($11 AS text), service_id)
    WHERE id = $1 AND version = $2 RETURNING seq, turn_of`;
  // Columns that stay as they are are not named: SQLite would write their indexes again.
  const updateOpen = `UPDATE jobs SET ${changed} WHERE id = $1 AND version = $2 RETURNING seq, turn_of`;

  const change = async (query: Transaction, before: Job, next: Job, keeps: boolean, isLossy: boolean) => {
    const [id, slot, line] = [storable(before.id), slotOf(next), lineOf(next)];
    const { serviceId } = next;
    const fresh =
      serviceId === undefined || serviceId === before.serviceId ? null : serviceIdOf(next, serviceId);
    const claimed = fresh === null ? null : blind(fresh);
    const isOpen = claimed === null && !hasEnded(before) && !hasEnded(next);
    // The person is locked, because the job's turn follows from the turns of their other jobs.
    if (line !== null) query.write(sql.lock('person', '$1'), [[blind(turnKey(next.caller))]]);
    const [slotBefore, [known], [row]] = await Promise.all([
      rows.lockSlotOf(query, id, slot),
      // An id that was retired before the store had a key was hashed once more when it got one.
      fresh === null
        ? []
        : query(REMEMBERED, [originOfUsedId(blind(fresh)), blind(originOfUsedId(storable(fresh)))]),
      (isLossy ? query.lossy : query)(isOpen ? updateOpen : update, [
        id,
        before.version,
        next.state,
        dueOf(next),
        sealJob(next, seal),
        keeps,
        memberId(),
        line,
        slot,
        ...(isOpen ? [] : [endOf(next), claimed]),
      ]),
    ]);
    if (known !== undefined) throw new ServiceIdTaken();
    if (row === undefined) return false;
    rows.changeSlots(query, row, slot - slotBefore);
    return true;
  };

  return async (before, after, durability = 'durable', claim = 'keep') => {
    const next: Job = { ...after, version: before.version + 1 };
    const keeps = claim === 'keep' && dueKindOf(before.state) === dueKindOf(next.state);
    const isGone = next.forget === true && next.settled;
    const isSimple = before.state === next.state && next.state !== 'waiting' && before.charge === next.charge;
    const [id, { version }] = [storable(before.id), before];
    const isLossy = durability === 'lossy' && before.charge === next.charge && !next.forget;
    const put = async (): Promise<boolean> => {
      if (isGone || !isSimple)
        return transaction(async (query) => {
          const isDone = await (isGone
            ? rows.remove(query, id, version)
            : change(query, before, next, keeps, isLossy));
          if (!isDone) return false;
          tallies.add(query, next.place.community, talliesOfEnd(before, next));
          if (before.charge !== next.charge) await usage.move(query, next, next.charge, before);
          return true;
        });
      const one = [id, version, dueOf(next), sealJob(next, seal), Number(keeps)] as const;
      return isLossy ? postpone(one) : (await defer(ask, [one])).has(id);
    };
    try {
      return (await put()) ? next : undefined;
    } catch (error) {
      // The unique index decides: two answers with the same id cannot both be taken.
      const isClaimed = next.serviceId !== before.serviceId;
      throw isClaimed && driver.isDuplicate(error, 'jobs_service_id') ? new ServiceIdTaken() : error;
    }
  };
}

/** Jobs in one transaction: few enough that nothing else waits long for their rows. */
const MOST = 100;

/**
 * Nearly all writes are polls that found nothing new. Polls of one turn of the event loop, and polls that come while others are
 * being written, are written together: they would be thousands of small transactions. False: the record has changed since that
 * version, and nothing was written.
 */
function createPostpone(
  defer: (some: readonly Postponed[]) => Promise<ReadonlySet<unknown>>,
): (one: Postponed) => Promise<boolean> {
  const postpone = createBatches<Postponed, boolean>(
    async (some) => {
      const written = await defer(some).catch((error: unknown) => {
        if (some.length === 1) throw error;
      });
      // If they cannot be written together, each is tried alone: one that cannot be written keeps back no others.
      return some.map(async (one) => (written ?? (await defer([one]))).has(one[0]));
    },
    MOST,
    setImmediate,
  );
  // Two changes that replace the same version go one after the other, and the second is refused.
  const inTurn = createKeyedQueue();
  return (one) => inTurn(one[0], () => postpone(one));
}
