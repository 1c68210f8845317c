import { setTimeout as pause } from 'node:timers/promises';

/** Commands a second for so many seconds; gives the time to the first answer of each, in milliseconds. */
export type Load = (perSecond: number, seconds: number) => Promise<number[]>;

export interface Crowd {
  /** Somebody types a command; gives what the answer to it will be known by. */
  say(): string;
  onAnswer(tell: (key: string) => void): void;
}

const patienceMs = 60_000;

/** A crowd that types at a steady pace, whatever becomes of the answers. */
export const createLoad = (crowd: Crowd): Load => {
  const asked = new Map<string, number[]>();
  let taken: number[] = [];
  let open = 0;
  crowd.onAnswer((key) => {
    const at = asked.get(key)?.shift();
    if (at === undefined) return;
    taken.push(performance.now() - at);
    open -= 1;
  });
  const say = (): void => {
    const at = performance.now();
    const key = crowd.say();
    asked.set(key, [...(asked.get(key) ?? []), at]);
    open += 1;
  };
  return async (perSecond, seconds) => {
    taken = [];
    const start = performance.now();
    for (let count = 0; count < perSecond * seconds; count += 1) {
      const early = start + (count * 1000) / perSecond - performance.now();
      if (early > 1) await pause(early);
      say();
    }
    for (const until = performance.now() + patienceMs; open > 0 && performance.now() < until; )
      await pause(20);
    if (open > 0) throw new Error(`${open} commands were never answered`);
    asked.clear();
    return taken;
  };
};
