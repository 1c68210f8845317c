import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialect } from '../../../../../src/store/sqlite/driver.ts';
import { candidateQuery } from '../../../../../src/store/tables/job-search.ts';
import type { Place } from '../../../../contract/store/suite/driver.ts';
import { sqlite } from '../../../../contract/store/suite/sqlite-driver.ts';

describe('the search for jobs', () => {
  let place: Place;
  beforeEach(async () => {
    place = await sqlite.create();
    await place.open();
  });
  afterEach(() => place.remove());

  it.each([
    [{}],
    [{ state: 'done' }],
    [{ state: 'failed' }],
    [{ state: 'running' }],
    [{ kind: 'self-prompt' }],
    [{ community: 'discord:1' }],
    [{ person: 'discord:2' }],
    [{ person: 'discord:2', community: 'discord:1', kind: 'self-prompt', state: 'failed' }],
  ] as const)('goes on by an index from where a page ended: %j', async (query) => {
    const after = { createdAt: 5, seq: 5 };
    const { text, values } = candidateQuery(query, after, dialect.unfinishedJobs, (id) => id, 10);
    const plan = (await place.sql(`EXPLAIN QUERY PLAN ${text}`, ...values)).map(({ detail }) =>
      String(detail),
    );
    expect(plan.filter((step) => step.startsWith('SCAN jobs'))).toEqual([]);
    expect(plan.some((step) => step.startsWith('SEARCH jobs USING'))).toBe(true);
  });
});
