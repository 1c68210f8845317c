import { dayOf } from '../../../orchestrator/job/day.ts';
import { type Database, HIGHEST_NUMBER } from '../file/database.ts';

/** Records of a person up to these sequence numbers are deleted; later ones have higher numbers. */
export interface Marks {
  readonly jobs: number;
  readonly audit: number;
  readonly entries: number;
}

/** Requests to delete all data of a person; stored first, so that a restart continues them. */
export interface Erasures {
  /** `person`: their id as stored in records. `direct`: the id of their direct chat. */
  begin(person: string, direct: string): void;
  /** People whose records are not all deleted yet. */
  pending(): readonly string[];
  marks(person: string): Marks | undefined;
  /** New records must have a higher sequence number than any mark, even when the table is empty. */
  highest(of: keyof Marks): number;
  /** The day whose usage counters are kept until it ends, and the direct chat. */
  keeps(person: string): { readonly day: string; readonly direct: string } | undefined;
  /** All records are deleted; the entry stays for the counters of the day. */
  finish(person: string): void;
  /** Finished ones whose day is over: their last counters can be deleted. */
  over(today: string, limit: number): readonly { readonly person: string; readonly direct: string }[];
  close(person: string): void;
}

const isMark = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
/** A damaged number may be larger than any that can be read. */
const mark = (name: keyof Marks): string =>
  `iif(${name} BETWEEN 0 AND ${HIGHEST_NUMBER}, ${name}, NULL) AS ${name}`;
const columns = `person, direct, day, ${mark('jobs')}, ${mark('audit')}, ${mark('entries')}`;
/** Of a person; numbers that are damaged do not count. */
const LAST_ENTRY = `SELECT coalesce(max(seq), 0) AS seq FROM entries WHERE owner = ?1 AND seq <= ${HIGHEST_NUMBER}`;

export function createErasures({ sql, transaction }: Database, now: () => number): Erasures {
  const put = sql.prepare(`
    INSERT OR REPLACE INTO erasures (person, direct, day, jobs, audit, entries)
    VALUES (?1, ?2, ?3, ?4, ?5, (${LAST_ENTRY}))
  `);
  const lastJob = sql.prepare('SELECT coalesce(max(seq), 0) AS seq FROM jobs');
  const lastLine = sql.prepare('SELECT coalesce(max(seq), 0) AS seq FROM audit');
  const one = sql.prepare(`SELECT ${columns} FROM erasures WHERE person = ?`);
  const all = sql.prepare(`SELECT ${columns} FROM erasures WHERE finished = 0`);
  const lastEntry = sql.prepare(LAST_ENTRY);
  const finished = sql.prepare('UPDATE erasures SET finished = 1, day = ? WHERE person = ?');
  const over = sql.prepare('SELECT person, direct FROM erasures WHERE finished = 1 AND day < ? LIMIT ?');
  const remove = sql.prepare('DELETE FROM erasures WHERE person = ?');

  /** A damaged mark counts as the highest number now, so that everything is deleted. */
  const marksOf = (row: Record<string, unknown>): Marks => ({
    jobs: Number(isMark(row.jobs) ? row.jobs : lastJob.get()?.seq),
    audit: Number(isMark(row.audit) ? row.audit : lastLine.get()?.seq),
    entries: Number(isMark(row.entries) ? row.entries : lastEntry.get(String(row.person))?.seq),
  });
  const dayIn = (row: Record<string, unknown>): string =>
    Number.isNaN(Date.parse(String(row.day))) ? dayOf(now()) : String(row.day);
  const active = new Map(all.all().map((row) => [String(row.person), marksOf(row)]));
  const highest: Erasures['highest'] = (of) => Math.max(0, ...[...active.values()].map((marks) => marks[of]));

  return {
    begin(person, direct) {
      transaction(() => {
        const jobs = Math.max(Number(lastJob.get()?.seq), highest('jobs'));
        const audit = Math.max(Number(lastLine.get()?.seq), highest('audit'));
        put.run(person, direct, dayOf(now()), jobs, audit);
      });
      const row = one.get(person);
      if (row !== undefined) active.set(person, marksOf(row));
    },
    pending: () => [...active.keys()],
    marks: (person) => active.get(person),
    highest,
    keeps(person) {
      const row = one.get(person);
      return row && { day: dayIn(row), direct: String(row.direct) };
    },
    finish(person) {
      const row = one.get(person);
      if (row !== undefined) transaction(() => finished.run(dayIn(row), person));
      active.delete(person);
    },
    over: (today, limit) =>
      over
        .all(today, limit)
        .map(({ person, direct }) => ({ person: String(person), direct: String(direct) })),
    close: (person) => void remove.run(person),
  };
}
