import type { Person, Platform, Seen } from '../../stage/chat.ts';
import { photo, settings } from '../../stage/lines.ts';
import type { Stage } from '../../stage/stage.ts';
import type { Chance } from '../kill/chance.ts';

export type People = ReturnType<typeof createPeople>;

interface Room {
  readonly moderator: Person;
  /** Everybody in the room, its moderator among them. */
  readonly people: readonly [Person, ...Person[]];
}

let wishes = 0;

const pressable = ['Again', 'Retry', 'Cancel', 'Other filter', 'Animate'];
/** People press buttons of so many recent messages. */
const mostRecent = 12;

/** All messages of the bot that this person sees. */
export const seenBy = (person: Person): readonly Seen[] => [
  ...person.seenByAll(),
  ...person.at('direct').sees(),
];

/** People of two platforms whose acts are chosen at random. */
export const createPeople = (stage: Stage, chance: Chance) => {
  /** Messages that somebody took away. */
  const takenDown = new Set<string>();
  /** The prompts of all jobs, in words that nobody else uses. */
  const prompts: string[] = [];
  const openRoom = (platform: Platform['name']): Room => {
    const room = stage.platforms[platform].room();
    const moderator = room.person(`Mod ${room.community}`);
    moderator.moderates(true);
    return {
      moderator,
      people: [moderator, room.person(`Ann ${room.community}`), room.person(`Bob ${room.community}`)],
    };
  };
  const rooms = [
    openRoom('discord'),
    openRoom('discord'),
    openRoom('telegram'),
    openRoom('telegram'),
  ] as const;
  const anybody = (): Person => chance.pick(chance.pick(rooms).people);

  const wish = (): void => {
    wishes += 1;
    const prompt = `wish ${wishes}`;
    prompts.push(prompt);
    anybody().types({
      command: chance.pick(['faceswap', 'groupswap']),
      given: { prompt, ...(chance.next() < 0.15 ? { private: 'yes' } : {}) },
      photos: { photo },
    });
  };

  const press = (): void => {
    const who = anybody();
    const [first, ...others] = seenBy(who)
      .slice(-mostRecent)
      .flatMap((seen) => seen.buttons.map((label) => ({ seen, label })))
      .filter(({ label }) => pressable.includes(label));
    if (first === undefined) return;
    const { seen, label } = chance.pick([first, ...others]);
    who.presses(seen, label);
    // Some people press twice.
    if (chance.next() < 0.3) who.presses(seen, label);
  };

  const takeDown = (): void => {
    const who = anybody();
    const seen = seenBy(who).at(-1);
    if (seen === undefined) return;
    takenDown.add(seen.id);
    who.takesDown(seen);
  };

  const moderate = (): void => {
    const { moderator } = chance.pick(rooms);
    moderator.types(settings(chance.pick(['pause', 'resume', 'resume'])));
  };

  return {
    members: rooms.flatMap(({ people }) => people),
    prompts,
    takenDown,
    /** One person does something. */
    act(): void {
      const what = chance.next();
      if (what < 0.5) wish();
      else if (what < 0.92) press();
      else if (what < 0.96) takeDown();
      else moderate();
    },
  };
};
