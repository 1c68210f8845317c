/**
 * How the polls of running jobs spread over processes: SQLite with one process, PostgreSQL with one, two and four, in one
 * run on the same machine. First at a pace that is allowed with ease: how late polls are answered, from their due time on. Then
 * with more calls allowed than one process can make, which is its limit where its event loop is always busy; several have
 * more only where the machine has cores left.
 *
 *   npm run bench -- processes [seconds for each] [text of the first columns, for these rows alone]
 *
 * Needs PostgreSQL's programs (Debian: postgresql).
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openStore } from '../../src/store/sqlite/store.ts';
import { insert } from '../contract/store/suite/driver.ts';
import { startPostgresCluster } from '../fakes/postgres-cluster.ts';
import { jobOf } from './in-flight/job.ts';
import type { WorkerOptions, WorkerReport } from './processes/worker.ts';

const seconds = Number(process.argv[2] ?? 20);
const only = process.argv[3] ?? '';
const JOBS = 10_000;
/** Until every job was polled several times, and nothing is left of the start. */
const SETTLE_MS = 25_000;
/** The first polls are as far apart as those that follow. */
const SPREAD_MS = 15_000;
const RATES = [600, 5_000];
const KEY = Buffer.alloc(32, 1);

const service = fork(new URL('./in-flight/service.ts', import.meta.url));
const port = await new Promise<number>((resolve) =>
  service.once('message', (message) => resolve(Number(message))),
);
const folder = mkdtempSync(join(tmpdir(), 'darkroom-processes-'));
const cluster = await startPostgresCluster();
let count = 0;

async function fill(): Promise<string> {
  count += 1;
  const path = join(folder, `jobs-${count}.sqlite`);
  const store = await openStore({ path, keys: [KEY] });
  for (let n = 0; n < JOBS; n += 1) {
    const now = Date.now();
    await insert(store, { ...jobOf(n, now), due: now + 5_000 + Math.random() * SPREAD_MS });
  }
  store.close();
  return `sqlite:${path}`;
}

async function fillDatabase(): Promise<string> {
  const from = await fill();
  const name = `bench${count}`;
  const client = new pg.Client(cluster.url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const to = new URL(cluster.url);
  to.pathname = `/${name}`;
  const main = fileURLToPath(new URL('../../src/owner/move/main.ts', import.meta.url));
  execFileSync(process.execPath, [main, '--from', from, '--to', to.href], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', STORE_KEY: KEY.toString('base64') },
    stdio: 'ignore',
  });
  return to.href;
}

const message = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('a process of the benchmark ended')));
  });

const percentile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);

/** Of PostgreSQL's processes, where the system tells (Linux); in ticks of ten milliseconds. */
function databaseMs(): number {
  const parent = cluster.postmaster();
  let ticks = 0;
  for (const entry of existsSync('/proc') ? readdirSync('/proc') : []) {
    const path = `/proc/${entry}/stat`;
    if (!/^\d+$/.test(entry) || !existsSync(path)) continue;
    const fields = readFileSync(path, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    if (Number(fields[1]) === parent) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10;
}

/** Of all cores: whatever runs on this machine. */
const busyMs = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);

async function measure(url: string, processes: number, callsPerSecond: number): Promise<string> {
  const options: WorkerOptions = { url, service: `http://127.0.0.1:${port}`, jobs: JOBS, callsPerSecond };
  const children = Array.from({ length: processes }, () =>
    fork(new URL('./processes/worker.ts', import.meta.url), [JSON.stringify(options)]),
  );
  await Promise.all(children.map(message));
  await pause(SETTLE_MS);
  for (const child of children) child.send('measure');
  const before = [busyMs(), databaseMs()] as const;
  await pause(seconds * 1000);
  const [busy, database] = [busyMs() - before[0], databaseMs() - before[1]];
  const answers = children.map(message);
  for (const child of children) child.send('report');
  const reports = (await Promise.all(answers)) as WorkerReport[];
  for (const child of children) child.kill('SIGKILL');
  const calls = reports.reduce((sum, report) => sum + report.calls, 0);
  const cpuMs = reports.reduce((sum, report) => sum + report.cpuMs, 0);
  const loops = reports.reduce((sum, report) => sum + report.busy, 0) / processes;
  const late = reports.flatMap((report) => report.late).sort((one, other) => one - other);
  const cells = [
    Math.round(calls / seconds),
    `${percentile(late, 0.5)} / ${percentile(late, 0.99)}`,
    `${Math.round(100 * loops)} %`,
    (cpuMs / calls).toFixed(2),
    (cpuMs / 1000 / seconds).toFixed(2),
    (database / 1000 / seconds).toFixed(2),
    (busy / 1000 / seconds).toFixed(2),
  ];
  return cells.join(' | ');
}

process.stdout.write(
  '| store | processes | calls/s allowed | status calls/s | late p50 / p99 ms | event loop busy | CPU ms per call | cores used | by PostgreSQL | by the whole machine |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n',
);
const stores = [
  ['SQLite', 1],
  ['PostgreSQL', 1],
  ['PostgreSQL', 2],
  ['PostgreSQL', 4],
] as const;
try {
  for (const rate of RATES)
    for (const [store, processes] of stores) {
      const name = `| ${store} | ${processes} | ${rate} |`;
      if (!name.includes(only)) continue;
      const url = store === 'SQLite' ? await fill() : await fillDatabase();
      process.stdout.write(`${name} ${await measure(url, processes, rate)} |\n`);
    }
} finally {
  service.disconnect();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
