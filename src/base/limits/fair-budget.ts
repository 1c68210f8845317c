import { addTo } from '../add-to.ts';

/** A budget that people share, see `createFairBudget`. */
export type FairBudget = ReturnType<typeof createFairBudget>;

/** Units that were taken from a budget. */
export interface TakenUnits {
  /** Returns units that are not needed any more. */
  shrink(units: number): void;
  /** Returns all units; safe to call twice. */
  release(): void;
}

interface PendingRequest {
  readonly units: number;
  readonly grant: () => void;
}

/**
 * Creates a semaphore of units (bytes, slots) with a share for each person. Waiting requests are served round-robin by person,
 * so that many requests of one person delay another's first by at most one. It is no limiter of Bottleneck, which knows no
 * shares, and keeps the whole weight of a job until the job ends.
 */
export function createFairBudget(limits: { readonly total: number; readonly perPerson: number }) {
  const { total, perPerson } = limits;
  let held = 0;
  const holds = new Map<string, number>();
  /** Waiting requests by person, in the order of turns: a Map keeps insertion order. */
  const waiting = new Map<string, PendingRequest[]>();

  const fitsPerson = (person: string, units: number): boolean => {
    const own = holds.get(person) ?? 0;
    return own === 0 || own + units <= perPerson;
  };
  const fitsAll = (units: number): boolean => held === 0 || held + units <= total;
  const count = (person: string, units: number): void => {
    held += units;
    addTo(holds, person, units);
  };
  const serve = (): void => {
    for (const [person, requests] of waiting) {
      const [request] = requests;
      if (request === undefined || !fitsPerson(person, request.units)) continue;
      // A large request is not overtaken forever: nothing else is granted until enough units are returned for it.
      if (!fitsAll(request.units)) return;
      request.grant();
      serve();
      return;
    }
  };
  const drop = (person: string, request: PendingRequest): void => {
    const left = (waiting.get(person) ?? []).filter((one) => one !== request);
    waiting.delete(person);
    if (left.length > 0) waiting.set(person, left);
  };
  const holding = (person: string, units: number): TakenUnits => {
    let own = units;
    const shrink = (to: number): void => {
      if (to >= own) return;
      count(person, to - own);
      own = to;
      serve();
    };
    const release = (): void => {
      // A person who was just served goes behind all others, even with older requests.
      const more = waiting.get(person);
      waiting.delete(person);
      if (more !== undefined) waiting.set(person, more);
      shrink(0);
    };
    return { shrink, release };
  };

  return {
    /**
     * Waits until the units are available. A request larger than the budget or the share is granted when nothing else is held.
     */
    take(person: string, wanted: number, signal?: AbortSignal): Promise<TakenUnits> {
      const units = Math.min(wanted, total);
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const request: PendingRequest = {
          units,
          grant() {
            signal?.removeEventListener('abort', giveUp);
            drop(person, request);
            count(person, units);
            resolve(holding(person, units));
          },
        };
        const giveUp = (): void => {
          drop(person, request);
          reject(signal?.reason);
          serve();
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.set(person, [...(waiting.get(person) ?? []), request]);
        serve();
      });
    },
  };
}

/** Holds one unit while `task` runs. */
export async function withSlot<T>(
  budget: FairBudget,
  person: string,
  task: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const held = await budget.take(person, 1, signal);
  try {
    return await task();
  } finally {
    held.release();
  }
}
