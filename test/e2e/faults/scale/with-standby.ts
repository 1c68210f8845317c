import { Client } from 'pg';
import { type PostgresCluster, startPostgresCluster } from '../../../fakes/postgres-cluster.ts';

async function run(on: PostgresCluster, ...statements: readonly string[]): Promise<void> {
  const client = new Client(on.url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const followerOf = ({ url }: PostgresCluster) => startPostgresCluster({ standbyOf: url });

/** A primary whose commits wait for its standby, which takes its place when it is lost. */
export async function startWithStandby() {
  let primary = await startPostgresCluster();
  await run(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
  let standby = await followerOf(primary);
  return {
    port: () => primary.port,
    crash: () => primary.crash(),
    /** The primary is lost; its standby is promoted and gets a new standby, before which nothing is committed. */
    async failOver(): Promise<void> {
      await primary.stop();
      primary = standby;
      await run(primary, 'SELECT pg_promote()');
      standby = await followerOf(primary);
    },
    async stop(): Promise<void> {
      await primary.stop();
      await standby.stop();
    },
  };
}
