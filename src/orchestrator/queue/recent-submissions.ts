/**
 * When each person's jobs of the last minute were accepted. The records do not tell this of deleted jobs, and deleting a
 * job must not allow another one.
 */
export interface RecentSubmissions {
  add(person: string, at: number): void;
  since(person: string, at: number): readonly number[];
}

export const MINUTE_MS = 60_000;

export function createRecentSubmissions(): RecentSubmissions {
  /** Ordered by the last submission, so that expired entries are at the front. */
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
