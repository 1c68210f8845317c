import { setTimeout as pause } from 'node:timers/promises';

/** How long each answer took, in milliseconds. */
export interface Taken {
  readonly first: readonly number[];
  /** Milliseconds until the card stood, where that is not the first answer. */
  readonly card: readonly number[];
}

/** Commands a second for so many seconds. */
export type Load = (perSecond: number, seconds: number) => Promise<Taken>;

type Listen = (tell: (key: string) => void) => void;

export interface Crowd {
  /** Somebody types a command; gives what the answers to it will be known by. */
  say(): string;
  readonly onAnswer: Listen;
  readonly onCard?: Listen;
}

const patienceMs = 60_000;

/** The answers of one kind: when each was asked for, and how long those took that came. */
const createWait = (listen: Listen) => {
  const asked = new Map<string, number[]>();
  let taken: number[] = [];
  let open = 0;
  listen((key) => {
    const at = asked.get(key)?.shift();
    if (at === undefined) return;
    taken.push(performance.now() - at);
    open -= 1;
  });
  return {
    ask(key: string, at: number) {
      asked.set(key, [...(asked.get(key) ?? []), at]);
      open += 1;
    },
    async all(): Promise<number[]> {
      for (const until = performance.now() + patienceMs; open > 0 && performance.now() < until; )
        await pause(20);
      if (open > 0) throw new Error(`${open} commands were never answered`);
      asked.clear();
      const all = taken;
      taken = [];
      return all;
    },
  };
};

/** A crowd that types at a steady pace, whatever becomes of the answers. */
export const createLoad = (crowd: Crowd): Load => {
  const first = createWait(crowd.onAnswer);
  const card = crowd.onCard === undefined ? undefined : createWait(crowd.onCard);
  const say = (): void => {
    const at = performance.now();
    const key = crowd.say();
    first.ask(key, at);
    card?.ask(key, at);
  };
  return async (perSecond, seconds) => {
    const start = performance.now();
    for (let count = 0; count < perSecond * seconds; count += 1) {
      const early = start + (count * 1000) / perSecond - performance.now();
      if (early > 1) await pause(early);
      say();
    }
    return { first: await first.all(), card: (await card?.all()) ?? [] };
  };
};
