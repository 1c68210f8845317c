import { expect, it } from 'vitest';
import { banner } from '../../../../src/app/monitoring/banner.ts';
import { readConfig } from '../../../../src/config/config.ts';

const shown = (env: Record<string, string>, embedded = true): string =>
  banner(readConfig(env), {
    url: 'http://127.0.0.1:8080',
    service: { url: 'http://127.0.0.1:1', embedded },
    invites: [],
  });

it.each([
  ['on this machine', {}, true],
  ['where others come', { HTTP_HOST: '0.0.0.0' }, false],
  ['where others come, with a password', { HTTP_HOST: '0.0.0.0', PLAYGROUND_PASSWORD: 'password' }, true],
  ['without the playground', { PLAYGROUND: 'off' }, false],
])('shows the owner’s page only if there is one: %s', (_, env, there) => {
  expect(shown(env).includes('/owner')).toBe(there);
});

it('lists only settings that are missing', () => {
  expect(shown({})).toContain('GENERATION_URL=…');
  const served = shown({ GENERATION_URL: 'http://127.0.0.1:1', GENERATION_API_KEY: 'key' }, false);
  expect(served).toContain('DISCORD_TOKEN=…');
  expect(served).not.toContain('GENERATION_URL=…');
});

it('shows where Discord’s interactions are expected', () => {
  const token = { DISCORD_TOKEN: 'MTAw.fake.discord-token' };
  expect(shown(token)).not.toContain('/discord/interactions');
  expect(shown({ ...token, DISCORD_PUBLIC_KEY: 'ab'.repeat(32) })).toContain(
    'interactions at http://127.0.0.1:8080/discord/interactions',
  );
});
