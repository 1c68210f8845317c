import { machineTime } from '../../../base/clock.ts';
import type { Incoming } from '../../desk.ts';
import { personKey } from '../../place.ts';

export type EventsUnderWay = ReturnType<typeof createEventsUnderWay>;

/**
 * Events that are being handled, by person. Who deletes all their data takes back what they have sent before: it makes and stores
 * nothing after that.
 */
export function createEventsUnderWay() {
  const people = new Map<string, Set<AbortController>>();
  return {
    /** Handles an event; `forgotten` is aborted when its person deletes their data meanwhile. */
    async handle<In extends Incoming, Out>(incoming: In, work: (incoming: In) => Promise<Out>): Promise<Out> {
      const person = personKey(incoming.caller);
      const mine = new AbortController();
      const all = people.get(person) ?? new Set();
      people.set(person, all.add(mine));
      try {
        return await work({ ...incoming, forgotten: mine.signal, begunAt: machineTime.passed() });
      } finally {
        all.delete(mine);
        if (all.size === 0) people.delete(person);
      }
    },
    /** Takes back what else this person has sent. */
    forget({ caller, forgotten }: Pick<Incoming, 'caller' | 'forgotten'>): void {
      for (const each of people.get(personKey(caller)) ?? []) if (each.signal !== forgotten) each.abort();
    },
  };
}
