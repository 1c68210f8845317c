import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSharedPace } from '../../../../../src/store/postgres/members/pace.ts';
import { memberTables } from '../../../../../src/store/postgres/members/tables.ts';
import { createTestDatabase, postgresUrl } from '../../../../fakes/postgres.ts';

const program = new URL('./caller.ts', import.meta.url).pathname;
const perSecond = 50;

const callsOf = async (url: string, count: number): Promise<number[]> => {
  const child = spawn(process.execPath, [program, url, String(perSecond), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed.trim().split('\n').map(Number);
};

describe.skipIf(postgresUrl === undefined)('a pace that processes share', () => {
  it('is not exceeded by four processes in any second', async () => {
    await using database = await createTestDatabase();
    await database.query(memberTables);
    const each = await Promise.all([120, 80, 60, 40].map((count) => callsOf(database.url, count)));
    const times = each.flat().sort((a, b) => a - b);
    expect(times).toHaveLength(300);
    for (const [index, at] of times.entries()) {
      const next = times[index + perSecond];
      if (next !== undefined) expect((next - at) / 1_000).toBeGreaterThan(1_000);
    }
    const span = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1e6;
    if (process.env.TELL) console.log(`${(times.length / span).toFixed(1)} calls a second`);
  });

  it('keeps its times apart when the clock of the database is set back, and when the row is gone', async () => {
    await using database = await createTestDatabase();
    await database.query(memberTables);
    const pace = createSharedPace((sql, values) => database.query(sql, [...values]), 'x');
    const [first = 0] = (await pace.reserve(1, 100)).delaysMs;
    expect(first).toBeGreaterThan(500);
    await database.query("UPDATE pace SET next = clock_timestamp() + interval '1 hour'");
    const [ahead = 0] = (await pace.reserve(1, 100)).delaysMs;
    expect(ahead).toBeLessThanOrEqual(60_000);
    await database.query('TRUNCATE pace');
    const [one = 0, two = 0] = (await pace.reserve(2, 100)).delaysMs;
    expect(one).toBeGreaterThan(500);
    expect(two - one).toBeCloseTo(100);
  });
});
