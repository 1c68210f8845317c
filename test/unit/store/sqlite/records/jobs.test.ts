import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
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

it('every statement that a story of jobs needs uses an index of the SQLite store', async () => {
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
  const raw = new DatabaseSync(place.url.slice('sqlite:'.length));
  raw.function('next_seq', (_table: unknown) => 1);
  raw.function('clock', () => 1);
  const plan = (query: string): string =>
    raw
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; ');

  const questions = [...statements].filter((text) => /^\s*(SELECT|UPDATE|DELETE|WITH)\b/.test(text));
  // After a change of keys everything is read once, a batch at a time: that is no matter of an index. Erasures are few.
  const all = questions.filter(
    (text) =>
      /\b(jobs|usage|charges|audit|entries|removed|acceptances)\b/.test(text) &&
      !/substr\(|FROM erasures/.test(text),
  );

  expect(all.length).toBeGreaterThan(25);

  for (const query of all) {
    // `jobs_places` has only jobs in line, so reading all of it is right.
    expect(plan(query), query).toMatch(/SEARCH|SCAN CONSTANT ROW|INDEX jobs_(places|taken_up|held)/);
    // Every order asks for the person's open jobs: these are found without reading all that the person ever had.
    if (/held IS NULL/.test(query))
      expect(plan(query), query).toMatch(/INDEX jobs_due_(polls|results|others)/);
    if (/owner = \?\d* AND finished_at IS NULL (AND again_of|ORDER|$)/.test(query))
      expect(plan(query), query).toContain('jobs_open');
    // Acceptances are those of about a minute, and removing old ones reads them all.
    expect(plan(query), query).not.toMatch(
      /SCAN (jobs|usage|charges|audit|entries|removed)(?! USING (COVERING )?INDEX (jobs_taken_up|jobs_held|jobs_places))/,
    );
    if (/passed = 0\s+AND NOT EXISTS/.test(query))
      expect(plan(query), query).toContain('INDEX jobs_line (line=?)');
    if (/turn, seq\) </.test(query))
      expect(plan(query), query).toMatch(
        /(COVERING INDEX jobs_places \(turn<|INDEX jobs_line_of \(turn_of=\? AND turn<)/,
      );
    // SQLite describes a smallest value that no index gives as a SEARCH of the whole table. The last row needs no index.
    if (!/max\(seq\)/.test(query)) expect(plan(query), query).not.toMatch(/SEARCH \w+(;|$)/);
  }
  raw.close();
});
