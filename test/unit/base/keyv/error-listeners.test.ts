import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyv } from 'keyv';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const LISTENER = /(\w+)\??\.(?:on|once|\w+Listener)\(\s*(?:['"`]error\b|KeyvEvents\b)/g;
/** Variables that hold streams, sockets, programs and connections, and never a Keyv. */
const NO_KEYV = ['body', 'child', 'client', 'fresh', 'output', 'pool', 'server', 'stream', 'worker'];

it('nothing in the program listens for the errors of a Keyv', () => {
  const files = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root });
  const listenedTo = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(LISTENER)].map(([, variable]) => ({
      file,
      variable,
    })),
  );
  expect(listenedTo).toContainEqual({ file: 'src/http/server.ts', variable: 'server' });
  expect(listenedTo.filter(({ variable = '' }) => !NO_KEYV.includes(variable))).toEqual([]);
});

it('with a listener for errors a Keyv answers a read that fails with undefined, and without one it rejects', async () => {
  const store = Object.assign(new Map(), {
    get() {
      throw new Error('the store is away');
    },
  });
  const keyv = new Keyv({ store });
  await expect(keyv.get('a')).rejects.toThrow('the store is away');

  keyv.on('error', () => undefined);
  expect(await keyv.get('a')).toBeUndefined();
});
