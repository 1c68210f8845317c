import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { ownersWith, withSettings } from '../../../src/owner/setup/env-text.ts';

it.each(['plain', "it's", 'a"b', 'a#b', 'a$b', `it's "both"`])('%s in .env is read as it is given', (key) => {
  const before = '# mine\n#GENERATION_API_KEY=\n';
  const settings = { GENERATION_API_KEY: key, OWNERS: 'discord:1' };

  const text = withSettings(before, settings);

  expect(parseEnv(text)).toEqual(settings);
});

it('a new line in .env comments out older lines of its setting, also one that names a file for it', () => {
  const before = [
    '#DISCORD_TOKEN=',
    'DISCORD_TOKEN_FILE=/run/a',
    'export GENERATION_TOKEN_FILE=/run/b',
    'STORE_KEY_FILE=/run/c',
    'DISCORD_TOKEN=old',
    'DISCORD_TOKEN=older',
    '',
  ].join('\n');

  const text = withSettings(before, { DISCORD_TOKEN: 'one', GENERATION_TOKEN: 'two' });

  expect(parseEnv(text)).toEqual({ DISCORD_TOKEN: 'one', GENERATION_TOKEN: 'two', STORE_KEY_FILE: '/run/c' });
  expect(text).toContain('#DISCORD_TOKEN_FILE=/run/a\n');
});

it('an owner is added behind those that OWNERS has', () => {
  expect(ownersWith('', 'discord', '5')).toBe('discord:5');
  expect(ownersWith('telegram:42, telegram:43', 'discord', '5')).toBe('telegram:42,telegram:43,discord:5');
});
