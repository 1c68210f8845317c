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
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgresCluster } from '../fakes/postgres-cluster.ts';
import { close, fill, folder, KEY, measure, writeRow } from './in-flight/measure.ts';

const seconds = Number(process.argv[2] ?? 20);
const only = process.argv[3] ?? '';
const JOBS = 10_000;
/** The time until every job was polled several times and nothing is left of the start. */
const SETTLE_MS = 25_000;
/** The first polls are as far apart as those that follow. */
const SPREAD_MS = 15_000;
const RATES = [600, 5_000];

const cluster = await startPostgresCluster();
let count = 0;

async function fillDatabase(): Promise<string> {
  const from = await fill(JOBS, SPREAD_MS);
  count += 1;
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

const percentile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);

/** CPU time of PostgreSQL's processes in milliseconds, where the system tells (Linux, in ticks of ten). */
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

/** Busy time of all cores in milliseconds, whatever runs on this machine. */
const busyMs = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);

async function rowOf(url: string, processes: number, callsPerSecond: number) {
  let busy = 0;
  let database = 0;
  const begun = (): void => {
    busy = busyMs();
    database = databaseMs();
  };
  const load = { url, processes, callsPerSecond, jobs: JOBS, settleMs: SETTLE_MS, seconds, begun };
  const reports = await measure(load);
  [busy, database] = [busyMs() - busy, databaseMs() - database];
  const calls = reports.reduce((sum, report) => sum + report.calls, 0);
  const cpuMs = reports.reduce((sum, report) => sum + report.cpuMs, 0);
  const loops = reports.reduce((sum, report) => sum + report.busy, 0) / processes;
  const late = reports.flatMap((report) => report.late).sort((one, other) => one - other);
  return [
    Math.round(calls / seconds),
    `${percentile(late, 0.5)} / ${percentile(late, 0.99)}`,
    `${Math.round(100 * loops)} %`,
    (cpuMs / calls).toFixed(2),
    ...[cpuMs, database, busy].map((ms) => (ms / 1000 / seconds).toFixed(2)),
  ];
}

writeRow([
  'store',
  'processes',
  'calls/s allowed',
  'status calls/s',
  'late p50 / p99 ms',
  'event loop busy',
  'CPU ms per call',
  'cores used',
  'by PostgreSQL',
  'by the whole machine',
]);

writeRow(Array.from({ length: 10 }, () => '---:'));

const stores = [
  { store: 'SQLite', processes: 1 },
  { store: 'PostgreSQL', processes: 1 },
  { store: 'PostgreSQL', processes: 2 },
  { store: 'PostgreSQL', processes: 4 },
] as const;

try {
  for (const rate of RATES)
    for (const { store, processes } of stores) {
      if (!`| ${store} | ${processes} | ${rate} |`.includes(only)) continue;
      const url = store === 'SQLite' ? await fill(JOBS, SPREAD_MS) : await fillDatabase();
      writeRow([store, processes, rate, ...(await rowOf(url, processes, rate))]);
    }
} finally {
  close();
  await cluster.stop();
}

process.exit();
