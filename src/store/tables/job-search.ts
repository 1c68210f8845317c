import type { JobKind } from '../../command/kinds.ts';
import type { JobState } from '../../command/ports.ts';
import { type FinalState, isFinal, type Job } from '../../orchestrator/job/job.ts';
import type { Base, Row } from './driver.ts';
import { JOB_COLUMNS, type JobRows } from './job-rows.ts';

/** The search; everything that is given must fit. */
export interface JobQuery {
  readonly state?: JobState;
  readonly kind?: JobKind;
  readonly community?: string;
  /** `personKey` */
  readonly person?: string;
}

/** Where the next page begins: after this one. */
export interface JobMark {
  readonly createdAt: number;
  readonly seq: number;
}

export interface JobPage {
  /** The latest first. */
  readonly jobs: readonly Job[];
  /** Undefined: there are no more. With fewer jobs than asked for: the search was long enough for one page. */
  readonly next?: JobMark;
}

/** Rows that are scanned for one page, at most. */
const MOST_SCANNED = 5_000;
const SCANNED_AT_ONCE = 1_000;
/** Records that are opened for one page and do not fit, or are damaged. */
const MOST_MISSED = 200;

export type JobSearch = ReturnType<typeof createJobSearch>;

export function createJobSearch({ driver, blind }: Base, { read }: JobRows) {
  const { query: ask, sql } = driver;
  const some = `SELECT ${JOB_COLUMNS} FROM jobs WHERE seq IN (SELECT value FROM ${sql.list('$1', 'bigint')})`;
  /** Those of them that can be read. */
  const open = async (rows: readonly Row[]): Promise<ReadonlyMap<unknown, Job>> => {
    const jobs = new Map<unknown, Job>();
    for (const row of rows.length === 0 ? [] : await ask(some, [rows.map(({ seq }) => seq)])) {
      const job = await read(row);
      if (job !== undefined) jobs.set(row.seq, job);
    }
    return jobs;
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
      const atOnce = isExact(query) ? limit + 1 : SCANNED_AT_ONCE;
      let next = after;
      for (let scanned = 0, missed = 0; scanned < MOST_SCANNED && missed < MOST_MISSED; ) {
        const { text, values } = candidateQuery(query, next, sql.unfinishedJobs, blind, atOnce);
        const rows = await ask(text, values);
        const wanted = rows.filter(isFit).slice(0, limit + 1 - jobs.length);
        const opened = await open(wanted);
        for (const row of rows) {
          if (jobs.length === limit && isFit(row)) return { jobs, ...(next && { next }) };
          // The rest was not opened: jobs without a kind that turned out to be of another took their places.
          if (isFit(row) && !wanted.includes(row)) break;
          const job = opened.get(row.seq);
          if (job !== undefined && !job.forget && isOfKind(job)) jobs.push(job);
          else if (isFit(row)) missed += 1;
          next = { createdAt: Number(row.created_at), seq: Number(row.seq) };
          scanned += 1;
        }
        const isLast = rows.at(-1)?.seq === next?.seq;
        if (rows.length === 0 || (isLast && rows.length < atOnce)) return { jobs };
      }
      return { jobs, ...(next && { next }) };
    },
  };
}

const ENDED = 'finished_at IS NOT NULL';
const UNSUCCESSFUL = "state IN ('failed', 'cancelled', 'uncertain')";

const isIndexed = (state: JobState | undefined): state is Exclude<FinalState, 'done'> =>
  state !== undefined && isFinal(state) && state !== 'done';

/** The statement for it returns nothing else. */
const isExact = ({ state, ...others }: JobQuery): boolean =>
  others.kind === undefined &&
  (state === undefined
    ? others.person === undefined || others.community === undefined
    : isIndexed(state) && others.person === undefined && others.community === undefined);

/**
 * A statement for rows that may fit, in the order of an index: by the rarest of what is given. `$1`: the value to search
 * for, if any; then the limit, and the mark's numbers. `unfinished`: unfinished jobs alone, as a table `jobs`.
 */
export function candidateQuery(
  query: JobQuery,
  after: JobMark | undefined,
  unfinished: string,
  blind: (id: string) => string,
  limit: number,
): { readonly text: string; readonly values: readonly (string | number)[] } {
  const columns = 'seq, created_at, owner, community, state, kind';
  const parts = (
    value: string | undefined,
    branches: readonly (readonly [from: string, where: string])[],
  ) => {
    const values = value === undefined ? [limit] : [value, limit];
    const [most, seq] = [`$${values.length}`, `$${values.length + 1}`];
    const behind = after === undefined ? '' : ` AND seq < ${seq}`;
    const one = ([from, where]: readonly [string, string], index: number): string =>
      `SELECT * FROM (SELECT ${columns} FROM ${from} WHERE ${where}${behind} ORDER BY seq DESC LIMIT ${most}) AS b${index}`;
    const text = `${branches.map(one).join(' UNION ALL ')} ORDER BY seq DESC LIMIT ${most}`;
    return { text, values: after === undefined ? values : [...values, after.seq] };
  };
  if (query.person !== undefined) {
    const behind = after === undefined ? '' : ' AND (created_at, seq) < ($3, $4)';
    const text = `SELECT ${columns} FROM jobs WHERE owner = $1${behind} ORDER BY created_at DESC, seq DESC LIMIT $2`;
    const mark = after === undefined ? [] : [after.createdAt, after.seq];
    return { text, values: [blind(query.person), limit, ...mark] };
  }
  if (query.community !== undefined)
    return parts(blind(query.community), [
      [unfinished, 'community = $1 AND finished_at IS NULL'],
      ['jobs', `community = $1 AND ${ENDED}`],
    ]);
  if (query.kind !== undefined)
    return parts(query.kind, [
      [unfinished, 'finished_at IS NULL'],
      ['jobs', `kind = $1 AND ${ENDED}`],
      ['jobs', `kind IS NULL AND ${ENDED}`],
    ]);
  if (isIndexed(query.state)) return parts(query.state, [['jobs', `state = $1 AND ${UNSUCCESSFUL}`]]);
  if (query.state !== undefined && query.state !== 'done')
    return parts(undefined, [[unfinished, 'finished_at IS NULL']]);
  return parts(undefined, [['jobs', 'true']]);
}
