import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { listen } from '../listen.ts';
import { postgresPrograms } from '../needs.ts';

/** A PostgreSQL server of one test alone, on loopback, in a folder that goes with it. */
export interface PostgresCluster {
  readonly port: number;
  /** The address of the database that every cluster has; anybody on this machine may connect. */
  readonly url: string;
  readonly folder: string;
  readonly diskMb: number | undefined;
  postmaster(): number;
  /** Makes the server crash: sessions are cut off, and it recovers from its log, as a standby if so wanted. */
  crash(asStandby?: boolean): Promise<void>;
  stop(): Promise<void>;
}

const USER = 'darkroom';
const isRoot = process.getuid?.() === 0;

/** The command that runs a program as another user where this one is root, as whom PostgreSQL refuses to run. */
export function asPostgres(command: string, args: readonly string[]): [string, string[]] {
  return isRoot ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, [...args]];
}

/** What differs from a server with PostgreSQL's own settings. */
interface ClusterOptions {
  readonly settings?: Readonly<Record<string, string | number>>;
  /** The tables, not the log, are in a file system of their own of this size, which only root can make. */
  readonly diskMb?: number;
  /** The address of the primary that the server follows. */
  readonly standbyOf?: string;
}

/** Makes a cluster, starts its server, and resolves when that takes queries. */
export async function startPostgresCluster({
  settings = {},
  diskMb,
  standbyOf,
}: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = postgresPrograms;
  if (programs === undefined)
    throw new Error("PostgreSQL's programs are missing: install postgresql, or set POSTGRES_BIN.");
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-postgres-'));
  const data = join(folder, 'data');
  const wal = join(folder, 'wal');
  if (diskMb !== undefined) {
    mkdirSync(data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', data]);
  }
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const quiet = { cwd: folder, stdio: 'ignore' } as const;
  if (standbyOf === undefined) {
    const own = ['-D', data, '-X', wal, '-U', USER, '-A', 'trust'];
    execFileSync(...asPostgres(join(programs, 'initdb'), own), quiet);
  } else {
    const copy = ['-D', data, '--waldir', wal, '-d', standbyOf, '-R', '-c', 'fast'];
    execFileSync(...asPostgres(join(programs, 'pg_basebackup'), copy), quiet);
  }
  const port = await freePort();
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    ...settings,
  };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const postmaster = (): number => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const start = async (): Promise<() => Promise<void>> => {
    const child = spawn(...asPostgres(join(programs, 'postgres'), args), quiet);
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await answers(port);
    const abandon = (): void => void process.kill(postmaster(), 'SIGQUIT');
    process.once('exit', abandon);
    return async () => {
      process.off('exit', abandon);
      // PostgreSQL takes SIGQUIT for an immediate shutdown, as after a crash.
      abandon();
      await exited;
    };
  };
  let end = await start();
  return {
    port,
    url: urlOf(port),
    folder,
    diskMb,
    postmaster,
    async crash(asStandby = false) {
      await end();
      if (asStandby) writeFileSync(join(data, 'standby.signal'), '');
      else rmSync(join(data, 'standby.signal'), { force: true });
      end = await start();
    },
    async stop() {
      await end();
      if (diskMb !== undefined) execFileSync('umount', [data]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the server takes queries, because it listens before it has recovered. */
async function answers(port: number): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const client = new Client(urlOf(port));
    client.on('error', () => undefined);
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    return isConnected;
  };
  await eventually(isReady, `PostgreSQL on port ${port}`);
}

const urlOf = (port: number): string => `postgres://${USER}@127.0.0.1:${port}/postgres`;

/** Whether somebody listens on this port of this machine. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Answers every connection as a server that refuses it. */
export async function refusingServer(code: string, words: string) {
  const text = `SFATAL\0VFATAL\0C${code}\0M${words}\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + text.length);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(text)])));
  });
  return { port: Number(new URL(await listen(server)).port), close: () => void server.close() };
}

/** Whether a cluster can have a disk of its own. */
export const canMount = ((): boolean => {
  if (!isRoot) return false;
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();

/** Leaves no room on the cluster's own disk, until what is returned is called. */
export function fillDisk({ folder, diskMb }: PostgresCluster): () => void {
  if (diskMb === undefined) throw new Error('The cluster has no disk of its own.');
  const filler = join(folder, 'data', 'filler');
  try {
    writeFileSync(filler, Buffer.alloc(diskMb * 1024 * 1024));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
  return () => rmSync(filler);
}
