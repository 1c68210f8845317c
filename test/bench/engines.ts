/**
 * What should make the steps of jobs due over many processes: PostgreSQL's own SKIP LOCKED on the index of the due time,
 * or a library. A step writes a record of 700 bytes and makes its job due again in 1 to 5 seconds.
 *
 *   npm run bench -- engines [seconds for each] [engine …]
 *
 * Needs PostgreSQL's programs (Debian: postgresql) and, for BullMQ, redis-server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Server, startPostgres, startRedis } from './engines/servers.ts';

const seconds = Number(process.argv[2] ?? 8);
const wanted = process.argv.slice(3);
const WARM_UP_MS = 4_000;
/** 3 s between two steps of a job: 333 and 3,333 steps a second are offered. */
const SIZES = [1_000, 10_000];
const PROCESSES = [1, 2, 4];
const HOLD_MS = 2_000;
const LONGEST_TAKEOVER_MS = 20_000;
const LONGEST_START_MS = 60_000;

interface Engine {
  readonly name: string;
  readonly file: string;
  readonly server: 'postgres' | 'redis';
  readonly options?: object;
}

const ENGINES: readonly Engine[] = [
  { name: 'SKIP LOCKED', file: 'claim', server: 'postgres' },
  {
    name: 'SKIP LOCKED, synchronous_commit=off',
    file: 'claim',
    server: 'postgres',
    options: { lossy: true },
  },
  { name: 'pg-boss 12.35', file: 'pg-boss', server: 'postgres' },
  { name: 'graphile-worker 0.18', file: 'graphile-worker', server: 'postgres' },
  { name: 'BullMQ 6.7 on Redis, AOF always', file: 'bullmq', server: 'redis' },
  { name: 'DBOS 5.3', file: 'dbos', server: 'postgres' },
];

let databases = 0;

async function prepare(engine: Engine, server: Server): Promise<object> {
  databases += 1;
  if (engine.server === 'redis')
    return { redis: { host: '127.0.0.1', port: server.port, db: databases % 16 }, ...engine.options };
  const name = `engine${databases}`;
  const url = `postgres://darkroom@127.0.0.1:${server.port}/`;
  const client = new pg.Client(`${url}postgres`);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return { postgres: url + name, ...engine.options };
}

const start = (engine: Engine, options: object): ChildProcess =>
  fork(new URL('engines/worker.mjs', import.meta.url), [engine.file, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

const message = (child: ChildProcess, is: (value: unknown) => boolean): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.on('message', (value) => {
      if (is(value)) resolve(value);
    });
    child.once('exit', () => reject(new Error('a process of the engine ended')));
  });

async function begin(engine: Engine, server: Server, jobs: number, processes: number, holdMs?: number) {
  const options = await prepare(engine, server);
  const seeding = start(engine, { ...options, seed: jobs });
  await new Promise((resolve) => seeding.once('exit', resolve));
  const children = Array.from({ length: processes }, (_, index) =>
    start(engine, { ...options, index, processes, holdMs }),
  );
  const ready = Promise.all(children.map((child) => message(child, (value) => value === 'ready')));
  const isReady = await Promise.race([ready.then(() => true), pause(LONGEST_START_MS, false)]);
  if (isReady) return children;
  ready.catch(() => undefined);
  for (const child of children) child.kill('SIGKILL');
  throw new Error(`not started within ${LONGEST_START_MS / 1000} s`);
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

async function measure(engine: Engine, server: Server, jobs: number, processes: number): Promise<string> {
  const children = await begin(engine, server, jobs, processes);
  await pause(WARM_UP_MS);
  for (const child of children) child.send('measure');
  const [cpuBefore, began] = [server.cpuMs(), performance.now()];
  await pause(seconds * 1000);
  const reports = children.map((child) =>
    message(child, (value) => typeof value === 'object' && value !== null && 'steps' in value),
  );
  for (const child of children) child.send('report');
  const late = (await Promise.all(reports)).flatMap((report) => (report as { steps: number[] }).steps);
  const [cpuMs, tookMs] = [server.cpuMs() - cpuBefore, performance.now() - began];
  for (const child of children) child.kill('SIGKILL');
  late.sort((one, other) => one - other);
  const perSecond = Math.round((late.length * 1000) / tookMs);
  return `${perSecond}/s, late ${percentile(late, 0.5)}/${percentile(late, 0.99)} ms, server ${(cpuMs / late.length).toFixed(2)} ms`;
}

/** From `kill -9` of one of two processes until another has begun every step that it had in hand. */
async function takeover(engine: Engine, server: Server): Promise<string> {
  const children = await begin(engine, server, 50, 2, HOLD_MS);
  const [victim, other] = children;
  if (victim === undefined || other === undefined) return '-';
  const inHand = new Set<number>();
  victim.on('message', (value: { began?: number; ended?: number }) => {
    if (value.began !== undefined) inHand.add(value.began);
    if (value.ended !== undefined) inHand.delete(value.ended);
  });
  other.on('message', ({ began }: { began?: number }) => {
    if (victim.killed && began !== undefined) inHand.delete(began);
  });
  while (inHand.size < 5) await pause(20);
  victim.kill('SIGKILL');
  const at = performance.now();
  while (inHand.size > 0 && performance.now() - at < LONGEST_TAKEOVER_MS) await pause(20);
  const took = performance.now() - at;
  other.kill('SIGKILL');
  return inHand.size > 0 ? `not within ${LONGEST_TAKEOVER_MS / 1000} s` : `${(took / 1000).toFixed(1)} s`;
}

const chosen = ENGINES.filter(({ file }) => wanted.length === 0 || wanted.includes(file));
const servers: Partial<Record<Engine['server'], Server>> = {};
try {
  for (const engine of chosen) {
    servers[engine.server] ??= await (engine.server === 'redis' ? startRedis() : startPostgres());
    const server = servers[engine.server];
    if (server === undefined) continue;
    process.stdout.write(`\n${engine.name}\n`);
    const tried = async (what: string, work: () => Promise<string>): Promise<void> => {
      const said = await work().catch((error: unknown) => `failed: ${String(error)}`);
      process.stdout.write(`  ${what}: ${said}\n`);
    };
    for (const jobs of SIZES)
      for (const processes of PROCESSES)
        await tried(`${jobs} jobs, ${processes} processes`, () => measure(engine, server, jobs, processes));
    await tried('taken over after kill -9', () => takeover(engine, server));
  }
} finally {
  for (const server of Object.values(servers)) server.stop();
}
process.exit();
