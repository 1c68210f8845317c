import { Client } from 'pg';
import { type PostgresCluster, startPostgresCluster } from '../../../fakes/postgres-cluster.ts';

/** A primary whose commits wait for its standby, which takes its place when it is lost. */
export interface WithStandby {
  /** Of the primary. */
  port(): number;
  crash(): Promise<void>;
  /** The primary is lost, its standby is promoted and gets a new standby: nothing is committed before that. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

async function run(on: PostgresCluster, ...statements: readonly string[]): Promise<void> {
  const client = new Client(on.url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const followerOf = ({ url }: PostgresCluster) => startPostgresCluster({}, undefined, url);

export async function startWithStandby(): Promise<WithStandby> {
  let primary = await startPostgresCluster();
  await run(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
  let standby = await followerOf(primary);
  return {
    port: () => primary.port,
    crash: () => primary.crash(),
    async failOver() {
      await primary.stop();
      primary = standby;
      await run(primary, 'SELECT pg_promote()');
      standby = await followerOf(primary);
    },
    async stop() {
      await primary.stop();
      await standby.stop();
    },
  };
}
