// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { memberTables } from '../../../../../src/store/postgres/database/schema.ts';
import { createSharedPace } from '../../../../../src/store/postgres/members/pace.ts';
import { createTestDatabase } from '../../../../fakes/postgres.ts';

const program = new URL('./caller.ts', import.meta.url).pathname;

/** Starts a process that makes calls (`caller.ts`) and freezes now and then, and tells when each call began, in microseconds. */
const callsOf = async (given: {
  readonly url: string;
  readonly perSecond: number;
  readonly count: number;
  readonly stallMs: number;
}): Promise<number[]> => {
  const { url, perSecond, count, stallMs } = given;
  const args = [program, url, `${perSecond}`, `${count}`, `${stallMs}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed.trim().split('\n').map(Number);
};

describe('a pace that processes share', { tags: ['postgres'] }, () => {
  it.each([
    { perSecond: 50, counts: [120, 80, 60, 40] },
    { perSecond: 400, counts: [800, 600, 400, 200] },
  ])(
    'four processes that share a pace of $perSecond exceed it in no second, although three freeze now and then',
    async ({ perSecond, counts }) => {
      await using database = await createTestDatabase();

      await database.query(memberTables);
      const each = await Promise.all(
        counts.map((count, index) => callsOf({ url: database.url, perSecond, count, stallMs: index * 30 })),
      );
      const times = each.flat().sort((a, b) => a - b);

      expect(times).toHaveLength(counts.reduce((sum, count) => sum + count));

      const later = times.slice(perSecond);
      const gapsMs = later.map((at, index) => (at - (times[index] ?? Number.NaN)) / 1_000);
      expect(Math.min(...gapsMs)).toBeGreaterThan(1_000);
    },
  );

  it('a shared pace keeps its times apart when the database’s clock is set back, and when its row is gone', async () => {
    await using database = await createTestDatabase();

    await database.query(memberTables);
    const pace = createSharedPace((sql, values = []) => database.query(sql, [...values]), 'x');

    expect((await pace.reserve(100)).delayMs).toBeGreaterThan(500);

    await database.query("UPDATE pace SET next = clock_timestamp() + interval '1 hour'");
    expect((await pace.reserve(100)).delayMs).toBeLessThanOrEqual(60_000);

    await database.query('TRUNCATE pace');
    expect((await pace.reserve(100)).delayMs).toBeGreaterThan(500);
  });
});
