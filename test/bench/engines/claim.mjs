import pg from 'pg';

/** The plain way: the index on the due time is the queue, claimed with SKIP LOCKED under a lease of five seconds. */
const LEASE_MS = 5_000;
const BATCH = 32;
const AT_ONCE = 64;

export async function seed({ postgres }, jobs) {
  const client = new pg.Client(postgres);
  await client.connect();
  await client.query(`
    CREATE TABLE jobs (id int PRIMARY KEY, due bigint NOT NULL, held_until bigint NOT NULL DEFAULT 0, body text NOT NULL)
      WITH (fillfactor = 70);
    CREATE INDEX jobs_due ON jobs (greatest(due, held_until));
  `);
  await client.query(
    'INSERT INTO jobs (id, due, body) SELECT * FROM unnest($1::int[], $2::bigint[], $3::text[])',
    [jobs.map(({ id }) => id), jobs.map(({ due }) => due), jobs.map(({ body }) => body)],
  );
  await client.end();
}

export async function work({ postgres, lossy }, step) {
  const pool = new pg.Pool({
    connectionString: postgres,
    max: 8,
    options: lossy ? '-c synchronous_commit=off' : '',
  });
  let inHand = 0;
  let claiming = false;
  const look = async ({ id, due }) => {
    inHand += 1;
    const next = await step(Number(due), id);
    await pool.query({
      name: 'save',
      text: 'UPDATE jobs SET due = $2, held_until = 0, body = $3 WHERE id = $1',
      values: [id, next.due, next.body],
    });
    inHand -= 1;
  };
  const claim = async () => {
    if (claiming || inHand >= AT_ONCE) return;
    claiming = true;
    const now = Date.now();
    const { rows } = await pool.query({
      name: 'claim',
      text: `UPDATE jobs SET held_until = $2 WHERE id IN (SELECT id FROM jobs WHERE greatest(due, held_until) <= $1
        ORDER BY greatest(due, held_until) LIMIT $3 FOR UPDATE SKIP LOCKED) RETURNING id, due`,
      values: [now, now + LEASE_MS, Math.min(BATCH, AT_ONCE - inHand)],
    });
    claiming = false;
    for (const row of rows) void look(row);
    if (rows.length === BATCH) void claim();
  };
  setInterval(() => void claim(), 10);
}
