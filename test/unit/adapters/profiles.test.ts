import { afterEach, expect, it, vi } from 'vitest';
import type { PlatformProfile } from '../../../src/adapters/profile.ts';
import { PLATFORMS, profileOf } from '../../../src/adapters/profiles.ts';
import { aboutSetting, settingNames } from '../../../src/config/settings.ts';

/** What holds of every platform, so also of one that is added. */

const live = PLATFORMS.flatMap((platform) => {
  const { connection } = profileOf(platform);
  return connection === undefined ? [] : [[platform, connection] as const];
});

it.each(live)('%s is off without its token, which is a secret', (_, { settings, read }) => {
  const [token = ''] = Object.keys(settings);
  expect(read({})).toBeUndefined();
  expect(token).toMatch(/_TOKEN$/);
  expect(aboutSetting(token).secret).toBe(true);
});

it.each(live)('the setup of %s asks for its token first, and for settings of its own', (_, connection) => {
  const names = Object.keys(connection.settings);
  expect(connection.setup[0]?.setting).toBe(names[0]);
  for (const { setting, isSecret } of connection.setup) {
    expect(names).toContain(setting);
    expect(isSecret).toBe(aboutSetting(setting).secret === true);
  }
});

it('every setting whose name says so is a secret', () => {
  const named = settingNames.filter((name) => /_(TOKEN|KEY|SECRET|PASSWORD)$/.test(name));
  const open = named.filter((name) => aboutSetting(name).secret === undefined);
  expect(open).toEqual(['DISCORD_PUBLIC_KEY']);
});

/** The program as it is with one more line in the table of platforms. */
const withMorse = async () => {
  vi.resetModules();
  vi.doMock('../../../src/adapters/profiles.ts', async () => {
    const { defineConnection } = await import('../../../src/adapters/profile.ts');
    const { optional } = await import('../../../src/config/setting.ts');
    const { secretText } = await import('../../../src/config/values.ts');
    const morse: PlatformProfile = {
      title: 'Morse',
      ids: { speaker: /^\d+$/, owner: /^\d+$/, community: /^\d+$/, directChat: /^\d+$/ },
      threadsAre: 'channels',
      hasRoles: false,
      restore: { drops: [] },
      connection: defineConnection({
        settings: {
          MORSE_TOKEN: optional(secretText(8, 100), { meaning: 'token', allowed: 'a token', secret: true }),
        },
        tokenFrom: 'the telegraph office',
        read: ({ MORSE_TOKEN }) => MORSE_TOKEN,
        check: async () => [],
        load: async () => undefined,
        setup: [],
      }),
    };
    return { PLATFORMS: ['morse'], profiles: { morse }, profileOf: () => morse };
  });
  return import('../../../src/config/config.ts');
};

afterEach(() => {
  vi.doUnmock('../../../src/adapters/profiles.ts');
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
  expect(() => readConfig({ OWNERS: 'discord:7' })).toThrow(/a list of morse:ID/);
});
