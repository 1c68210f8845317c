import type { JobState } from '../../command/jobs-port.ts';
import type { JobKind } from '../../kinds/kinds.ts';
import { type FinalState, isFinal, type Job } from '../../orchestrator/job/job.ts';
import type { Base, Dialect, Row } from './driver.ts';
import { createEntryBodies, ENTRY_COLUMNS } from './entries.ts';
import { JOB_COLUMNS, type JobRows } from './job-rows.ts';

/** Which jobs the owner searches for; what is absent may be anything. */
export interface JobQuery {
  readonly state?: JobState;
  readonly kind?: JobKind;
  readonly community?: string;
  readonly person?: string;
}

/** Where the next page begins: after this one. */
export interface JobMark {
  readonly createdAt: number;
  readonly seq: number;
}

interface JobPage {
  readonly jobs: readonly Job[];
  /** Undefined: there are no more. With fewer jobs than asked for: the search was long enough for one page. */
  readonly next?: JobMark;
}

const MOST_SCANNED = 5_000;
const SCANNED_AT_ONCE = 1_000;
/** Records that are opened for one page and do not fit, or are damaged. */
const MOST_MISSED = 200;

export type JobSearch = ReturnType<typeof createJobSearch>;

/** Searches all jobs, the newest first, for the console. */
export function createJobSearch({ driver, blind }: Base, { readAll }: JobRows) {
  const { query: ask, sql } = driver;
  const searches = searchesOf(sql);
  /** Candidates after a mark: by the rarest of what is searched for. */
  const candidates = ({ person, community, kind, state }: JobQuery, { createdAt, seq }: JobMark) => {
    const most = SCANNED_AT_ONCE;
    if (person !== undefined) return ask(searches.ofPerson, [most, blind(person), createdAt, seq]);
    if (community !== undefined) return ask(searches.ofCommunity, [most, blind(community), seq]);
    if (kind !== undefined) return ask(searches.ofKind, [most, kind, seq]);
    if (state === undefined || state === 'done') return ask(searches.all, [most, seq]);
    if (isUnsuccessful(state)) return ask(searches.unsuccessful, [most, state, seq]);
    return ask(searches.unfinished, [most, seq]);
  };
  const some = `SELECT ${JOB_COLUMNS} FROM jobs WHERE seq IN (SELECT value FROM ${sql.list('$1', 'bigint')})`;
  /** The jobs of these rows, by id, as far as they can be read. */
  const open = async (rows: readonly Row[]): Promise<ReadonlyMap<unknown, Job>> => {
    const found = rows.length === 0 ? [] : await ask(some, [rows.map(({ seq }) => seq)]);
    return new Map((await readAll(found)).map((job) => [job.id, job]));
  };
  const fits = ({ state, kind, community, person }: JobQuery) => {
    const [where, who] = [community, person].map((id) => (id === undefined ? undefined : blind(id)));
    return (row: Row): boolean =>
      (state === undefined || row.state === state) &&
      (kind === undefined || row.kind === kind || row.kind === null) &&
      (where === undefined || row.community === where) &&
      (who === undefined || row.owner === who);
  };

  return {
    async find(query: JobQuery, limit: number, after?: JobMark): Promise<JobPage> {
      const isFit = fits(query);
      const jobs: Job[] = [];
      const isOfKind = (job: Job): boolean => query.kind === undefined || job.request.kind === query.kind;
      let next = after;
      for (let scanned = 0, missed = 0; scanned < MOST_SCANNED && missed < MOST_MISSED; ) {
        const rows = await candidates(query, next ?? NEWEST);
        const wanted = rows.filter(isFit).slice(0, limit + 1 - jobs.length);
        const opened = await open(wanted);
        for (const row of rows) {
          if (jobs.length === limit && isFit(row)) return { jobs, ...(next && { next }) };
          // The rest was not opened: jobs without a kind that turned out to be of another took their places.
          if (isFit(row) && !wanted.includes(row)) break;
          const job = opened.get(row.id);
          if (job !== undefined && !job.forget && isOfKind(job)) jobs.push(job);
          else if (isFit(row)) missed += 1;
          next = { createdAt: Number(row.created_at), seq: Number(row.seq) };
          scanned += 1;
        }
        const isLast = rows.at(-1)?.seq === next?.seq;
        if (rows.length === 0 || (isLast && rows.length < SCANNED_AT_ONCE)) return { jobs };
      }
      return { jobs, ...(next && { next }) };
    },
  };
}

