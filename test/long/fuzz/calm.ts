import type { Person } from '../../e2e/stage/chat.ts';
import { prompted } from '../../e2e/stage/lines.ts';
import type { Stage } from '../../e2e/stage/stage.ts';

/** How long people who do nothing unusual wait, in milliseconds. */
export interface Delays {
  readonly commands: readonly number[];
  readonly jobs: readonly number[];
}

export interface Calm {
  /** Everybody asks a few things and, if wanted, has a picture made; resolves when all of it was answered. */
  round(withJobs: boolean): Promise<Delays>;
}

const commandsEach = 4;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

let wishes = 0;

const pictureFor = (person: Person): Promise<number> =>
  timed(() => {
    wishes += 1;
    return person
      .types(prompted(`calm ${wishes}`))
      .until(({ media, text }) => media !== undefined && text.includes('calm'), 'a calm person’s picture');
  });

const answersFor = async (person: Person): Promise<readonly number[]> => {
  const delays: number[] = [];
  for (let count = 0; count < commandsEach; count += 1)
    delays.push(await timed(() => person.types({ command: 'usage' }).says('You used')));
  return delays;
};

/** Alone with the bot: what Telegram lets go out to a group in a minute is not the question here. */
export const createCalm = ({ platforms }: Stage): Calm => {
  const all = [platforms.discord, platforms.telegram].map((platform) => {
    const room = platform.room();
    return { asks: room.person('Calm and curious').at('direct'), makes: room.person('Calm').at('direct') };
  });
  return {
    async round(withJobs) {
      const jobs = Promise.all(withJobs ? all.map(({ makes }) => pictureFor(makes)) : []);
      const commands = await Promise.all(all.map(({ asks }) => answersFor(asks)));
      return { commands: commands.flat(), jobs: await jobs };
    },
  };
};

export const joined = (all: readonly Delays[]): Delays => ({
  commands: all.flatMap(({ commands }) => commands),
  jobs: all.flatMap(({ jobs }) => jobs),
});

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const figures = (delays: readonly number[]): string => {
  const sorted = delays.toSorted((one, other) => one - other);
  return [0, 0.5, 1].map((share) => quantile(sorted, share).toFixed(0)).join('/');
};

export const describeDelays = ({ commands, jobs }: Delays): string =>
  `${commands.length} commands in ${figures(commands)} ms (least/median/most), ${jobs.length} jobs in ${figures(jobs)} ms`;
