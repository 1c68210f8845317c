import { LOSSY } from '../database/database.ts';
import type { JobTableParts } from './job-table-parts.ts';

/** A record that changed in nothing that others look for, and when it is due. */
export interface Postponed {
  readonly id: string;
  /** The one that it replaces. */
  readonly version: number;
  readonly due: number | null;
  readonly body: unknown;
  /** Whether it stays in hand. */
  readonly keeps: boolean;
}

interface Waiting extends Postponed {
  readonly done: PromiseWithResolvers<boolean>;
}

/** In one statement, so that nothing else waits long for its rows. */
const MOST = 100;
/** Nobody waits for these: they would be thousands of small transactions. */
const GATHER_MS = 5;

// What another process has in hand stays in its hand.
const WRITE = `
  WITH p AS MATERIALIZED (
    SELECT j.seq, p.* FROM jobs AS j
    JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::boolean[]) AS p (id, version, due, body, keeps)
      ON j.id = p.id AND j.version = p.version
    ORDER BY j.seq FOR UPDATE OF j
  )
  UPDATE jobs AS j SET due = p.due, version = p.version + 1, body = p.body,
    member = CASE WHEN p.keeps AND j.held IS NOT NULL THEN j.member ELSE $6 END,
    held = CASE WHEN p.keeps THEN j.held END
  FROM p WHERE j.seq = p.seq AND ${LOSSY} RETURNING j.id`;

/**
 * Nearly all writes are polls that found nothing new; those of a few milliseconds are written together. False: the record has
 * changed since that version, and nothing was written.
 */
export function createPostpone({
  database: { query },
  memberId,
  after,
}: Pick<JobTableParts, 'database' | 'memberId' | 'after'>): (one: Postponed) => Promise<boolean> {
  /** One of each record at a time: of two that replace the same version one is too late. */
  const waiting = new Map<string, Waiting>();

  const write = async (some: readonly Waiting[]): Promise<void> => {
    const values = [
      some.map(({ id }) => id),
      some.map(({ version }) => version),
      some.map(({ due }) => due),
      some.map(({ body }) => body),
      some.map(({ keeps }) => keeps),
      memberId(),
    ];
    try {
      const written = new Set((await query(WRITE, values)).map(({ id }) => id));
      for (const { id, done } of some) done.resolve(written.has(id));
    } catch (error) {
      const [only, ...others] = some;
      // What keeps one from being written keeps back no others.
      if (others.length > 0) await Promise.all(some.map((one) => write([one])));
      else only?.done.reject(error);
    }
  };
  const writeAll = (): void => {
    const all = [...waiting.values()];
    waiting.clear();
    for (let from = 0; from < all.length; from += MOST) void write(all.slice(from, from + MOST));
  };

  return async (one) => {
    for (let other = waiting.get(one.id); other !== undefined; other = waiting.get(one.id))
      await other.done.promise.catch(() => undefined);
    const done = Promise.withResolvers<boolean>();
    if (waiting.size === 0) after(GATHER_MS, writeAll);
    waiting.set(one.id, { ...one, done });
    return done.promise;
  };
}
