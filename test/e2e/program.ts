import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The real program in a process of its own, as an owner starts it. */
export interface Program {
  readonly url: string;
  readonly pid: number;
  /** Everything it printed. */
  output(): string;
  /** Closes the pipes to which the program prints. */
  deafen(): void;
  /** Its exit code, once it has ended for whatever reason. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM, and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, and resolves when the program has ended. */
  kill(): Promise<void>;
}

/** The file that is the program. */
export const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** A folder for the store that outlives restarts of the program; `remove` at the end. */
export const createDataFolder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'darkroom-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Programs that are started again and again are compiled once: one that is killed keeps nothing for the next. */
export const COMPILED = {
  NODE_COMPILE_CACHE: new URL('../../node_modules/.cache/tools', import.meta.url).pathname,
};

/** Settings with which the program finds a fake of the service and of Telegram. */
export const settingsFor = (
  service: { readonly url: string },
  telegram: { readonly token: string; readonly url: string },
) => ({
  GENERATION_URL: service.url,
  GENERATION_API_KEY: 'the-key',
  GENERATION_TOKEN: 'token',
  TELEGRAM_TOKEN: telegram.token,
  TELEGRAM_API_URL: telegram.url,
});

/** Settings without the checks of faces and of content, because photos and results of most tests are of one colour. */
export const NO_LOOKS = { FACE_CHECK: 'off', CONTENT_CHECK: 'off' };

/** Starts the program with these settings, and resolves when it says that it is ready. */
export const startProgram = async (
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Program> => {
  const child: ChildProcess = spawn(process.execPath, [main], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HTTP_PORT: '0',
      LOG_LEVEL: 'info',
      ...NO_LOOKS,
      ...COMPILED,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ready = Promise.withResolvers<string>();
  const read = (chunk: Buffer): void => {
    printed += chunk.toString();
    const url = /Darkroom is ready at (http:\/\/[^\s"]+)/.exec(printed)?.[1];
    if (url) ready.resolve(url);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  // Whatever becomes of the test, nothing is left running.
  const abandon = (): void => void child.kill('SIGKILL');
  process.once('exit', abandon);
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => {
    process.off('exit', abandon);
    return code ?? null;
  });
  exited.then((code) => ready.reject(new Error(`the program ended with ${code}:\n${printed}`)));

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    url: await ready.promise,
    pid: child.pid ?? 0,
    ended: exited,
    output: () => printed,
    deafen() {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL');
    },
  };
};
