import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStoreFile, keyOf } from '../open-store.ts';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

it('uses an index for every query', () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  file.open([keyOf(3)]).keyv('drafts', { ownerOf: (key) => key });
  const statements = new Set(prepared.mock.calls.map(([text]) => text));
  prepared.mockRestore();
  file.close();
  const raw = new DatabaseSync(file.path);
  const plan = (query: string): string =>
    raw
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; ');
  const questions = [...statements].filter((text) => /^\s*(SELECT|UPDATE|DELETE)\b/.test(text));
  // After a change of keys everything is read once, a batch at a time: that is no matter of an index. Erasures are few.
  const all = questions.filter(
    (text) =>
      /\b(jobs|usage|charges|audit|entries|removed|acceptances)\b/.test(text) &&
      !/substr\(|FROM erasures/.test(text),
  );
  expect(all.length).toBeGreaterThan(25);
  for (const query of all) {
    // The index of those in line has no others.
    expect(plan(query), query).toMatch(/SEARCH|SCAN CONSTANT ROW|INDEX jobs_places/);
    // Not all that the person ever had, to find the few that are open: every order asks for these.
    if (/held IS NULL/.test(query))
      expect(plan(query), query).toMatch(/INDEX jobs_due_(polls|results|others)/);
    if (/owner = \? AND finished_at IS NULL/.test(query)) expect(plan(query), query).toContain('jobs_open');
    if (/turn_of = \? AND finished_at IS NULL/.test(query))
      expect(plan(query), query).toContain('jobs_turns');
    // Acceptances are those of about a minute, and removing old ones reads them all.
    expect(plan(query), query).not.toMatch(
      /SCAN (jobs|usage|charges|audit|entries|removed)(?! USING (COVERING )?INDEX (jobs_taken_up|jobs_places))/,
    );
    if (/passed = 0 AND turn_of NOT IN/.test(query))
      expect(plan(query), query).toContain('INDEX jobs_line (line=?)');
    if (/turn, seq\) </.test(query))
      expect(plan(query), query).toMatch(
        /(COVERING INDEX jobs_places \(turn<|INDEX jobs_line_of \(turn_of=\? AND turn<)/,
      );
    // So SQLite describes the smallest value of a whole table that no index gives; the last row needs none.
    if (!/max\(seq\)/.test(query)) expect(plan(query), query).not.toMatch(/SEARCH \w+(;|$)/);
  }
  raw.close();
});
