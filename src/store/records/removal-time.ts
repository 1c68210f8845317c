import { z } from 'zod';

/** The wall clock, and a monotonic clock. */
export interface MachineTime {
  wall(): number;
  passed(): number;
}

const dayMs = 86_400_000;
/** Smaller corrections of the clock are ignored. */
const jumpMs = 60_000;

const record = z.object({
  /** Records that expired before this may be removed. */
  trusted: z.number().min(0),
  /** The last reading of the wall clock. */
  seen: z.number().min(0),
  /** The reading after its last jump; absent once that is trusted. */
  jumped: z.number().min(0).optional(),
});
type Known = z.infer<typeof record>;

/** The clock jumped to `now`. The reading of an earlier jump is trusted up to a day ago. */
function jump({ trusted, jumped }: Known, now: number): Known {
  const confirmed = jumped === undefined ? trusted : Math.max(trusted, Math.min(jumped, now - dayMs));
  return now <= trusted ? { trusted: now, seen: now } : { trusted: confirmed, seen: now, jumped: now };
}

function advance({ trusted, jumped }: Known, by: number, now: number): Known {
  if (jumped === undefined || now - jumped >= dayMs) return { trusted: now, seen: now };
  return { trusted: Math.min(trusted + by, now), seen: now, jumped };
}

export interface RemovalTime {
  /** The time of now, and what must be stored for the next start. */
  read(): { readonly at: number; readonly stored: string };
}

/**
 * The time by which records are removed: never after the wall clock, and for a day after a jump no later than without the
 * jump, because the clock may be wrong. A start after more than a day of downtime counts as a jump.
 */
export function createRemovalTime(stored: unknown, { wall, passed }: MachineTime): RemovalTime {
  const restore = (now: number): Known => {
    try {
      const known = record.parse(JSON.parse(String(stored)));
      const stopped = now - known.seen;
      return stopped < -jumpMs || stopped > dayMs
        ? jump(known, now)
        : advance(known, Math.max(0, stopped), now);
    } catch {
      return { trusted: now, seen: now };
    }
  };
  let known = restore(wall());
  let last = passed();

  return {
    read() {
      const now = wall();
      const by = Math.max(0, passed() - last);
      last = passed();
      const off = now - (known.seen + by);
      known =
        Math.abs(off) > jumpMs
          ? jump({ ...known, trusted: known.trusted + by }, now)
          : advance(known, by, now);
      return { at: known.trusted, stored: JSON.stringify(known) };
    },
  };
}
