import { createHash } from 'node:crypto';
import { personKey } from '../../command/place.ts';
import { hasEnded, type Job } from '../../orchestrator/job/job.ts';
import { statusPathOf } from '../../orchestrator/job/job-kinds.ts';
import { type JobRecords, ServiceIdTaken } from '../../orchestrator/job/records.ts';
import type { Database } from '../file/database.ts';
import { isConstraint } from '../file/sqlite-error.ts';
import type { Seal } from '../seal/seal.ts';
import { type Damage, reasonOf } from './damaged-records.ts';
import type { Erasures } from './erasures.ts';
import { parseJob } from './job-shape.ts';
import type { Usage } from './usage.ts';

const PURPOSE = 'job';
const PAGE = 500;
/** Prompts are some thousand characters at the most. */
const LONGEST_BODY = 262_144;
/** A platform delivers an event again for a day at the most. */
const EVENTS_KEPT_MS = 2 * 86_400_000;

export interface JobTableParts {
  readonly database: Database;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly usage: Usage;
  readonly erasures: Pick<Erasures, 'marks' | 'highest'>;
  readonly damage: Damage;
  readonly now: () => number;
}

export interface ErasedJobs {
  /** How many were gone through. */
  readonly seen: number;
  /** Those of them that are not settled and not yet marked to be forgotten. */
  readonly open: readonly Job[];
  /** How many have gone, or are in `open`. */
  readonly jobs: number;
  /** No job since the beginning was in `open`. */
  readonly isClean: boolean;
  /** Where to go on; undefined: all have been gone through. */
  readonly next: ErasedUpTo | undefined;
}

/** How far the erasing of a person has come: jobs that are not settled yet stay, and are not gone through again. */
export interface ErasedUpTo {
  readonly createdAt: number;
  readonly seq: number;
  readonly isClean: boolean;
}

export interface JobTable extends JobRecords {
  /** Removes up to `limit` of a person's records up to a number. */
  eraseOf(owner: string, upTo: number, limit: number, from: ErasedUpTo | undefined): ErasedJobs;
}

type Row = Record<string, unknown>;

const retired = (serviceId: string): string => `id ${createHash('sha256').update(serviceId).digest('hex')}`;

