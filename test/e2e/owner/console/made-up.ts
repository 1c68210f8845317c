import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Store } from '../../../../src/store/tables/store.ts';
import { openStoreAt } from '../../../fakes/open-store-at.ts';
import { type ConsoleBrowser, openConsole } from '../../../fakes/web/console-browser.ts';
import { createDataFolder, type Program, startProgram } from '../../program.ts';

export const PASSWORD = 'correct-horse-battery';

/** Fills a store before the program starts on it. */
export const fill = async (
  url: string,
  key: string | undefined,
  work: (store: Store) => Promise<void>,
): Promise<void> => {
  const { store, close } = await openStoreAt(url, key === undefined ? [] : [Buffer.from(key, 'base64')]);
  await work(store);
  await close();
};

export interface ConsoleStage {
  readonly program: Program;
  readonly url: string;
  /** Signed in, if there is a password. */
  enter(): Promise<ConsoleBrowser>;
  readStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The real program on a store with made-up records. */
export const stageConsole = async (options: {
  readonly encrypted?: boolean;
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly filled?: (store: Store) => Promise<void>;
}): Promise<ConsoleStage> => {
  const folder = createDataFolder();
  const url = options.url ?? `sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`;
  const key = options.encrypted ? randomBytes(32).toString('base64') : undefined;
  await fill(url, key, options.filled ?? (async () => undefined));
  const program = await startProgram(folder.path, {
    STORE_URL: url,
    ...(key === undefined ? {} : { STORE_KEY: key }),
    PLAYGROUND_PASSWORD: PASSWORD,
    ...options.env,
  });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) await program.stop();
    isStopped = true;
  };
  return {
    program,
    url: program.url,
    async enter() {
      const browser = openConsole(program.url);
      const page = await browser.get('/owner');
      if (page.status === 401) await browser.press(page, 'Sign in', { password: PASSWORD });
      return browser;
    },
    /** Stops the program first. */
    async readStore(work) {
      await stop();
      let result: Awaited<ReturnType<typeof work>> | undefined;
      await fill(url, key, async (store) => {
        result = await work(store);
      });
      if (result === undefined) throw new Error('nothing was read');
      return result;
    },
    async close() {
      await stop();
      folder.remove();
    },
  };
};
