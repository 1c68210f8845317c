import { personKey, turnKey } from '../../../command/place.ts';
import { hasEnded, type Job } from '../../../orchestrator/job/job.ts';
import { dueKindOf, type JobRecords, ServiceIdTaken } from '../../../orchestrator/job/records.ts';
import type { CommunityList } from '../../records/community-list.ts';
import { DUE_STATES, endOf, sealJob, serviceIdOf } from '../../records/jobs/job-body.ts';
import type { JobSearch } from '../../records/jobs/job-search.ts';
import { lineOf, slotOf } from '../../records/jobs/line-columns.ts';
import type { Seal } from '../../records/seal/seal.ts';
import { tallyOfEnd } from '../../records/tallies.ts';
import type { Database } from '../file/database.ts';
import { isConstraint } from '../file/sqlite-error.ts';
import type { DamagedRecords } from './damaged-records.ts';
import { createEraseJobs, type EraseJobs } from './erase-jobs.ts';
import type { Erasures } from './erasures.ts';
import { columns, type Row } from './job-row.ts';
import { createLine, nextTurn } from './line.ts';
import { createListCommunities } from './list-communities.ts';
import { createJobReader } from './read-jobs.ts';
import { createRemovedJobs } from './removed-jobs.ts';
import { createSearch } from './search-jobs.ts';
import type { TallyTable } from './tallies.ts';
import type { FromGrant, Usage } from './usage.ts';

const PAGE = 500;

export interface JobTableParts {
  readonly database: Database;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly usage: Usage;
  readonly tallies: Pick<TallyTable, 'add'>;
  readonly erasures: Pick<Erasures, 'marks' | 'highest'>;
  readonly damagedRecords: DamagedRecords;
  readonly now: () => number;
}

export interface JobTable extends Omit<JobRecords, 'accept'> {
  /** Writes a job down and reserves its credits. */
  insert(job: Job, grant?: FromGrant): void;
  /** `removed`: it was taken out of the records a short while ago, or cannot be read. */
  ofEvent(origin: string): Job | 'removed' | undefined;
  openOf(person: string): Job[];
  /** `who`: see `turnKey`. */
  countOpen(who: string): number;
  /** Removes up to `limit` finished records older than `before`; says how many went. */
  expire(before: number, limit: number): number;
  readonly eraseOf: EraseJobs;
  readonly search: JobSearch;
  readonly communityList: CommunityList;
}

