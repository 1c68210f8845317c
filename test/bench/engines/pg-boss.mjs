import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';

const QUEUE = 'looks';
const AT_ONCE = 64;
const LOOPS = 4;

const open = async (postgres, options) => {
  const boss = new PgBoss({ connectionString: postgres, max: 8, ...options });
  boss.on('error', () => undefined);
  await boss.start();
  return boss;
};
const jobOf = ({ id, due, body }) => ({ data: { id, due, body }, startAfter: new Date(due) });

export async function seed({ postgres }, jobs) {
  const client = new pg.Client(postgres);
  await client.connect();
  await client.query('CREATE TABLE records (id int PRIMARY KEY, body text NOT NULL)');
  await client.query('INSERT INTO records SELECT * FROM unnest($1::int[], $2::text[])', [
    jobs.map(({ id }) => id),
    jobs.map(({ body }) => body),
  ]);
  await client.end();
  const boss = await open(postgres, { supervise: false });
  await boss.createQueue(QUEUE, { expireInSeconds: 10 });
  await boss.insert(QUEUE, jobs.map(jobOf));
  await boss.stop();
}

export async function work({ postgres }, step) {
  const pool = new pg.Pool({ connectionString: postgres, max: 4 });
  const boss = await open(postgres, {
    supervise: true,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  const look = async () => {
    const jobs = await boss.fetch(QUEUE, { batchSize: AT_ONCE });
    if (jobs.length === 0) return;
    const next = await Promise.all(
      jobs.map(async ({ data }) => ({ id: data.id, ...(await step(data.due, data.id)) })),
    );
    await pool.query(
      'UPDATE records SET body = new.body FROM unnest($1::int[], $2::text[]) AS new (id, body) WHERE records.id = new.id',
      [next.map(({ id }) => id), next.map(({ body }) => body)],
    );
    await boss.insert(QUEUE, next.map(jobOf));
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
    );
  };
  // Its own worker looks twice a second at the most; fetched like this it is on time.
  for (let loop = 0; loop < LOOPS; loop += 1) void repeat(look);
}

async function repeat(look) {
  for (;;) {
    await look().catch(() => undefined);
    await setTimeout(10);
  }
}
