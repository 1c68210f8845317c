import { setTimeout as pause } from 'node:timers/promises';
import type { FakeDiscord } from '../../fakes/discord/discord.ts';

/** Commands a second for so many seconds; gives the time to the first answer of each, in milliseconds. */
export type DiscordLoad = (perSecond: number, seconds: number) => Promise<number[]>;

const patienceMs = 60_000;

/** People who type commands at a steady pace, whatever becomes of the answers. */
export const createDiscordLoad = (fake: FakeDiscord, people: number, bytes: Uint8Array): DiscordLoad => {
  const asked = new Map<string, number>();
  let taken: number[] = [];
  fake.world.answered = ({ id }) => {
    const at = asked.get(id);
    if (at !== undefined) taken.push(performance.now() - at);
    asked.delete(id);
  };
  const photo = { name: 'me.jpg', type: 'image/jpeg', bytes };
  let next = 0;
  return async (perSecond, seconds) => {
    taken = [];
    const start = performance.now();
    for (let count = 0; count < perSecond * seconds; count += 1) {
      const early = start + (count * 1000) / perSecond - performance.now();
      if (early > 1) await pause(early);
      const at = performance.now();
      const person = fake.user(`p${next++ % people}`);
      const { interaction } = person.slash('/faceswap', { photo, filter: '12', gender: 'female' });
      asked.set(interaction.id, at);
    }
    for (const until = performance.now() + patienceMs; asked.size > 0 && performance.now() < until; )
      await pause(20);
    if (asked.size > 0) throw new Error(`${asked.size} commands were never answered`);
    return taken;
  };
};
