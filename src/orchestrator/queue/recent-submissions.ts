/**
 * When people's jobs of the last minute were accepted. The records tell that too, after a restart, but not of jobs that
 * were deleted since: deleting them does not make room for more.
 */
export interface RecentSubmissions {
  add(person: string, at: number): void;
  since(person: string, at: number): readonly number[];
}

export const MINUTE_MS = 60_000;

export function createRecentSubmissions(): RecentSubmissions {
  /** Whoever came last is last: the first ones are forgotten as soon as their minute is over. */
  const people = new Map<string, readonly number[]>();
  const since: RecentSubmissions['since'] = (person, at) =>
    (people.get(person) ?? []).filter((each) => each > at);
  return {
    since,
    add(person, at) {
      const times = [...since(person, at - MINUTE_MS), at];
      people.delete(person);
      people.set(person, times);
      for (const [other, others] of people) {
        if ((others.at(-1) ?? 0) > at - MINUTE_MS) break;
        people.delete(other);
      }
    },
  };
}
