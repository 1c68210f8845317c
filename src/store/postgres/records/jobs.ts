import { personKey } from '../../../command/place.ts';
import type { JobRecords } from '../../../orchestrator/job/records.ts';
import { DUE_STATES, serviceIdOf } from '../../records/jobs/job-body.ts';
import { LOSSY } from '../database/database.ts';
import { LOCK_SLOTS } from '../database/lock-order.ts';
import { storable } from '../seal/columns.ts';
import { createAccept } from './accept.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { createLine } from './line.ts';
import { columns, type JobReader } from './read-jobs.ts';
import { createSave } from './save.ts';
import { createTakeOver } from './take-over.ts';

// What another process has taken over is in that one's hand.
const RELEASE = `UPDATE jobs SET held = NULL WHERE id = $1 AND member = $2 AND held = $3 AND ${LOSSY}`;
const GIVE_BACK = `WITH everybody AS MATERIALIZED (${LOCK_SLOTS})
  UPDATE jobs SET held = NULL, slot = 0, line = CASE slot WHEN 1 THEN credentials ELSE line END FROM everybody
  WHERE id = $1 AND member = $2 AND held = 'submission' AND state = 'waiting' AND ${LOSSY}`;

const KEEP = `WITH found AS MATERIALIZED (
    SELECT seq FROM jobs WHERE id = ANY ($1) AND held = 'submission' AND member IN
      (SELECT former.id::text FROM members AS former JOIN members AS own USING (process) WHERE own.id::text = $2 AND former.id <> own.id)
    ORDER BY seq FOR UPDATE
  )
  UPDATE jobs AS j SET member = $2 FROM found WHERE j.seq = found.seq`;

export function createJobs(parts: JobTableParts, reader: JobReader): JobRecords {
  const { database, blind, now, memberId } = parts;
  const { query } = database;
  const { read, readAll } = reader;
  const one = async (where: string, id: string) => {
    const [row] = await query(`SELECT ${columns} FROM jobs j WHERE ${where} = $1`, [id]);
    return row && (await read(row));
  };
  const unfinishedOf = async (person: string) =>
    readAll(
      await query(
        `SELECT ${columns} FROM jobs j WHERE j.owner = $1 AND j.finished_at IS NULL
         ORDER BY j.created_at DESC, j.seq DESC`,
        [blind(person)],
      ),
    );

  return {
    ...createLine(parts, reader),
    accept: createAccept(parts, reader),
    save: createSave(parts),
    abandoned: createTakeOver(parts, reader),
    // Every write but the lossy ones is on disk when it resolves.
    onDisk: async () => undefined,
    get: (id) => one('j.id', storable(id)),
    byOrigin: (origin) => one('j.origin', blind(origin)),
    async claim(kind, at, limit) {
      const rows = await query(
        `WITH picked AS MATERIALIZED (
           SELECT seq FROM jobs WHERE held IS NULL AND due IS NOT NULL AND ${DUE_STATES[kind]} AND due <= $1
           ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED
         )
         UPDATE jobs AS j SET held = $3, member = $4 FROM picked WHERE j.seq = picked.seq AND ${LOSSY}
         RETURNING j.due, ${columns}`,
        [Math.floor(at), limit, kind, memberId()],
      );
      return readAll(rows.toSorted((first, second) => Number(first.due) - Number(second.due)));
    },
    async release(hand, id) {
      if (hand === 'submission') await query(GIVE_BACK, [storable(id), memberId()]);
      else await query(RELEASE, [storable(id), memberId(), hand]);
    },
    async keepSubmissions(ids) {
      if (ids.length > 0) await query(KEEP, [ids.map(storable), memberId()]);
    },
    async nextDue(kind) {
      const [row] = await query(
        `SELECT due FROM jobs WHERE due IS NOT NULL AND held IS NULL AND ${DUE_STATES[kind]} ORDER BY due LIMIT 1`,
        [],
      );
      return typeof row?.due === 'number' ? row.due : undefined;
    },
    unsettled: async (before, limit) =>
      readAll(
        await query(
          `SELECT ${columns} FROM jobs j WHERE j.held IS NULL AND j.state NOT IN ('running', 'delivering')
             AND j.due <= $1 AND j.finished_at IS NOT NULL ORDER BY j.due, j.id LIMIT $2`,
          [Math.floor(before), limit],
        ),
      ),
    unfinishedOf,
    async ofPerson(person, limit) {
      const open = (await unfinishedOf(person)).slice(0, limit);
      const finished = await query(
        `SELECT ${columns} FROM jobs j WHERE j.owner = $1 AND j.finished_at IS NOT NULL
         ORDER BY j.finished_at DESC LIMIT $2`,
        [blind(person), limit - open.length],
      );
      return [...open, ...(await readAll(finished))];
    },
    async remove(id) {
      const [row] = await query('SELECT remove_job($1, NULL, $2) AS done', [storable(id), now()]);
      return row?.done === true;
    },
    async giveBack(job) {
      const of = [storable(job.id), blind(job.place.community), blind(personKey(job.caller))];
      await query("SELECT move_charge($1, $2, $3, 'returned')", of);
    },
    async retireServiceId(job, serviceId) {
      await query('SELECT remember(retired($1), $2)', [blind(serviceIdOf(job, serviceId)), now()]);
    },
  };
}
