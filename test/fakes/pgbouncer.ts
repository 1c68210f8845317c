import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { pgBouncer } from '../needs.ts';
import { asPostgres, isListening } from './postgres-cluster.ts';

/** A real PgBouncer in front of a server, on loopback. */
export interface PgBouncer {
  /** The address of a database, through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer that shares the server’s connections in this mode. */
export async function startPgBouncer(
  serverUrl: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-pgbouncer-'));
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 40
`,
  );
  const [command, args] = asPostgres(pgBouncer, ['-q', settings]);
  if (command !== pgBouncer) execFileSync('chown', ['-R', 'postgres', folder]);
  const child = spawn(command, args, { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const abandon = (): void => void child.kill('SIGTERM');
  process.once('exit', abandon);
  await eventually(() => isListening(port), 'PgBouncer');
  return {
    through(url) {
      const address = new URL(url);
      address.hostname = '127.0.0.1';
      address.port = String(port);
      return address.href;
    },
    async stop() {
      process.off('exit', abandon);
      abandon();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
