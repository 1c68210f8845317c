import { setTimeout as pause } from 'node:timers/promises';
import type { FakePerson } from '../../fakes/telegram/people.ts';
import type { FakeTelegram } from '../../fakes/telegram/telegram.ts';

export interface Load {
  /** Commands a second for so many seconds; gives the time to the first answer of each, in milliseconds. */
  run(perSecond: number, seconds: number): Promise<number[]>;
}

const patienceMs = 60_000;

/** People who type commands at a steady pace, whatever becomes of the answers. */
export const createLoad = (fake: FakeTelegram, people: number, photo: Uint8Array): Load => {
  const crowd: FakePerson[] = Array.from({ length: people }, (_, index) => fake.person(`P${index}`));
  const asked = new Map<number, number[]>();
  let taken: number[] = [];
  let open = 0;
  fake.onCall(({ method, values }) => {
    if (method !== 'sendMessage') return;
    const at = asked.get(Number(values.chat_id))?.shift();
    if (at === undefined) return;
    taken.push(performance.now() - at);
    open -= 1;
  });
  let next = 0;
  const say = (): void => {
    const person = crowd[next % crowd.length];
    next += 1;
    if (person === undefined) return;
    const queue = asked.get(person.user.id) ?? [];
    asked.set(person.user.id, queue);
    queue.push(performance.now());
    open += 1;
    person.says(person.chat, '/faceswap 12 female', { photo });
  };
  return {
    async run(perSecond, seconds) {
      taken = [];
      const start = performance.now();
      for (let count = 0; count < perSecond * seconds; count += 1) {
        const due = start + (count * 1000) / perSecond;
        const early = due - performance.now();
        if (early > 1) await pause(early);
        say();
      }
      for (const until = performance.now() + patienceMs; open > 0 && performance.now() < until; )
        await pause(20);
      if (open > 0) throw new Error(`${open} commands were never answered`);
      return taken;
    },
  };
};