export function createJobs(parts: JobTableParts): JobTable {
  const { seal, blind, usage, tallies, erasures } = parts;
  const { sql, transaction, onDisk, note } = parts.database;
  const removedJobs = createRemovedJobs(parts.database, parts.now);
  const reader = createJobReader({ ...parts, removedJobs });
  const insert = sql.prepare(`
    INSERT INTO jobs
      (seq, id, origin, owner, community, state, due, created_at, finished_at, version, body, slot, line, kind, turn_of, turn)
    VALUES (1 + max(coalesce((SELECT max(seq) FROM jobs), 0), ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
      ?15, CASE WHEN ?13 IS NULL THEN NULL ELSE ${nextTurn('?15')} END)
  `);
  const updateOf = (more: string) =>
    sql.prepare(`
    UPDATE jobs SET state = ?1, due = ?2, ${more} version = ?5, body = ?6,
      held = CASE WHEN held = 'submission' AND ?1 <> 'submitting' THEN NULL WHEN ?7 THEN held END,
      slot = ?8, line = ?9, passed = passed AND ?9 IS NOT NULL,
      turn = CASE WHEN ?9 IS NULL OR turn IS NOT NULL THEN turn ELSE ${nextTurn('jobs.turn_of')} END,
      returns = CASE WHEN ?9 IS NOT NULL THEN returns + slot WHEN ?1 = 'waiting' THEN 0 ELSE returns END
    WHERE id = ?10 AND version = ?11
  `);
  const update = updateOf('finished_at = ?3, service_id = coalesce(?4, service_id),');
  // Columns that stay as they are are not named: their indexes would be written again.
  const updateOpen = updateOf('');
  // Nearly all writes are polls that found nothing new: naming no more columns spares four indexes.
  const postpone = sql.prepare(
    'UPDATE jobs SET due = ?, version = ?, body = ?, held = CASE WHEN ? THEN held END WHERE id = ? AND version = ?',
  );
  const get = sql.prepare(`SELECT ${columns} FROM jobs WHERE id = ?`);
  const byOrigin = sql.prepare(`SELECT ${columns} FROM jobs WHERE origin = ?`);
  const dueOf = (which: string) => ({
    claim: sql.prepare(`
      UPDATE jobs SET held = ? WHERE id IN
        (SELECT id FROM jobs WHERE held IS NULL AND ${which} AND due <= ? ORDER BY due, id LIMIT ?)
      RETURNING due, ${columns}
    `),
    // Without `due IS NOT NULL`, which is the index's own condition, the whole table would be read.
    next: sql.prepare(`SELECT min(due) AS due FROM jobs WHERE due IS NOT NULL AND held IS NULL AND ${which}`),
  });
  const due = {
    polls: dueOf(DUE_STATES.polls),
    results: dueOf(DUE_STATES.results),
    others: dueOf(DUE_STATES.others),
  };
  const release = sql.prepare('UPDATE jobs SET held = NULL WHERE id = ? AND held = ?');
  const releaseAll = sql.prepare(
    "UPDATE jobs SET held = NULL WHERE held IN ('polls', 'results', 'others', 'submission')",
  );
  const unsettled = sql.prepare(`
    SELECT ${columns} FROM jobs WHERE held IS NULL AND state NOT IN ('running', 'delivering') AND due <= ? AND finished_at IS NOT NULL
    ORDER BY due, id LIMIT ?
  `);
  const unfinished = sql.prepare(
    `SELECT ${columns}, iif(slot IN (0, 1), slot, NULL) AS slot, line FROM jobs WHERE finished_at IS NULL AND seq > ? ORDER BY seq LIMIT ?`,
  );
  // Left to itself it would read all that the person ever had, in order, to find the few that are open.
  const openOf = sql.prepare(`
    SELECT ${columns} FROM jobs INDEXED BY jobs_open WHERE owner = ? AND finished_at IS NULL
    ORDER BY created_at DESC, seq DESC
  `);
  const finishedOf = sql.prepare(
    `SELECT ${columns} FROM jobs WHERE owner = ? AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT ?`,
  );
  const countOpen = sql.prepare(
    'SELECT count(*) AS n FROM jobs INDEXED BY jobs_turns WHERE turn_of = ? AND finished_at IS NULL',
  );
  const expire = sql.prepare(
    'DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE finished_at < ? ORDER BY finished_at LIMIT ?)',
  );

  const { read } = reader;
  const line = createLine({ database: parts.database, blind, read });
  const maybe = (row: Row | undefined) => (row === undefined ? undefined : read(row));
  const readAll = (rows: readonly Row[]): Job[] => rows.flatMap((row) => read(row) ?? []);
  const unfinishedOf = (person: string) => readAll(openOf.all(blind(person)));
  /** Whether the record was still the one that `before` says. */
  const put = (before: Job, next: Job, keep: number): boolean => {
    if (next.forget && next.settled) return removedJobs.remove(before.id, before.version);
    const due = next.due === undefined ? null : Math.ceil(next.due);
    const { id, version } = before;
    const body = sealJob(next, seal);
    if (before.state === next.state && next.state !== 'waiting')
      return postpone.run(due, next.version, body, keep, id, version).changes > 0;
    const { serviceId } = next;
    const claimed =
      serviceId === undefined || serviceId === before.serviceId ? null : blind(serviceIdOf(next, serviceId));
    if (claimed !== null && removedJobs.isRetired(claimed)) throw new ServiceIdTaken();
    try {
      const statement = claimed === null && !hasEnded(before) && !hasEnded(next) ? updateOpen : update;
      const columns = [next.state, due, endOf(next), claimed, next.version, body, keep] as const;
      return statement.run(...columns, slotOf(next), lineOf(next), id, version).changes > 0;
    } catch (error) {
      // The unique index decides: two answers with the same id cannot both be taken.
      throw claimed !== null && isConstraint(error) ? new ServiceIdTaken() : error;
    }
  };

  const { take, place, expectedPlace, counts } = line;
  return {
    onDisk,
    take,
    place,
    expectedPlace,
    counts,
    insert: (job, grant) =>
      transaction(() => {
        const person = personKey(job.caller);
        insert.run(
          erasures.highest('jobs'),
          job.id,
          blind(job.origin),
          blind(person),
          blind(job.place.community),
          job.state,
          job.due ?? null,
          job.createdAt,
          endOf(job),
          job.version,
          sealJob(job, seal),
          slotOf(job),
          lineOf(job),
          job.request.kind,
          blind(turnKey(job.caller)),
        );
        usage.reserve(person, job, grant);
      }),
    ofEvent(origin) {
      const blinded = blind(origin);
      const row = byOrigin.get(blinded);
      if (row !== undefined) return read(row) ?? 'removed';
      return removedJobs.wasRemoved(blinded) ? 'removed' : undefined;
    },
    openOf: unfinishedOf,
    get: async (id) => maybe(get.get(id)),
    byOrigin: async (origin) => maybe(byOrigin.get(blind(origin))),
    async save(before, after, durability = 'durable', hand = 'keep') {
      const next: Job = { ...after, version: before.version + 1 };
      const isKept = hand === 'keep' && dueKindOf(before.state) === dueKindOf(next.state);
      const write = () => {
        if (!put(before, next, Number(isKept))) return undefined;
        if (before.charge !== next.charge) {
          usage.move(personKey(next.caller), next, next.charge, before.charge);
        }
        tallies.add(next.place.community, tallyOfEnd(before, next));
        return next;
      };
      const isLossy = durability === 'lossy' && before.charge === next.charge && !next.forget;
      return isLossy ? note(write) : transaction(write);
    },
    async claim(which, now, limit) {
      const rows = note(() => due[which].claim.all(which, now, limit));
      return readAll(rows.toSorted((one, other) => Number(one.due) - Number(other.due)));
    },
    async release(hand, id) {
      if (hand !== 'submission') return void note(() => release.run(id, hand));
      const row = get.get(id);
      if (row !== undefined) line.giveBack(row);
    },
    async nextDue(which) {
      const at = due[which].next.get()?.due;
      return typeof at === 'number' ? at : undefined;
    },
    async *abandoned() {
      note(() => releaseAll.run());
      line.recount();
      let last = 0;
      for (;;) {
        const rows = unfinished.all(last, PAGE);
        const jobs = transaction(() =>
          rows.flatMap((row) => {
            const job = read(row);
            if (job === undefined) return [];
            line.correct(row, job);
            return [job];
          }),
        );
        yield* jobs;
        last = Number(rows.at(-1)?.seq);
        if (rows.length < PAGE) return;
      }
    },
    unsettled: async (before, limit) => readAll(unsettled.all(before, limit)),
    countOpen: (who) => Number(countOpen.get(blind(who))?.n ?? 0),
    unfinishedOf: async (person) => unfinishedOf(person),
    async ofPerson(person, limit) {
      const open = unfinishedOf(person).slice(0, limit);
      return [...open, ...readAll(finishedOf.all(blind(person), limit - open.length))];
    },
    search: createSearch(parts.database, reader, blind),
    communityList: createListCommunities(parts, reader),
    eraseOf: createEraseJobs(parts.database, reader, removedJobs),
    remove: async (id) => transaction(() => removedJobs.remove(id, null)),
    giveBack: async (job) => void transaction(() => usage.move(personKey(job.caller), job, 'returned')),
    retireServiceId: async (job, serviceId) =>
      transaction(() => removedJobs.retire(blind(serviceIdOf(job, serviceId)))),
    expire: (before, limit) => Number(expire.run(before, limit).changes),
  };
}
