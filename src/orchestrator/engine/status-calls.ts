export type StatusCalls = ReturnType<typeof createStatusCalls>;

/** Only those of jobs that another process has taken over are left; they are not worth more memory. */
const MOST_JOBS = 10_000;

/** Status calls that stand in no record yet: the next write of their job counts them, so they cost none of their own. */
export function createStatusCalls() {
  const counts = new Map<string, number>();
  const uncounted = (id: string): number => counts.get(id) ?? 0;
  return {
    begun(id: string): void {
      if (counts.size >= MOST_JOBS) counts.clear();
      counts.set(id, uncounted(id) + 1);
    },
    uncounted,
    /** So many of them were written. */
    counted(id: string, count: number): void {
      if (uncounted(id) <= count) counts.delete(id);
      else counts.set(id, uncounted(id) - count);
    },
  };
}
