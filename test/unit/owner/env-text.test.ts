import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { withSettings } from '../../../src/owner/setup/env-text.ts';

it.each(['plain', "it's", 'a"b', 'a#b', 'a$b', `it's "both"`])('%s in .env is read as it is given', (key) => {
  const text = withSettings('# mine\n#GENERATION_API_KEY=\n', {
    GENERATION_API_KEY: key,
    OWNERS: 'discord:1',
  });
  expect(parseEnv(text)).toEqual({ GENERATION_API_KEY: key, OWNERS: 'discord:1' });
});

it('a new line in .env comments out older lines of its setting, also one that names a file for it', () => {
  const text = withSettings(
    '#DISCORD_TOKEN=\nDISCORD_TOKEN_FILE=/run/a\nexport GENERATION_TOKEN_FILE=/run/b\nSTORE_KEY_FILE=/run/c\nDISCORD_TOKEN=old\nDISCORD_TOKEN=older\n',
    { DISCORD_TOKEN: 'one', GENERATION_TOKEN: 'two' },
  );
  expect(parseEnv(text)).toEqual({ DISCORD_TOKEN: 'one', GENERATION_TOKEN: 'two', STORE_KEY_FILE: '/run/c' });
  expect(text).toContain('#DISCORD_TOKEN_FILE=/run/a\n');
});
