import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../eventually.ts';
import { COMPILED, main, NO_LOOKS } from '../../program.ts';

export type Programs = ReturnType<typeof startPrograms>;

const MOST_ERRORS = 1_000;
const PATIENCE_MS = 180_000;

/**
 * Several whole programs on one database, one for each port, each restarted at once when it has ended, as by a supervisor.
 */
export function startPrograms(
  ports: readonly number[],
  folder: string,
  env: Readonly<Record<string, string>>,
) {
  const children: (ChildProcess | undefined)[] = [];
  /** Everything that the programs printed at level `error`. */
  const errors: string[] = [];
  let isStopping = false;

  const start = (index: number): void => {
    // All may have been stopped while this program waited for its restart: it would be left running.
    if (isStopping) return;
    const cwd = join(folder, `program-${index}`);
    mkdirSync(cwd, { recursive: true });
    const child = spawn(process.execPath, [main], {
      cwd,
      env: {
        PATH: process.env.PATH ?? '',
        HTTP_PORT: String(ports[index]),
        LOG_LEVEL: 'error',
        ...NO_LOOKS,
        ...COMPILED,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        if (errors.length < MOST_ERRORS) errors.push(`${index}: ${chunk}`);
      });
    children[index] = child;
    child.once('exit', () => {
      void pause(100).then(() => start(index));
    });
  };
  const abandon = (): void => {
    for (const child of children) child?.kill('SIGKILL');
  };
  process.once('exit', abandon);
  for (const index of ports.keys()) start(index);

  const end = async (index: number, signal: NodeJS.Signals): Promise<void> => {
    const child = children[index];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A program that a failed test left frozen heeds SIGTERM only when it goes on.
    child.kill('SIGCONT');
    await ended;
  };
  const isAnswering = async (port: number): Promise<boolean> => {
    try {
      return (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
    } catch {
      return false;
    }
  };

  return {
    /** Waits until at least so many programs answer; without a number, until all do. */
    async ready(least = ports.length): Promise<void> {
      const areAnswering = async () =>
        (await Promise.all(ports.map(isAnswering))).filter(Boolean).length >= least;
      await eventually(areAnswering, 'the programs', undefined, PATIENCE_MS);
    },
    kill: (index: number) => end(index, 'SIGKILL'),
    /** Stops a program as a rolling restart does; it is started again like any that has ended. */
    restart: (index: number) => end(index, 'SIGTERM'),
    freeze: (index: number) => void children[index]?.kill('SIGSTOP'),
    thaw: (index: number) => void children[index]?.kill('SIGCONT'),
    errors: (): readonly string[] => errors,
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(children.map((_, index) => end(index, 'SIGTERM')));
      process.off('exit', abandon);
    },
  };
}
