import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Store } from '../../../../src/store/tables/store.ts';
import { openStoreAt } from '../../../fakes/open-store-at.ts';
import { type ConsoleBrowser, openConsole } from '../../../fakes/web/console-browser.ts';
import { createDataFolder, startProgram } from '../../program.ts';

export const PASSWORD = 'correct-horse-battery';

export type ConsoleStage = Awaited<ReturnType<typeof stageConsole>>;

/** Starts the real program on a store with made-up records. */
export const stageConsole = async (options: {
  readonly encrypted?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly filled: (store: Store) => Promise<void>;
}) => {
  const folder = createDataFolder();
  const url = `sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`;
  const keys = options.encrypted ? [randomBytes(32)] : [];
  const inStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const { store, close } = await openStoreAt(url, keys);
    return work(store).finally(close);
  };
  await inStore(options.filled);
  const program = await startProgram(folder.path, {
    STORE_URL: url,
    STORE_KEY: keys.map((key) => key.toString('base64')).join(),
    PLAYGROUND_PASSWORD: PASSWORD,
    ...options.env,
  });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) await program.stop();
    isStopped = true;
  };
  return {
    url: program.url,
    /** Opens the console, signed in if it asks for a password. */
    async enter(): Promise<ConsoleBrowser> {
      const browser = openConsole(program.url);
      const page = await browser.get('/owner');
      if (page.status === 401) await browser.press(page, 'Sign in', { password: PASSWORD });
      return browser;
    },
    /** Reads the store, after the program has been stopped. */
    async readStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
      await stop();
      return inStore(work);
    },
    async close(): Promise<void> {
      await stop();
      folder.remove();
    },
  };
};
