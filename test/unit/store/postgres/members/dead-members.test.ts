// @module-tag slow
import { describe, expect, it } from 'vitest';
import { DEAD_MEMBERS } from '../../../../../src/store/postgres/members/lock-keys.ts';
import { createPostgres } from '../../../../contract/store/suite/postgres-driver.ts';

describe('the search for jobs of the dead', { tags: ['postgres'] }, () => {
  it('the search for jobs of dead processes finds every process that is not alive, and reads few of many jobs', async () => {
    const postgres = createPostgres();

    const place = await postgres.create();
    const { members } = await place.join();
    await place.sql(
      `INSERT INTO jobs (id, origin, owner, community, state, created_at, version, member, body)
       SELECT n, n, 'o', 'c', 'running', 0, 1, CASE WHEN n <= 3 THEN 'dead' || n ELSE '1' END, ''
       FROM generate_series(1, 5000) AS n`,
    );
    await place.sql('ANALYZE jobs');
    const dead = await place.sql(DEAD_MEMBERS, members.id(), true);

    expect(dead.map(({ member }) => member).toSorted()).toEqual(['dead1', 'dead2', 'dead3']);

    const plan = await place.sql(`EXPLAIN (ANALYZE, FORMAT JSON) ${DEAD_MEMBERS}`, members.id(), true);
    const text = JSON.stringify(plan);
    expect(text).toContain('jobs_member');

    const rows = [...text.matchAll(/"Relation Name":"jobs".*?"Actual Rows":(\d+)/g)].map(([, n]) =>
      Number(n),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(Math.max(...rows)).toBeLessThanOrEqual(1);

    await place.remove();
    await postgres.end();
  });
});
