import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';

const quiet = new Logger(() => () => undefined);
const AT_ONCE = 32;

export async function seed({ postgres }, jobs) {
  const client = new pg.Client(postgres);
  await client.connect();
  await client.query('CREATE TABLE records (id int PRIMARY KEY, body text NOT NULL)');
  await client.query('INSERT INTO records SELECT * FROM unnest($1::int[], $2::text[])', [
    jobs.map(({ id }) => id),
    jobs.map(({ body }) => body),
  ]);
  await client.end();
  const utils = await makeWorkerUtils({ connectionString: postgres, logger: quiet });
  await utils.migrate();
  await utils.addJobs(
    jobs.map(({ id, due, body }) => ({
      identifier: 'look',
      payload: { id, due, body },
      runAt: new Date(due),
    })),
  );
  await utils.release();
}

export async function work({ postgres }, step) {
  const pool = new pg.Pool({ connectionString: postgres, max: 10 });
  await run({
    pgPool: pool,
    concurrency: AT_ONCE,
    pollInterval: 100,
    noHandleSignals: true,
    logger: quiet,
    taskList: {
      look: async ({ id, due }, { addJob }) => {
        const next = await step(due, id);
        await pool.query('UPDATE records SET body = $2 WHERE id = $1', [id, next.body]);
        await addJob('look', { id, ...next }, { runAt: new Date(next.due) });
      },
    },
  });
}
