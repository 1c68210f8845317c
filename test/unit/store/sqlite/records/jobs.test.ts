import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SqliteStore } from '../../../../../src/store/sqlite/store.ts';
import { insert } from '../../../../contract/store/suite/driver.ts';
import { jobWith } from '../../../../fakes/job.ts';
import { createStoreFile, keyOf, sampleJob } from '../open-store.ts';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

/** Everything that is asked of a store. */
async function useAll(store: SqliteStore): Promise<void> {
  const gates = { key: 'trial', token: 'open' } as const;
  const [limits, person] = [{ perPerson: 1, inAll: 5 }, 'discord:424242424242'];
  const [first, second] = [sampleJob({ againOf: 'button' }), sampleJob()];
  await insert(store, first, second);
  await store.jobs.take({ limits, gates, without: ['discord:1'] });
  await store.jobs.release('submission', first.id);
  await store.jobs.place(second.id);
  await store.jobs.expectedPlace(person, limits);
  await store.jobs.counts();
  const running = await store.jobs.save(second, jobWith({ ...second, state: 'running', charge: 'spent' }));
  const polled = running && (await store.jobs.save(running, { ...running, looks: 1 }, 'lossy', 'release'));
  for (const kind of ['polls', 'results', 'others'] as const) {
    await store.jobs.claim(kind, file.time.now, 5);
    await store.jobs.nextDue(kind);
    await store.jobs.release(kind, second.id);
  }
  if (polled !== undefined) await store.jobs.save(polled, jobWith({ ...polled, state: 'delivering' }));
  for await (const _ of store.jobs.abandoned());
  await store.jobs.unsettled(file.time.now, 5);
  await store.jobs.ofPerson(person, 5);
  await store.jobs.byOrigin(first.origin);
  await store.jobs.remove(first.id);
  await store.communityList.page(['settings'], 5);
  await store.jobSearch.find({ person }, 5);
  await store.usage.community('2026-01-05', 'discord:777777777');
  await store.usage.peopleOn(['2026-01-05'], ['discord:777777777']);
  await store.usage.creditsOn(['2026-01-05'], ['discord:777777777']);
  await store.usage.totalsOn(['2026-01-05']);
  await store.audit.recent('discord:1', 5, { actor: person, actions: ['job'] });
  await store.audit.recent('discord:1', 5, { actions: ['alias'] });
  for await (const _ of store.audit.since(0, 'discord:1'));
  const drafts = store.keyv('drafts', { ownerOf: (key) => key });
  await drafts.update('a', () => 1);
  await drafts.update('a', () => 2);
  await drafts.bytes();
  for await (const _ of drafts.iterator());
  await drafts.delete('a');
  await store.erasures.more(await store.erasures.begin(person), 5);
  await store.sweep();
}

it('uses an index for every query', async () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  await useAll(await file.open([keyOf(3)]));
  const statements = new Set(prepared.mock.calls.map(([text]) => text));
  prepared.mockRestore();
  file.close();
  const raw = new DatabaseSync(file.path);
  raw.function('next_seq', (_table: unknown) => 1);
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
    // The index of those in line has no others.
    expect(plan(query), query).toMatch(/SEARCH|SCAN CONSTANT ROW|INDEX jobs_(places|taken_up|held)/);
    // Not all that the person ever had, to find the few that are open: every order asks for these.
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
    // So SQLite describes the smallest value of a whole table that no index gives; the last row needs none.
    if (!/max\(seq\)/.test(query)) expect(plan(query), query).not.toMatch(/SEARCH \w+(;|$)/);
  }
  raw.close();
});
