import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, isListening, startPostgresCluster } from '../../fakes/postgres-cluster.ts';

const TRIES = 100;

/** A server of this benchmark alone, on loopback, in a folder that goes with it. */
export interface Server {
  readonly port: number;
  /** CPU time of all its processes so far. */
  cpuMs(): number;
  stop(): void;
}

export async function startPostgres(): Promise<Server> {
  const cluster = await startPostgresCluster();
  return {
    port: cluster.port,
    cpuMs: () => cpuOf(cluster.postmaster()),
    stop: () => void cluster.stop(),
  };
}

export async function startRedis(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'engines-redis-'));
  const port = await freePort();
  const settings = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
  ];
  const child: ChildProcess = spawn('redis-server', [...settings.map(String), 'always'], { stdio: 'ignore' });
  child.once('error', () => undefined);
  for (let tries = 0; tries < TRIES && !(await isListening(port)); tries += 1) await pause(100);
  const pid = Number(child.pid);
  return {
    port,
    cpuMs: () => cpuOf(pid),
    stop() {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      child.kill('SIGKILL');
    },
  };
}

/** Of a process and its children, those that have ended included. */
function cpuOf(root: number): number {
  const TICK_MS = 10;
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
    } catch {
      continue;
    }
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, user, system, childUser, childSystem] = [
      fields[1],
      fields[11],
      fields[12],
      fields[13],
      fields[14],
    ];
    if (Number(entry) === root) ticks += Number(childUser) + Number(childSystem);
    if (Number(entry) === root || parent === root) ticks += Number(user) + Number(system);
  }
  return ticks * TICK_MS;
}
