/**
 * So many units (bytes, slots) for all at once, and a share of them for each person. Whoever waits is served in turn,
 * person by person, so that many wishes of one stand in front of nobody's first by more than one.
 */
export interface FairBudget {
  /** Resolves when the units are there. A wish larger than the budget or the share is granted when nothing else is held. */
  take(person: string, units: number, signal?: AbortSignal): Promise<Held>;
  readonly held: number;
}

export interface Held {
  /** Fewer are needed than were taken. */
  shrink(units: number): void;
  /** Gives all of it back; harmless when done twice. */
  release(): void;
}

export interface FairBudgetOptions {
  readonly total: number;
  readonly perPerson: number;
}

interface Wish {
  readonly units: number;
  readonly grant: () => void;
}

export const createFairBudget = ({ total, perPerson }: FairBudgetOptions): FairBudget => {
  let held = 0;
  const holds = new Map<string, number>();
  /** In the order of their turns: a Map keeps the order in which keys were set. */
  const waiting = new Map<string, Wish[]>();

  const fitsPerson = (person: string, units: number): boolean => {
    const own = holds.get(person) ?? 0;
    return own === 0 || own + units <= perPerson;
  };
  const fitsAll = (units: number): boolean => held === 0 || held + units <= total;
  const count = (person: string, units: number): void => {
    held += units;
    const own = (holds.get(person) ?? 0) + units;
    if (own > 0) holds.set(person, own);
    else holds.delete(person);
  };
  const serve = (): void => {
    for (const [person, wishes] of waiting) {
      const [wish] = wishes;
      if (wish === undefined || !fitsPerson(person, wish.units)) continue;
      // Nobody overtakes a large wish for good: it is next as soon as enough has been given back.
      if (!fitsAll(wish.units)) return;
      wish.grant();
      serve();
      return;
    }
  };
  const drop = (person: string, wish: Wish): void => {
    const left = (waiting.get(person) ?? []).filter((one) => one !== wish);
    waiting.delete(person);
    if (left.length > 0) waiting.set(person, left);
  };
  const holding = (person: string, units: number): Held => {
    let own = units;
    const shrink = (to: number): void => {
      if (to >= own) return;
      count(person, to - own);
      own = to;
      serve();
    };
    const release = (): void => {
      // Whoever has just been served stands behind all who wait, also with wishes that are older.
      const more = waiting.get(person);
      waiting.delete(person);
      if (more !== undefined) waiting.set(person, more);
      shrink(0);
    };
    return { shrink, release };
  };

  return {
    take(person, wanted, signal) {
      const units = Math.min(wanted, total);
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const wish: Wish = {
          units,
          grant() {
            signal?.removeEventListener('abort', giveUp);
            drop(person, wish);
            count(person, units);
            resolve(holding(person, units));
          },
        };
        const giveUp = (): void => {
          drop(person, wish);
          reject(signal?.reason);
          serve();
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.set(person, [...(waiting.get(person) ?? []), wish]);
        serve();
      });
    },
    get held() {
      return held;
    },
  };
};

/** Small wishes have a budget of their own: nobody who needs little waits behind those who need much. */
export const splitBySize = (small: FairBudget, mostUnits: number, large: FairBudget): FairBudget => ({
  take: (person, units, signal) => (units <= mostUnits ? small : large).take(person, units, signal),
  get held() {
    return small.held + large.held;
  },
});
