// @module-tag slow
import { afterEach, expect, it, vi } from 'vitest';
import type { PlatformFacts } from '../../src/platforms/facts.ts';

/** The program as it would be with one platform instead of those that there are: its row of facts and its connection. */
const withMorse = async () => {
  vi.resetModules();
  vi.doMock('../../src/platforms/facts.ts', () => {
    const morse: PlatformFacts = {
      title: 'Morse',
      ids: { speaker: /\d+/, owner: /\d+/, community: /\d+/, directChat: /\d+/ },
      threadsAre: 'channels',
      hasRoles: false,
      restore: { drops: [] },
    };
    return { facts: { morse } };
  });
  vi.doMock('../../src/adapters/connections.ts', async () => {
    const { defineConnection } = await import('../../src/adapters/connection.ts');
    const { optionalSetting: optional, secretText } = await import('../../src/base/setting.ts');
    const morse = defineConnection({
      settings: { MORSE_TOKEN: optional(secretText(8, 100), 'token') },
      tokenFrom: 'the telegraph office',
      ownIdFrom: 'ask the operator',
      read: ({ MORSE_TOKEN }) => MORSE_TOKEN,
      check: async () => [],
      open: async () => {
        throw new Error('Nobody connects it here.');
      },
      setup: [],
    });
    return { connectionOf: () => morse };
  });
  return import('../../src/config/config.ts');
};

afterEach(() => {
  vi.doUnmock('../../src/platforms/facts.ts');
  vi.doUnmock('../../src/adapters/connections.ts');
  vi.resetModules();
});

it('a platform that is added shuts the playground, which opens only with a password then', async () => {
  const { readConfig } = await withMorse();
  const token = { MORSE_TOKEN: 'dot-dash-dot' };

  const without = readConfig({});
  const connected = readConfig(token);
  const withoutPassword = () => readConfig({ ...token, PLAYGROUND: 'on' });

  expect(without.playground.on).toBe(true);
  expect(connected.playground.on).toBe(false);
  expect(withoutPassword).toThrow(/PLAYGROUND_PASSWORD: missing/);
});

it('the token of a platform that is added connects it, and is a secret that no log shows', async () => {
  const { readConfig } = await withMorse();

  const config = readConfig({ MORSE_TOKEN: 'dot-dash-dot' });

  expect(config.platforms).toEqual({ morse: 'dot-dash-dot' });
  expect(config.secrets).toEqual(['dot-dash-dot']);
});

it('owners can be people of a platform that is added, with ids as it has them', async () => {
  const { readConfig } = await withMorse();

  const { owners } = readConfig({ OWNERS: 'morse:7' });
  const withAWrongId = () => readConfig({ OWNERS: 'morse:7x' });
  const withAnUnknownPlatform = () => readConfig({ OWNERS: 'discord:7' });

  expect(owners).toEqual([{ platform: 'morse', id: '7' }]);
  expect(withAWrongId).toThrow(/not platform:ID/);
  expect(withAnUnknownPlatform).toThrow(/a list of morse:ID/);
});