/** Before every job, for the first page. */
const NEWEST: JobMark = { createdAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

/** Columns that a search compares. */
const CANDIDATE = 'seq, id, created_at, owner, community, state, kind';

/** Rows that may fit, in the order of an index, the newest first. Each searches by one thing; `$1` is how many, and the mark stands last. */
const searchesOf = ({ unfinishedJobs }: Dialect) => ({
  ofPerson: `SELECT ${CANDIDATE} FROM jobs
    WHERE owner = $2 AND (created_at, seq) < ($3, $4)
    ORDER BY created_at DESC, seq DESC LIMIT $1`,
  ofCommunity: `SELECT * FROM (
      SELECT ${CANDIDATE} FROM ${unfinishedJobs}
      WHERE community = $2 AND finished_at IS NULL AND seq < $3 ORDER BY seq DESC LIMIT $1
    ) AS unfinished
    UNION ALL SELECT * FROM (
      SELECT ${CANDIDATE} FROM jobs
      WHERE community = $2 AND finished_at IS NOT NULL AND seq < $3 ORDER BY seq DESC LIMIT $1
    ) AS ended
    ORDER BY seq DESC LIMIT $1`,
  /** Jobs of earlier versions have no kind in their row. */
  ofKind: `SELECT * FROM (
      SELECT ${CANDIDATE} FROM ${unfinishedJobs}
      WHERE finished_at IS NULL AND seq < $3 ORDER BY seq DESC LIMIT $1
    ) AS unfinished
    UNION ALL SELECT * FROM (
      SELECT ${CANDIDATE} FROM jobs
      WHERE kind = $2 AND finished_at IS NOT NULL AND seq < $3 ORDER BY seq DESC LIMIT $1
    ) AS ended
    UNION ALL SELECT * FROM (
      SELECT ${CANDIDATE} FROM jobs
      WHERE kind IS NULL AND finished_at IS NOT NULL AND seq < $3 ORDER BY seq DESC LIMIT $1
    ) AS without_kind
    ORDER BY seq DESC LIMIT $1`,
  unsuccessful: `SELECT ${CANDIDATE} FROM jobs
    WHERE state = $2 AND state IN ('failed', 'cancelled', 'uncertain') AND seq < $3
    ORDER BY seq DESC LIMIT $1`,
  unfinished: `SELECT ${CANDIDATE} FROM ${unfinishedJobs}
    WHERE finished_at IS NULL AND seq < $2
    ORDER BY seq DESC LIMIT $1`,
  all: `SELECT ${CANDIDATE} FROM jobs WHERE seq < $2 ORDER BY seq DESC LIMIT $1`,
});

/** Unfinished and successful jobs are searched in other ways. */
const isUnsuccessful = (state: JobState): state is Exclude<FinalState, 'done'> =>
  isFinal(state) && state !== 'done';

/** From one community to the next, however many jobs each has. */
const KEYS = `WITH RECURSIVE found (key) AS (
    SELECT min(community) FROM jobs WHERE finished_at IS NOT NULL AND community > $1
    UNION ALL
    SELECT (SELECT min(community) FROM jobs WHERE finished_at IS NOT NULL AND community > found.key)
    FROM found WHERE key IS NOT NULL
  )
  SELECT key FROM found WHERE key IS NOT NULL LIMIT $2`;
const ENTRIES = `SELECT ${ENTRY_COLUMNS} FROM entries
  WHERE namespace = $1 AND key > $2 AND owner IS NULL AND (expires IS NULL OR expires > $3)
  ORDER BY key LIMIT $4`;
const LATEST = `SELECT ${JOB_COLUMNS} FROM jobs
  WHERE seq = (SELECT max(seq) FROM jobs WHERE community = $1 AND finished_at IS NOT NULL)`;

interface CommunityPage {
  /** One that cannot be read is left out, so there may be fewer than asked for. */
  readonly ids: readonly string[];
  /** Where the next page begins; undefined: there are no more. */
  readonly next?: string;
}

/** Communities that have ended jobs, or records of their own. */
export function createCommunityList({ driver: { query }, seal, blind, now }: Base, { read }: JobRows) {
  const idOfJobs = async (key: string): Promise<string | undefined> => {
    const [row] = await query(LATEST, [key]);
    return (row && (await read(row)))?.place.community;
  };
  return {
    /** In the order of the store's own keys. `namespaces`: of records whose keys are communities. */
    async page(namespaces: readonly string[], limit: number, after = ''): Promise<CommunityPage> {
      const known = new Map<string, string | undefined>();
      for (const { key } of await query(KEYS, [after, limit + 1])) known.set(String(key), undefined);
      for (const namespace of namespaces) {
        const { open } = createEntryBodies(namespace, {}, { seal, blind });
        for (const row of await query(ENTRIES, [namespace, after, Math.floor(now()), limit + 1])) {
          const key = String(row.key);
          try {
            known.set(key, open(row)[0]);
          } catch {
            known.set(key, known.get(key));
          }
        }
      }
      const keys = [...known.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const shown = keys.slice(0, limit);
      const ids: string[] = [];
      for (const key of shown) {
        const id = known.get(key) ?? (await idOfJobs(key));
        if (id !== undefined) ids.push(id);
      }
      const last = shown.at(-1);
      return { ids, ...(keys.length > limit && last !== undefined ? { next: last } : {}) };
    },
  };
}
