import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it, vi } from 'vitest';
import type { JobQuery } from '../../../../../src/store/tables/job-search.ts';
import { keyOf } from '../../../../fakes/store-file.ts';
import { createPlace, openAt } from '../../../../fakes/story/place.ts';
import { saidOf } from '../../../../fakes/story/said.ts';
import { BEGIN, playStory } from '../../../../fakes/story/story.ts';

const searches: readonly JobQuery[] = [
  {},
  { state: 'done' },
  { state: 'failed' },
  { state: 'running' },
  { kind: 'self-prompt' },
  { community: 'discord:1' },
  { person: 'discord:2' },
  { person: 'discord:2', community: 'discord:1', kind: 'self-prompt', state: 'failed' },
];

/** A statement of the store, and how SQLite carries it out. */
interface Planned {
  readonly text: string;
  readonly plan: string;
}

/** Plays a story of jobs in a SQLite store; the plans of all statements that it needed. */
const playedStory = async (): Promise<readonly Planned[]> => {
  await using place = await createPlace('sqlite');
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const time = { now: BEGIN };
  const opened = await openAt(place.url, [keyOf(3)], time);
  await playStory(opened, time);
  for (const query of searches) await opened.store.jobSearch.find(query, 5, { createdAt: 5, seq: 5 });
  await opened.close();
  await saidOf(place, [keyOf(3)]);
  const statements = new Set(prepared.mock.calls.map(([text]) => text));
  prepared.mockRestore();

  using raw = new DatabaseSync(place.url.slice('sqlite:'.length));
  raw.function('next_seq', (_table: unknown) => 1);
  raw.function('clock', () => 1);
  const planOf = (text: string): string =>
    raw
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; ');

  return (
    [...statements]
      .filter((text) => /^\s*(SELECT|UPDATE|DELETE|WITH)\b/.test(text))
      .filter((text) => /\b(jobs|usage|charges|audit|entries|removed|acceptances)\b/.test(text))
      // After a change of keys everything is read once, a batch at a time: that is no matter of an index.
      .filter((text) => !/substr\(/.test(text))
      .map((text) => ({ text, plan: planOf(text) }))
  );
};

let statements: readonly Planned[];

beforeAll(async () => {
  statements = await playedStory();
});

it('every statement that a story of jobs needs uses an index of the SQLite store', () => {
  expect(statements.length).toBeGreaterThan(60);

  for (const { text, plan } of statements) {
    // `jobs_places` has only jobs in line, so reading all of it is right.
    expect(plan, text).toMatch(/SEARCH|SCAN CONSTANT ROW|INDEX jobs_(places|taken_up|held)/);
    // Acceptances are those of about a minute, and removing old ones reads them all.
    expect(plan, text).not.toMatch(
      /SCAN (jobs|usage|charges|audit|entries|removed)(?! USING (COVERING )?INDEX (jobs_taken_up|jobs_held|jobs_places))/,
    );
  }
});

it('no statement that a story of jobs needs searches a whole table of the SQLite store', () => {
  // SQLite describes a smallest value that no index gives as a SEARCH of the whole table. The last row needs no index.
  const others = statements.filter(({ text }) => !/max\(seq\)/.test(text));

  expect(others.filter(({ plan }) => /SEARCH \w+(;|$)/.test(plan))).toEqual([]);
});

it.each([
  {
    what: 'due jobs',
    asking: /held IS NULL/,
    index: /INDEX jobs_due_(polls|results|others)/,
  },
  {
    // Every order asks for them, and must not read all that its person ever had.
    what: 'a person’s open jobs',
    asking: /owner = \?\d* AND finished_at IS NULL\b/,
    index: /jobs_open/,
  },
  {
    what: 'the jobs in line',
    asking: /passed = 0\s+AND NOT EXISTS/,
    index: /INDEX jobs_line \(line=\?\)/,
  },
  {
    what: 'the jobs before another in line',
    asking: /\.turn, \w+\.seq\) </,
    index: /(COVERING INDEX jobs_places \(turn<|INDEX jobs_line_of \(turn_of=\? AND turn<)/,
  },
])('every statement for $what uses the index that is made for it', ({ asking, index }) => {
  const those = statements.filter(({ text }) => asking.test(text));

  expect(those).not.toEqual([]);
  for (const { text, plan } of those) expect(plan, text).toMatch(index);
});
