import { z } from 'zod';
import type { Database } from '../file/database.ts';

/** The machine's clock, and a count of the milliseconds that really pass while the process lives. */
export interface MachineTime {
  wall(): number;
  passed(): number;
}

const DAY_MS = 86_400_000;
/** Clocks are corrected by less without anybody noticing. */
const JUMP_MS = 60_000;

const record = z.object({
  /** What may be removed by. */
  trusted: z.number().min(0),
  /** What the clock showed last. */
  seen: z.number().min(0),
  /** What it showed when it last jumped; not there once it is believed. */
  jumped: z.number().min(0).optional(),
});
type Known = z.infer<typeof record>;

/** The clock has jumped to `now`. What it showed at an earlier jump, a day ago or more, has stood the test. */
function jump({ trusted, jumped }: Known, now: number): Known {
  const confirmed = jumped === undefined ? trusted : Math.max(trusted, Math.min(jumped, now - DAY_MS));
  return now <= trusted ? { trusted: now, seen: now } : { trusted: confirmed, seen: now, jumped: now };
}

function advance({ trusted, jumped }: Known, by: number, now: number): Known {
  if (jumped === undefined || now - jumped >= DAY_MS) return { trusted: now, seen: now };
  return { trusted: Math.min(trusted + by, now), seen: now, jumped };
}

/**
 * The time by which records are removed: never later than the machine's clock shows now, and for a day after the clock
 * jumped no later than it would be without the jump. A start after more than a day cannot be told from a clock that is
 * wrong, so it counts as a jump.
 */
export function createRemovalTime({ sql, note }: Database, { wall, passed }: MachineTime): () => number {
  const put = sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('removal-time', ?)");
  const stored = sql.prepare("SELECT value FROM meta WHERE name = 'removal-time'").get()?.value;
  const restore = (now: number): Known => {
    try {
      const known = record.parse(JSON.parse(String(stored)));
      const stopped = now - known.seen;
      return stopped < -JUMP_MS || stopped > DAY_MS
        ? jump(known, now)
        : advance(known, Math.max(0, stopped), now);
    } catch {
      return { trusted: now, seen: now };
    }
  };
  let known = restore(wall());
  let last = passed();

  return () => {
    const now = wall();
    const by = Math.max(0, passed() - last);
    last = passed();
    const off = now - (known.seen + by);
    known =
      Math.abs(off) > JUMP_MS
        ? jump({ ...known, trusted: known.trusted + by }, now)
        : advance(known, by, now);
    note(() => put.run(JSON.stringify(known)));
    return known.trusted;
  };
}