/** Job records: what is looked up by stands in columns, everything else in a sealed body. */
export function createJobs(parts: JobTableParts): JobTable {
  const { seal, blind, usage, erasures, damage, now } = parts;
  const { sql, transaction, onDisk, note, removed } = parts.database;
  const columns = `seq, id, owner, community, state, version, service_id, length(body) AS length,
    CASE WHEN length(body) <= ${LONGEST_BODY} THEN body END AS body`;
  const insert = sql.prepare(`
    INSERT INTO jobs (seq, id, origin, owner, community, state, due, created_at, finished_at, version, body)
    VALUES (1 + max(coalesce((SELECT max(seq) FROM jobs), 0), ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const update = sql.prepare(`
    UPDATE jobs SET state = ?, due = ?, finished_at = ?, service_id = coalesce(?, service_id), version = ?, body = ?
    WHERE id = ? AND version = ?
  `);
  // Nearly all writes are polls that found nothing new: naming no more columns spares four indexes.
  const postpone = sql.prepare('UPDATE jobs SET due = ?, version = ?, body = ? WHERE id = ? AND version = ?');
  const get = sql.prepare(`SELECT ${columns} FROM jobs WHERE id = ?`);
  const byOrigin = sql.prepare(`SELECT ${columns} FROM jobs WHERE origin = ?`);
  const dueOf = (which: string) => ({
    now: sql.prepare(`SELECT id FROM jobs WHERE ${which} AND due <= ? ORDER BY due, id LIMIT ?`),
    next: sql.prepare(`SELECT min(due) AS due FROM jobs WHERE ${which} AND due > ?`),
  });
  const due = {
    polls: dueOf("state = 'running'"),
    // The first condition is the index's own.
    results: dueOf("state <> 'running' AND state = 'delivering'"),
    others: dueOf("state <> 'running' AND state <> 'delivering'"),
  };
  const unfinished = sql.prepare(
    `SELECT ${columns} FROM jobs WHERE finished_at IS NULL AND seq > ? ORDER BY seq LIMIT ?`,
  );
  // Left to itself it would read all that the person ever had, in order, to find the few that are open.
  const openOf = sql.prepare(`
    SELECT ${columns} FROM jobs INDEXED BY jobs_open WHERE owner = ? AND finished_at IS NULL
    ORDER BY created_at DESC, seq DESC LIMIT ?
  `);
  const finishedOf = sql.prepare(
    `SELECT ${columns} FROM jobs WHERE owner = ? AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT ?`,
  );
  const countOpen = sql.prepare(
    'SELECT count(*) AS n FROM jobs INDEXED BY jobs_open WHERE owner = ? AND finished_at IS NULL',
  );
  const accepted = sql.prepare(
    'SELECT count(*) AS n, min(created_at) AS first FROM jobs WHERE owner = ? AND created_at > ? AND created_at <= ?',
  );
  const remember = sql.prepare(
    'INSERT OR REPLACE INTO removed (origin, at) SELECT origin, ? FROM jobs WHERE id = ? AND version = coalesce(?, version)',
  );
  const rememberId = sql.prepare('INSERT OR REPLACE INTO removed (origin, at) VALUES (?, ?)');
  const claimedId = sql.prepare(
    'SELECT service_id FROM jobs WHERE id = ? AND version = coalesce(?, version) AND service_id IS NOT NULL',
  );
  const remove = sql.prepare('DELETE FROM jobs WHERE id = ? AND version = coalesce(?, version)');
  const wasRemoved = sql.prepare('SELECT 1 AS yes FROM removed WHERE origin = ?');
  const erasable = sql.prepare(`
    SELECT created_at, ${columns} FROM jobs WHERE owner = ? AND (created_at, seq) > (?, ?) AND seq <= ?
    ORDER BY created_at, seq LIMIT ?
  `);
  const rememberRow = sql.prepare(
    'INSERT OR REPLACE INTO removed (origin, at) SELECT origin, ? FROM jobs WHERE seq = ? AND created_at > ?',
  );
  const removeRow = sql.prepare('DELETE FROM jobs WHERE seq = ?');
  const expire = sql.prepare(
    'DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE finished_at < ? ORDER BY finished_at LIMIT ?)',
  );

  const body = ({ version: _, ...job }: Job) => seal.seal(JSON.stringify(job), PURPOSE);
  const parse = (row: Row): Job => {
    if (row.body === null && Number(row.length) > LONGEST_BODY)
      throw new Error(`it is ${row.length} bytes long`);
    const job = parseJob(seal.open(row.body, PURPOSE));
    if (job.id !== row.id || job.state !== row.state || !Number.isSafeInteger(row.version))
      throw new Error('its columns and its body disagree');
    return { ...job, version: Number(row.version) };
  };
  /** Of a record that has gone only a hash stays known: whoever gets the same id must not see what was made for another. */
  const retire = (serviceId: unknown): void => {
    if (typeof serviceId === 'string') rememberId.run(retired(serviceId), now());
  };
  const dropRow = ({ seq, service_id }: Row): void => {
    retire(service_id);
    rememberRow.run(now(), Number(seq), now() - EVENTS_KEPT_MS);
    removed();
    removeRow.run(Number(seq));
  };
  /** The credits of a record that is lost: what was not sent is not paid for; what may have been is. */
  const abandon = ({ id, owner, community, state }: Row): void => {
    const unsent = state === 'opening' || state === 'waiting';
    usage.abandon(String(id), String(owner), String(community), unsent ? 'returned' : 'spent');
  };
  /** Whose card it has, nobody can tell: the card stays as it is. */
  const setAside = (row: Row, error: unknown): void => {
    const [id, owner] = [String(row.id), String(row.owner)];
    const record = { kind: 'job', id, why: reasonOf(error) };
    try {
      transaction(() => {
        abandon(row);
        damage.setAside(record, owner, row.body);
        dropRow(row);
      });
    } catch {
      // Where nothing can be written now, the next reader tries again.
      damage.skip(record);
    }
  };
  const read = (row: Row): Job | undefined => {
    let job: Job;
    try {
      job = parse(row);
    } catch (error) {
      setAside(row, error);
      return undefined;
    }
    const marks = erasures.marks(String(row.owner));
    if (marks === undefined || Number(row.seq) > marks.jobs) return job;
    // Its person is being erased: nobody sees it any more, and what is under way for it is brought to its end.
    return job.settled ? undefined : { ...job, forget: true };
  };
  /** Undefined for all that can go at once: it need not be readable for that. */
  const unsettled = (row: Row): Job | undefined => {
    try {
      const job = parse(row);
      return job.settled ? undefined : job;
    } catch {
      abandon(row);
      return undefined;
    }
  };
  const maybe = (row: Row | undefined) => (row === undefined ? undefined : read(row));
  const readAll = (rows: readonly Row[]): Job[] => rows.flatMap((row) => read(row) ?? []);
  const finishedAt = (job: Job) => (hasEnded(job) ? job.finishedAt : null);
  const serviceIdOf = ({ request }: Job, serviceId: string): string =>
    blind(`${statusPathOf(request.kind)} ${serviceId}`);
  /** The record goes; that its event was handled stays known. */
  const take = (id: string, version: number | null) => {
    remember.run(now(), id, version);
    retire(claimedId.get(id, version)?.service_id);
    removed();
    return remove.run(id, version);
  };
  const put = (before: Job, next: Job) => {
    if (next.forget && next.settled) return take(before.id, before.version);
    const due = next.due === undefined ? null : Math.ceil(next.due);
    const { id, version } = before;
    if (before.state === next.state) return postpone.run(due, next.version, body(next), id, version);
    const { serviceId } = next;
    const claimed =
      serviceId === undefined || serviceId === before.serviceId ? null : serviceIdOf(next, serviceId);
    if (claimed !== null && wasRemoved.get(retired(claimed)) !== undefined) throw new ServiceIdTaken();
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
          erasures.highest('jobs'),
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
          const job = read(row);
          if (job !== undefined) yield job;
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
      const open = readAll(openOf.all(blind(person), limit));
      return [...open, ...readAll(finishedOf.all(blind(person), limit - open.length))];
    },
    eraseOf(owner, upTo, limit, from = { createdAt: Number.MIN_SAFE_INTEGER, seq: 0, isClean: true }) {
      const rows = erasable.all(owner, from.createdAt, from.seq, upTo, limit);
      const open: Job[] = [];
      let gone = 0;
      transaction(() => {
        for (const row of rows) {
          const job = unsettled(row);
          if (job === undefined) {
            dropRow(row);
            gone += 1;
          } else if (!job.forget) open.push(job);
        }
      });
      const isClean = from.isClean && open.length === 0;
      const last = rows.length < limit ? undefined : rows.at(-1);
      const next = last && { createdAt: Number(last.created_at), seq: Number(last.seq), isClean };
      return { seen: rows.length, open, jobs: gone + open.length, isClean, next };
    },
    remove: (id) => transaction(() => take(id, null).changes > 0),
    retireServiceId: (job, serviceId) => transaction(() => retire(serviceIdOf(job, serviceId))),
    wasRemoved(origin) {
      if (wasRemoved.get(blind(origin)) !== undefined) return true;
      const row = byOrigin.get(blind(origin));
      return row !== undefined && read(row) === undefined;
    },
    expire: (before, limit) => Number(expire.run(before, limit).changes),
  };
}
