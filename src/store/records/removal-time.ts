import { z } from 'zod';
import { DAY_MS } from '../../base/clock.ts';

/** The wall clock, and a monotonic clock. */
export interface MachineTime {
  wall(): number;
  passed(): number;
}

/** Smaller corrections of the clock are ignored. */
const JUMP_MS = 60_000;

const record = z.object({
  /** Records that expired before this may be removed. */
  trusted: z.number().min(0),
  seen: z.number().min(0),
  /** The reading after its last jump; absent once that is trusted. */
  jumped: z.number().min(0).optional(),
});
type Known = z.infer<typeof record>;

/** The next reading of the clock. `by`: how much time has passed since the last one. */
function advance({ trusted, seen, jumped }: Known, by: number, now: number): Known {
  const isJump = Math.abs(now - seen - by) > JUMP_MS;
  const last = isJump ? now : jumped;
  if (last === undefined || now - last >= DAY_MS) return { trusted: now, seen: now };
  // The reading of an earlier jump is trusted up to a day ago.
  const confirmed = isJump && jumped !== undefined ? Math.min(jumped, now - DAY_MS) : 0;
  return { trusted: Math.min(Math.max(trusted + by, confirmed), now), seen: now, jumped: last };
}

/**
 * The time by which records are removed: never after the wall clock, and for a day after a jump no later than without the
 * jump, because the clock may be wrong. A start after more than a day of downtime counts as a jump.
 */
export function createRemovalTime(stored: unknown, { wall, passed }: MachineTime) {
  const restore = (now: number): Known => {
    try {
      const known = record.parse(JSON.parse(String(stored)));
      const stopped = Math.max(0, now - known.seen);
      return advance(known, stopped > DAY_MS ? 0 : stopped, now);
    } catch {
      return { trusted: now, seen: now };
    }
  };
  let known = restore(wall());
  let last = passed();

  return {
    /** The time of now, and what must be stored for the next start. */
    read() {
      const by = Math.max(0, passed() - last);
      last = passed();
      known = advance(known, by, wall());
      return { at: known.trusted, stored: JSON.stringify(known) };
    },
  };
}
