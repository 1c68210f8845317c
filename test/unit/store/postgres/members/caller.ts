/** A process that makes calls at the pace it shares with others, and tells when each began by the machine's monotonic clock. */
import { Pool } from 'pg';
import { createSharedCalls } from '../../../../../src/orchestrator/service/shared-pacing.ts';
import { createSharedPace } from '../../../../../src/store/postgres/members/pace.ts';

const [, , url, perSecond, count] = process.argv;
const pool = new Pool({ connectionString: url, max: 2 });
pool.on('error', () => undefined);
const pace = createSharedPace(
  async (text, values) => (await pool.query(text, [...values])).rows,
  'the service',
);
const calls = createSharedCalls(Number(perSecond), pace);
await Promise.all(
  Array.from({ length: Number(count) }, () =>
    calls.pace('poll', async () => console.log(String(process.hrtime.bigint() / 1_000n))),
  ),
);
await pool.end();
