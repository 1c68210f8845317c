import { defineAction, defineCommand, defineCommandGroup } from '../../../src/command/command.ts';
import type { Options } from '../../../src/command/option.ts';
import { inEachLanguage } from '../../../src/words/language.ts';

const run = async (): Promise<never> => {
  throw new Error('only declared');
};
const image = { kind: 'image', description: 'A photo' } as const;
const text = { kind: 'text', description: 'Words', max: 1000 } as const;

const declare = (name: string, description: string, options: Options, personal = false) =>
  defineCommand({
    name,
    description: inEachLanguage((language) =>
      language === 'en' ? description : `${description} (${language})`,
    ),
    examples: [],
    options,
    run,
    ...(personal ? { personal } : {}),
  });

/** Declarations of the shapes that matter to an adapter: none, one and several photos, and a moderators' command. */
export const testCommands = [
  declare('faceswap', 'Swap the face', { photo: image }),
  declare('transition', 'From one photo to another', { first: image, last: image, prompt: text }),
  declare('animate', 'Make it move', { photo: image, prompt: text }),
  declare('groupswap', 'A picture of each', { photo: { ...image, album: true }, photo2: image }),
  declare('help', 'What I can do', {}, true),
  defineCommandGroup({
    name: 'settings',
    description: inEachLanguage(() => 'Rules of the house'),
    access: 'moderator',
    personal: true,
    examples: [],
    subcommands: {
      show: defineAction({ description: inEachLanguage(() => 'All of them'), options: {}, run }),
      block: defineAction({
        description: inEachLanguage(() => 'Shut somebody out'),
        options: { user: { kind: 'user', description: 'Who' }, reason: text },
        run,
      }),
    },
  }),
];
