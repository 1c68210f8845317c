import { personKey } from '../command/place.ts';
import { statusFamilyOf } from '../orchestrator/family.ts';
import { isFinal, type Job } from '../orchestrator/job.ts';
import { type JobRecords, ServiceIdTaken, type UsageRecords } from '../orchestrator/records.ts';
import type { Database } from './database.ts';
import type { Seal } from './seal.ts';
import { isConstraint } from './sqlite-error.ts';

const PURPOSE = 'job';
const PAGE = 500;

/** Job records: what is looked up by stands in columns, everything else in a sealed body. */
export function createJobs(
  { sql, transaction, onDisk, note, removed }: Database,
  seal: Seal,
  blind: (id: string) => string,
  usage: UsageRecords,
  now: () => number,
): JobRecords {
  const insert = sql.prepare(`
    INSERT INTO jobs (id, origin, owner, community, state, due, created_at, finished_at, version, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const update = sql.prepare(`
    UPDATE jobs SET state = ?, due = ?, finished_at = ?, service_id = coalesce(?, service_id), version = ?, body = ?
    WHERE id = ? AND version = ?
  `);
  // Nearly all writes are looks that found nothing new: naming no more columns spares four indexes.
  const postpone = sql.prepare('UPDATE jobs SET due = ?, version = ?, body = ? WHERE id = ? AND version = ?');
  const get = sql.prepare('SELECT version, body FROM jobs WHERE id = ?');
  const byOrigin = sql.prepare('SELECT version, body FROM jobs WHERE origin = ?');
  const dueOf = (which: string) => ({
    now: sql.prepare(`SELECT id FROM jobs WHERE ${which} AND due <= ? ORDER BY due, id LIMIT ?`),
    next: sql.prepare(`SELECT min(due) AS due FROM jobs WHERE ${which} AND due > ?`),
  });
  const due = { looks: dueOf("state = 'running'"), others: dueOf("state <> 'running'") };
  const unfinished = sql.prepare(
    'SELECT seq, version, body FROM jobs WHERE finished_at IS NULL AND seq > ? ORDER BY seq LIMIT ?',
  );
  // Left to itself it would read all that the person ever had, in order, to find the few that are open.
  const openOf = sql.prepare(`
    SELECT version, body FROM jobs INDEXED BY jobs_open WHERE owner = ? AND finished_at IS NULL
    ORDER BY created_at DESC, seq DESC LIMIT ?
  `);
  const finishedOf = sql.prepare(
    'SELECT version, body FROM jobs WHERE owner = ? AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT ?',
  );
  const countOpen = sql.prepare('SELECT count(*) AS n FROM jobs WHERE owner = ? AND finished_at IS NULL');
  const accepted = sql.prepare(
    'SELECT count(*) AS n, min(created_at) AS first FROM jobs WHERE owner = ? AND created_at > ? AND created_at <= ?',
  );
  const remember = sql.prepare(
    'INSERT OR REPLACE INTO removed (origin, at) SELECT origin, ? FROM jobs WHERE id = ? AND version = coalesce(?, version)',
  );
  const remove = sql.prepare('DELETE FROM jobs WHERE id = ? AND version = coalesce(?, version)');
  const wasRemoved = sql.prepare('SELECT 1 AS yes FROM removed WHERE origin = ?');
  const everyOf = sql.prepare('SELECT version, body FROM jobs WHERE owner = ?');
  const expire = sql.prepare(
    'DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE finished_at < ? ORDER BY finished_at LIMIT ?)',
  );

  const body = ({ version: _, ...job }: Job) => seal.seal(JSON.stringify(job), PURPOSE);
  const read = (row: Record<string, unknown>): Job => ({
    ...JSON.parse(seal.open(row.body, PURPOSE)),
    version: Number(row.version),
  });
  const maybe = (row: Record<string, unknown> | undefined) => (row === undefined ? undefined : read(row));
  const finishedAt = (job: Job) => (isFinal(job.state) ? (job.finishedAt ?? job.createdAt) : null);
  const serviceIdOf = ({ request, serviceId }: Job) =>
    serviceId === undefined ? null : blind(`${statusFamilyOf(request.kind)} ${serviceId}`);
  /** The record goes; that its event was handled stays known. */
  const take = (id: string, version: number | null) => {
    remember.run(now(), id, version);
    removed();
    return remove.run(id, version);
  };
  const put = (before: Job, next: Job) => {
    if (next.forget && next.settled) return take(before.id, before.version);
    const due = next.due === undefined ? null : Math.ceil(next.due);
    const { id, version } = before;
    if (before.state === next.state) return postpone.run(due, next.version, body(next), id, version);
    const claimed = before.serviceId === next.serviceId ? null : serviceIdOf(next);
    try {
      return update.run(next.state, due, finishedAt(next), claimed, next.version, body(next), id, version);
    } catch (error) {
      // The unique index decides: two answers with the same id cannot both be taken.
      throw claimed !== null && isConstraint(error) ? new ServiceIdTaken() : error;
    }
  };

  return {
    transaction,
    onDisk,
    insert: (job) =>
      transaction(() => {
        const person = personKey(job.caller);
        insert.run(
          job.id,
          blind(job.origin),
          blind(person),
          blind(job.place.community),
          job.state,
          job.due ?? null,
          job.createdAt,
          finishedAt(job),
          job.version,
          body(job),
        );
        usage.reserve(person, job);
      }),
    get: (id) => maybe(get.get(id)),
    byOrigin: (origin) => maybe(byOrigin.get(blind(origin))),
    save(before, after, weight = 'promise') {
      const next: Job = { ...after, version: before.version + 1 };
      const write = () => {
        if (put(before, next).changes === 0) return undefined;
        if (before.charge !== next.charge) {
          usage.move(personKey(next.caller), next, next.charge, before.charge);
        }
        return next;
      };
      const isNote = weight === 'note' && before.charge === next.charge && !next.forget;
      return isNote ? note(write) : transaction(write);
    },
    due: (which, now, limit) => due[which].now.all(now, limit).map((row) => String(row.id)),
    nextDue(which, after) {
      const at = due[which].next.get(after)?.due;
      return typeof at === 'number' ? at : undefined;
    },
    *unfinished() {
      let last = 0;
      for (;;) {
        const rows = unfinished.all(last, PAGE);
        for (const row of rows) {
          last = Number(row.seq);
          yield read(row);
        }
        if (rows.length < PAGE) return;
      }
    },
    countUnfinished: (person) => Number(countOpen.get(blind(person))?.n ?? 0),
    acceptedSince(person, since, now) {
      const row = accepted.get(blind(person), since, now);
      const first = row?.first;
      return { count: Number(row?.n ?? 0), ...(typeof first === 'number' ? { first } : {}) };
    },
    ofPerson(person, limit) {
      const open = openOf.all(blind(person), limit).map(read);
      return [...open, ...finishedOf.all(blind(person), limit - open.length).map(read)];
    },
    everyOf: (person) => everyOf.all(blind(person)).map(read),
    remove: (id) => transaction(() => take(id, null).changes > 0),
    wasRemoved: (origin) => wasRemoved.get(blind(origin)) !== undefined,
    expire: (before, limit) => Number(expire.run(before, limit).changes),
  };
}
