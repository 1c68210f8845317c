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

it('a platform that is added keeps the playground shut, its token out of the log, and can have owners', async () => {
  const { readConfig } = await withMorse();
  const token = { MORSE_TOKEN: 'dot-dash-dot' };
  expect(readConfig({}).playground.on).toBe(true);
  expect(readConfig(token)).toMatchObject({
    platforms: { morse: 'dot-dash-dot' },
    playground: { on: false },
    secrets: ['dot-dash-dot'],
  });
  expect(() => readConfig({ ...token, PLAYGROUND: 'on' })).toThrow(/PLAYGROUND_PASSWORD: missing/);
  expect(readConfig({ OWNERS: 'morse:7' }).owners).toEqual([{ platform: 'morse', id: '7' }]);
  expect(() => readConfig({ OWNERS: 'morse:7x' })).toThrow(/not platform:ID/);
  expect(() => readConfig({ OWNERS: 'discord:7' })).toThrow(/a list of morse:ID/);
});
