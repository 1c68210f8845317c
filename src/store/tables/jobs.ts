import { isDeepStrictEqual } from 'node:util';
import { credentialsOf } from '../../kinds/kinds.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { JobRecords } from '../../orchestrator/job/records.ts';
import { storable } from '../records/seal.ts';
import { createAccept } from './accept.ts';
import type { Query, Row, Transaction } from './driver.ts';
import { DUE_STATES, JOB_COLUMNS, lineOf, type OpenRow, serviceIdOf, slotOf } from './job-rows.ts';
import { createLine, type JobTableDependencies, nextTurn } from './line.ts';
import { originOfUsedId, rememberOrigin } from './removed.ts';
import { createSave } from './save.ts';
import { talliesOfReturn } from './tallies.ts';

/** Jobs that are taken over at once: so few that a process that dies meanwhile has not kept the others waiting for many. */
const PAGE = 100;

/** Jobs, as the orchestrator asks for them: each method is one transaction. */
export function createJobRecords(parts: JobTableDependencies): JobRecords {
  const { driver, blind, now, memberId, deadMembers, rows, usage, tallies } = parts;
  const { query: ask, transaction, sql } = driver;
  const { readAll } = rows;

  const byId = `SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1`;
  const byOrigin = `SELECT ${JOB_COLUMNS} FROM jobs WHERE origin = $1`;
  const one = async (text: string, id: string): Promise<Job | undefined> =>
    (await readAll(await ask(text, [id])))[0];
  const latestUnfinished = `SELECT ${JOB_COLUMNS} FROM jobs${sql.indexedBy('jobs_open')}
    WHERE owner = $1 AND finished_at IS NULL ORDER BY created_at DESC, seq DESC`;
  const latestEnded = `SELECT ${JOB_COLUMNS} FROM jobs
    WHERE owner = $1 AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT $2`;
  const unsettled = `SELECT ${JOB_COLUMNS} FROM jobs
    WHERE held IS NULL AND ${DUE_STATES.others} AND due <= $1 AND finished_at IS NOT NULL ORDER BY due, id LIMIT $2`;
  const unfinishedOf = async (person: string): Promise<Job[]> =>
    readAll(await ask(latestUnfinished, [blind(person)]));

  const left = `SELECT seq, slot FROM jobs${sql.indexedBy('jobs_taken_up')}
    WHERE finished_at IS NULL AND member IN (SELECT value FROM ${sql.list('$1', 'text')}) AND seq > $2
    ORDER BY seq LIMIT ${PAGE}`;
  const releaseEnded = `UPDATE jobs${sql.indexedBy('jobs_held')} SET held = NULL, member = $2, version = version + 1
    WHERE held IS NOT NULL AND finished_at IS NOT NULL AND member IN (SELECT value FROM ${sql.list('$1', 'text')})`;
  const takeOver = `UPDATE jobs SET member = $2, version = version + 1, held = NULL,
      slot = CASE WHEN state = 'waiting' THEN 0 ELSE slot END,
      line = CASE WHEN state = 'waiting' AND slot = 1 THEN credentials ELSE line END
    WHERE seq IN (SELECT value FROM ${sql.list('$1', 'bigint')})
      AND member IN (SELECT value FROM ${sql.list('$3', 'text')})
    RETURNING turn_of, slot, line, credentials, again_of, ${JOB_COLUMNS}`;
  const correct = `UPDATE jobs SET slot = $2, line = $3, credentials = $4, again_of = $5, passed = 0,
      turn = CASE WHEN turn IS NULL AND CAST($3 AS text) IS NOT NULL THEN ${nextTurn(sql, 'jobs.turn_of')} ELSE turn END
    WHERE seq = $1`;

  /** The columns of an unfinished job follow its record. An earlier version may have left them out. */
  const follow = (query: Transaction, row: Row, job: Job): void => {
    const [slot, line, credentials] = [slotOf(job), lineOf(job), credentialsOf(job.request.kind)];
    const columns = [slot, line, credentials, job.againOf === undefined ? null : blind(job.againOf)];
    // The credentials are absent until it has stood in line.
    const known = [row.slot, row.line, row.credentials ?? (line === null ? credentials : null), row.again_of];
    if (isDeepStrictEqual(known, columns)) return;
    query.write(correct, [row.seq, ...columns]);
    rows.changeSlots(query, row, slot - Number(row.slot));
  };
  const takeOverSome = async (query: Transaction, open: OpenRow, dead: readonly string[], last: number) => {
    // The second of two processes finds another member in the rows when it gets this lock, or theirs.
    await rows.lockSlots(query);
    if (last === 0) await query(releaseEnded, [dead, memberId()]);
    const found = await query(left, [dead, last]);
    const taken = await query(takeOver, [found.map(({ seq }) => seq), memberId(), dead]);
    const bySeq = new Map(taken.map((row) => [row.seq, row]));
    const jobs: Job[] = [];
    for (const before of found) {
      const row = bySeq.get(before.seq);
      if (row === undefined) continue;
      rows.changeSlots(query, row, Number(row.slot) - Number(before.slot));
      const job = open(row);
      if (job === undefined) continue;
      follow(query, row, job);
      jobs.push(job);
    }
    return { jobs, last: Number(found.at(-1)?.seq), isLast: found.length < PAGE };
  };

  let isCounted = false;
  return {
    ...createLine(parts),
    accept: createAccept(parts),
    save: createSave(parts),
    onDisk: driver.onDisk,
    get: (id) => one(byId, storable(id)),
    byOrigin: (origin) => one(byOrigin, blind(origin)),
    async claim(kind, at, limit) {
      const found = await ask.lossy(
        `WITH picked AS MATERIALIZED (
           SELECT seq FROM jobs WHERE held IS NULL AND due IS NOT NULL AND ${DUE_STATES[kind]} AND due <= $1
           ORDER BY due, id LIMIT $2${sql.skipLocked}
         )
         UPDATE jobs SET held = $3, member = $4 WHERE seq IN (SELECT seq FROM picked)
         RETURNING due, ${JOB_COLUMNS}`,
        [Math.floor(at), limit, kind, memberId()],
      );
      return readAll(found.toSorted((first, second) => Number(first.due) - Number(second.due)));
    },
    async release(kind, id) {
      // A job that another process has taken over stays claimed by that one.
      const values = [storable(id), memberId(), kind];
      if (kind !== 'submission') {
        await ask.lossy(
          'UPDATE jobs SET held = NULL WHERE id = $1 AND member = $2 AND held = $3 RETURNING 1',
          values,
        );
        return;
      }
      await transaction(async (query) => {
        await rows.lockSlots(query);
        const [back] = await query.lossy(
          `UPDATE jobs SET held = NULL, slot = 0, line = credentials
           WHERE id = $1 AND member = $2 AND held = $3 AND state = 'waiting' AND slot = 1
           RETURNING seq, turn_of`,
          values,
        );
        if (back !== undefined) rows.changeSlots(query, back, -1);
      });
    },
    async nextDue(kind) {
      const [row] = await ask(
        `SELECT min(due) AS due FROM jobs WHERE due IS NOT NULL AND held IS NULL AND ${DUE_STATES[kind]}`,
        [],
      );
      return typeof row?.due === 'number' ? row.due : undefined;
    },
    /** A raised version refuses every later write of the dead. A process that takes over and dies is followed by the next one. */
    async *abandoned() {
      if (!isCounted)
        await transaction(async (query) => {
          await rows.lockSlots(query);
          await countSlots(query);
        });
      isCounted = true;
      const dead = await deadMembers();
      if (dead.length === 0) return;
      for (let last = 0; ; ) {
        const some = await rows.reading((query, open) => takeOverSome(query, open, dead, last));
        yield* some.jobs;
        if (some.isLast) return;
        last = some.last;
      }
    },
    async unsettled(before, limit) {
      return readAll(await ask(unsettled, [Math.floor(before), limit]));
    },
    unfinishedOf,
    async ofPerson(person, limit) {
      const unfinished = (await unfinishedOf(person)).slice(0, limit);
      const values = [blind(person), limit - unfinished.length];
      return [...unfinished, ...(await readAll(await ask(latestEnded, values)))];
    },
    remove: (id) => transaction((query) => rows.remove(query, storable(id))),
    returnCredits: (job) =>
      transaction(async (query) => {
        if (!(await usage.canReturn(query, job))) return;
        tallies.add(query, job.place.community, talliesOfReturn(job));
        await usage.move(query, job, 'returned');
      }),
    retireServiceId: (job, serviceId) =>
      transaction(async (query) =>
        rememberOrigin(query, originOfUsedId(blind(serviceIdOf(job, serviceId))), now()),
      ),
  };
}

/** Counts all slots again. Without `per_person` the next `take` finds out again who has all their slots. */
async function countSlots(query: Query): Promise<void> {
  await query(
    `INSERT INTO slots (person, running, turn) SELECT '', count(*), 0 FROM jobs WHERE finished_at IS NULL AND slot = 1
     ON CONFLICT (person) DO UPDATE SET running = excluded.running, per_person = NULL`,
    [],
  );
  await query("DELETE FROM slots WHERE person <> ''", []);
  await query(
    `INSERT INTO slots (person, running, turn)
     SELECT turn_of, count(*), 0 FROM jobs WHERE finished_at IS NULL AND slot = 1 GROUP BY turn_of`,
    [],
  );
}
