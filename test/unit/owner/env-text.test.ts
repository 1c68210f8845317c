import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { withSettings } from '../../../src/owner/setup/env-text.ts';

it.each(['plain', "it's", 'a"b', 'a#b', 'a$b', `it's "both"`])(
  '%s is read from .env as it was given',
  (key) => {
    const text = withSettings('# mine\n#GENERATION_API_KEY=\n', {
      GENERATION_API_KEY: key,
      OWNERS: 'discord:1',
    });
    expect(parseEnv(text)).toEqual({ GENERATION_API_KEY: key, OWNERS: 'discord:1' });
  },
);
