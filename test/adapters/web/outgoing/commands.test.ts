import { expect, it } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { commandsForPage } from '../../../../src/adapters/web/outgoing/commands.ts';
import { wordsFor } from '../../../../src/words/words.ts';

const offered = commandsForPage(commands, wordsFor('en'));

const action = (command: string, name?: string) =>
  offered.find((each) => each.name === command)?.actions.find((each) => each.name === name);

it('the page offers every command in its order, and says which are for moderators', () => {
  expect(offered.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  expect(offered.filter(({ moderators }) => moderators).map(({ name }) => name)).toEqual([
    'alias',
    'settings',
  ]);
});

it('the page offers options as they are declared', () => {
  const animate = action('animate');
  expect(animate?.usage).toBe('/animate photo prompt [model] [duration] [aspect] [private]');
  expect(animate?.options.find(({ name }) => name === 'photo')).toMatchObject({
    kind: 'image',
    required: true,
  });
  expect(action('faceswap')?.options.find(({ kind }) => kind === 'image')).toMatchObject({ album: true });
  expect(animate?.options.find(({ name }) => name === 'model')).toMatchObject({
    choices: ['simple', 'advanced', 'performance'],
    standard: 'advanced',
  });
  expect(animate?.options.find(({ name }) => name === 'private')).toMatchObject({
    choices: ['yes', 'no'],
    standard: 'no',
  });
  expect(action('settings', 'credits')?.options[0]).toMatchObject({ kind: 'integer', min: 0, max: 100_000 });
});

it('the page describes commands in its language', () => {
  const german = commandsForPage(commands, wordsFor('de')).find(({ name }) => name === 'faceswap');
  expect(german?.description).not.toBe(offered[0]?.description);
});
