/** Status calls that stand in no record yet: the next write of their job counts them, so they cost none of their own. */
export interface StatusCalls {
  begun(id: string): void;
  uncounted(id: string): number;
  /** So many of them were written. */
  counted(id: string, count: number): void;
}

/** Only those of jobs that another process has taken over are left; they are not worth more memory. */
const MOST_JOBS = 10_000;

export function createStatusCalls(): StatusCalls {
  const counts = new Map<string, number>();
  const uncounted = (id: string): number => counts.get(id) ?? 0;
  return {
    begun(id) {
      if (counts.size >= MOST_JOBS) counts.clear();
      counts.set(id, uncounted(id) + 1);
    },
    uncounted,
    counted(id, count) {
      if (uncounted(id) <= count) counts.delete(id);
      else counts.set(id, uncounted(id) - count);
    },
  };
}
