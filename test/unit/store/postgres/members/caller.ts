/**
 * A process that makes calls at the pace it shares with others, and tells when each began by the machine's monotonic clock.
 * `stallMs`: how long it freezes now and then.
 */
import { Pool } from 'pg';
import { createSharedPacing } from '../../../../../src/orchestrator/service/shared-pacing.ts';
import { createSharedPace } from '../../../../../src/store/postgres/members/pace.ts';

const [, , url, perSecond, count, stallMs] = process.argv;
const freeze = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(stallMs));
const freezing = setInterval(freeze, 150);
const pool = new Pool({ connectionString: url, max: 2 });
pool.on('error', () => undefined);

const pace = createSharedPace(
  async (text, values = []) => (await pool.query(text, [...values])).rows,
  'the service',
);

const calls = createSharedPacing(Number(perSecond), pace);

await Promise.all(
  Array.from({ length: Number(count) }, () =>
    calls.pace('poll', async () => console.log(String(process.hrtime.bigint() / 1_000n))),
  ),
);

clearInterval(freezing);
await pool.end();
