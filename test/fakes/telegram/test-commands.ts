import { defineAction, defineCommand, defineCommandGroup } from '../../../src/command/command.ts';

const run = async (): Promise<never> => {
  throw new Error('only declared');
};
const image = { kind: 'image', description: 'A photo' } as const;
const text = { kind: 'text', description: 'Words', max: 1000 } as const;

/** Declarations of the shapes that matter to an adapter: none, one and several photos, and a moderators' command. */
export const testCommands = [
  defineCommand({
    name: 'faceswap',
    description: 'Swap the face',
    examples: [],
    options: { photo: image },
    run,
  }),
  defineCommand({
    name: 'transition',
    description: 'From one photo to another',
    examples: [],
    options: { first: image, last: image, prompt: text },
    run,
  }),
  defineCommand({
    name: 'animate',
    description: 'Make it move',
    examples: [],
    options: { photo: image, prompt: text },
    run,
  }),
  defineCommand({
    name: 'groupswap',
    description: 'A picture of each',
    examples: [],
    options: { photo: { ...image, album: true }, photo2: image },
    run,
  }),
  defineCommand({
    name: 'help',
    description: 'What I can do',
    personal: true,
    examples: [],
    options: {},
    run,
  }),
  defineCommandGroup({
    name: 'settings',
    description: 'Rules of the house',
    access: 'moderator',
    personal: true,
    examples: [],
    subcommands: {
      show: defineAction({ description: 'All of them', options: {}, run }),
      block: defineAction({
        description: 'Shut somebody out',
        options: { user: { kind: 'user', description: 'Who' }, reason: text },
        run,
      }),
    },
  }),
];
