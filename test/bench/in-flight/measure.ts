/** Parts that the benchmarks of running jobs share: the service, stores full of jobs, and processes that poll them. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { insert } from '../../contract/store/suite/driver.ts';
import { jobOf } from './job.ts';
import type { WorkerOptions, WorkerReport } from './worker.ts';

export const KEY = Buffer.alloc(32, 1);
export const folder = mkdtempSync(join(tmpdir(), 'darkroom-bench-'));

const message = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('a process of the benchmark ended')));
  });

const service = fork(new URL('./service.ts', import.meta.url));
const port = Number(await message(service));

export const close = (): void => {
  service.disconnect();
  rmSync(folder, { recursive: true, force: true });
};

let count = 0;

/** A file with so many running jobs; `spreadMs`: their first polls are due within so long. */
export async function fill(jobs: number, spreadMs: number): Promise<string> {
  count += 1;
  const path = join(folder, `jobs-${count}.sqlite`);
  const store = await openSqliteStore({ path, keys: [KEY] });
  for (let n = 0; n < jobs; n += 1) {
    const now = Date.now();
    await insert(store, { ...jobOf(n, now), due: now + 5_000 + Math.random() * spreadMs });
  }
  store.close();
  return `sqlite:${path}`;
}

interface Load {
  readonly url: string;
  readonly jobs: number;
  readonly callsPerSecond: number;
  readonly processes?: number;
  /** The time until every job was polled and nothing is left of the start. */
  readonly settleMs: number;
  readonly seconds: number;
  /** When what is measured begins. */
  readonly begun?: () => void;
}

export async function measure({
  processes = 1,
  settleMs,
  seconds,
  begun,
  ...load
}: Load): Promise<readonly WorkerReport[]> {
  const options: WorkerOptions = { ...load, service: `http://127.0.0.1:${port}` };
  const children = Array.from({ length: processes }, () =>
    fork(new URL('./worker.ts', import.meta.url), [JSON.stringify(options)]),
  );
  await Promise.all(children.map(message));
  await pause(settleMs);
  for (const child of children) child.send('measure');
  begun?.();
  await pause(seconds * 1000);
  const answers = children.map(message);
  for (const child of children) child.send('report');
  const reports = (await Promise.all(answers)) as WorkerReport[];
  for (const child of children) child.kill('SIGKILL');
  return reports;
}

export const writeRow = (cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(' | ')} |\n`);
