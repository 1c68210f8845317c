import { expect, it } from 'vitest';
import { banner } from '../../../src/app/banner.ts';
import { readConfig } from '../../../src/config.ts';

const shown = (env: Record<string, string>): string =>
  banner(readConfig(env), {
    url: 'http://127.0.0.1:8080',
    service: { url: 'http://127.0.0.1:1', embedded: true },
  });

it.each([
  ['on this machine', {}, true],
  ['where others come', { HTTP_HOST: '0.0.0.0' }, false],
  ['where others come, with a password', { HTTP_HOST: '0.0.0.0', PLAYGROUND_PASSWORD: 'password' }, true],
  ['without the playground', { PLAYGROUND: 'off' }, false],
])('names the owner’s page only where there is one: %s', (_, env, there) => {
  expect(shown(env).includes('/owner')).toBe(there);
});
