import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';

/** One workflow for each job that sleeps durably between its steps: what its documentation suggests. */
const perJob = new Map();
let step;
let pool;

const look = DBOS.registerWorkflow(
  async (id, due) => {
    let at = due;
    for (;;) {
      const wait = at - Date.now();
      if (wait > 0) await DBOS.sleep(wait);
      at = await DBOS.runStep(async () => {
        const next = await step(at, id);
        await pool.query('UPDATE records SET body = $2 WHERE id = $1', [id, next.body]);
        return next.due;
      });
    }
  },
  { name: 'look' },
);

async function launch(postgres) {
  DBOS.setConfig({ name: 'looks', systemDatabaseUrl: postgres, runAdminServer: false, logLevel: 'error' });
  await DBOS.launch();
}

export async function seed({ postgres }, jobs) {
  const client = new pg.Client(postgres);
  await client.connect();
  await client.query('CREATE TABLE records (id int PRIMARY KEY, body text NOT NULL, due bigint NOT NULL)');
  await client.query('INSERT INTO records SELECT * FROM unnest($1::int[], $2::text[], $3::bigint[])', [
    jobs.map(({ id }) => id),
    jobs.map(({ body }) => body),
    jobs.map(({ due }) => due),
  ]);
  await client.end();
  // Several processes that migrate an empty database at once would fail.
  await launch(postgres);
  await DBOS.shutdown();
}

export async function work({ postgres, index, processes }, stepOf) {
  step = stepOf;
  pool = new pg.Pool({ connectionString: postgres, max: 8 });
  await launch(postgres);
  const { rows } = await pool.query('SELECT id, due FROM records WHERE id % $1 = $2', [processes, index]);
  for (const { id, due } of rows) perJob.set(id, await DBOS.startWorkflow(look)(id, Number(due)));
}
