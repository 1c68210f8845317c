import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PhotoRef } from '../../../../../src/command/photo.ts';
import { type DueKind, ServiceIdTaken } from '../../../../../src/orchestrator/job/records.ts';
import { allOf } from '../../../../all-of.ts';
import { type JobFields, jobWith } from '../../../../fakes/job.ts';
import { createStoreFile, keyOf, sampleJob } from '../open-store.ts';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

const person = 'discord:424242424242';
const community = 'discord:777777777';

describe.each([
  ['plain', []],
  ['encrypted', [keyOf(3)]],
])('job records, %s', (_, keys) => {
  it('are read as they were written', async () => {
    const { jobs } = file.open(keys);
    const job = sampleJob({ due: 5, card: { platform: 'discord', ref: '{"m":1}' } });
    jobs.insert(job);
    expect(await jobs.get(job.id)).toEqual(job);
    expect(await jobs.byOrigin(job.origin)).toEqual(job);
    expect(await file.open(keys).jobs.get(job.id)).toEqual(job);
  });

  it('refuse a write that is based on an older one', async () => {
    const { jobs } = file.open(keys);
    const job = sampleJob();
    jobs.insert(job);
    const first = await jobs.save(
      job,
      jobWith({ ...job, state: 'cancelled', charge: 'returned', finishedAt: 9 }),
    );
    expect(first).toMatchObject({ state: 'cancelled', version: 2 });
    expect(await jobs.save(job, jobWith({ ...job, state: 'submitting' }))).toBeUndefined();
    expect((await jobs.get(job.id))?.state).toBe('cancelled');
  });

  it('refuse an id at the service that another record of the same status family has', async () => {
    const { jobs } = file.open(keys);
    const run = (serviceId: string, more: JobFields = {}) => {
      const job = sampleJob({ ...more, state: 'submitting' });
      jobs.insert(job);
      return {
        job,
        running: () => jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent', serviceId })),
      };
    };
    const first = await run('42').running();
    const second = run('42');
    await expect(second.running()).rejects.toThrow(ServiceIdTaken);
    // Nothing of it was written, the credits included.
    expect(await jobs.get(second.job.id)).toEqual(second.job);
    const { photo, prompt } = second.job.request as { photo: PhotoRef; prompt: string };
    const video = { kind: 'single-frame-video', photo, prompt, model: 'advanced', duration: '4s' } as const;
    expect(await run('42', { request: { ...video, aspect: 'auto' } }).running()).toMatchObject({
      serviceId: '42',
    });
    // It stays taken for as long as the record is there, and for a while after that.
    const done =
      first && (await jobs.save(first, jobWith({ ...first, state: 'done', finishedAt: 9, settled: true })));
    await expect(run('42').running()).rejects.toThrow(ServiceIdTaken);
    await jobs.remove(done?.id ?? '');
    await expect(run('42').running()).rejects.toThrow(ServiceIdTaken);
  });

  it('return due jobs, the longest overdue first', async () => {
    const { jobs } = file.open(keys);
    const [late, later, future, never] = [
      sampleJob({ due: 10 }),
      sampleJob({ due: 20 }),
      sampleJob({ due: 99 }),
      sampleJob(),
    ];
    for (const job of [never, future, later, late]) jobs.insert(job);
    const claim = async (which: DueKind, limit: number) =>
      (await jobs.claim(which, 50, limit)).map(({ id }) => id);
    expect(await jobs.nextDue('others')).toBe(10);
    expect(await claim('others', 1)).toEqual([late.id]);
    expect(await claim('others', 10)).toEqual([later.id]);
    expect(await claim('others', 10)).toEqual([]);
    expect(await jobs.nextDue('others')).toBe(99);
    expect(await claim('polls', 10)).toEqual([]);
    const polled = sampleJob({ state: 'running', due: 30 });
    jobs.insert(polled);
    expect(await claim('polls', 10)).toEqual([polled.id]);
    expect(await jobs.nextDue('polls')).toBeUndefined();
  });

  it('are in hand until they are released, saved with a release, or abandoned by their process', async () => {
    const { jobs } = file.open(keys);
    const [one, two] = [sampleJob({ due: 10 }), sampleJob({ due: 20 })];
    for (const job of [one, two]) jobs.insert(job);
    await jobs.claim('others', 50, 10);
    expect(await jobs.save(one, { ...one, looks: 1 })).toMatchObject({ version: 2 });
    expect(await jobs.claim('others', 50, 10)).toEqual([]);
    await jobs.release('others', one.id);
    const [again] = await jobs.claim('others', 50, 10);
    expect(again).toMatchObject({ id: one.id, version: 2 });
    if (again !== undefined) await jobs.save(again, { ...again, due: 30 }, 'lossy', 'release');
    expect(await jobs.claim('others', 50, 10)).toMatchObject([{ id: one.id, due: 30 }]);
    const next = file.open(keys).jobs;
    expect(await allOf(next.abandoned())).toMatchObject([{ id: one.id }, { id: two.id }]);
    expect(await next.claim('others', 50, 10)).toMatchObject([{ id: two.id }, { id: one.id }]);
  });

  it('move credits in the same write, for the person and for the community', async () => {
    const { jobs, usage } = file.open(keys);
    const job = sampleJob();
    jobs.insert(job);
    jobs.insert(sampleJob({ caller: { ...job.caller, id: '5' } }));
    expect(await usage.person('2026-01-05', community, person)).toEqual({ reserved: 2, spent: 0, jobs: 1 });
    const spent = (await jobs.save(job, { ...job, charge: 'spent' })) ?? job;
    expect(await usage.person('2026-01-05', community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });
    expect(await usage.community('2026-01-05', community)).toEqual({
      reserved: 2,
      spent: 2,
      jobs: 2,
      people: 2,
    });
    await jobs.save(spent, { ...spent, charge: 'returned' });
    expect(await usage.community('2026-01-05', community)).toEqual({
      reserved: 2,
      spent: 0,
      jobs: 2,
      people: 2,
    });
  });

  it('move no credits when the write is refused or the transaction fails', async () => {
    const { jobs, usage } = file.open(keys);
    const job = sampleJob();
    jobs.insert(job);
    await jobs.save(job, { ...job, looks: 1 });
    await jobs.save(job, { ...job, charge: 'spent' });
    expect(await usage.person('2026-01-05', community, person)).toEqual({ reserved: 2, spent: 0, jobs: 1 });
  });

  it('list a person’s own: unfinished first, then the latest finished', async () => {
    const { jobs } = file.open(keys);
    const done = (finishedAt: number) =>
      sampleJob({ state: 'done', charge: 'spent', finishedAt, settled: true });
    const [old, recent, open] = [done(100), done(200), sampleJob()];
    for (const job of [old, open, recent]) jobs.insert(job);
    jobs.insert(sampleJob({ caller: { ...open.caller, id: 'other' } }));
    expect((await jobs.ofPerson(person, 10)).map(({ id }) => id)).toEqual([open.id, recent.id, old.id]);
    expect((await jobs.ofPerson(person, 2)).map(({ id }) => id)).toEqual([open.id, recent.id]);
    expect(jobs.countOpen(person)).toBe(1);
    expect(await jobs.ofPerson(person, 1_000_000)).toHaveLength(3);
  });

  it('are continued in the order of acceptance, however many', async () => {
    const { jobs } = file.open(keys);
    const ids = Array.from({ length: 1200 }, () => {
      const job = sampleJob();
      jobs.insert(job);
      return job.id;
    });
    expect((await allOf(jobs.abandoned())).map(({ id }) => id)).toEqual(ids);
  });

  it('forget a person’s counters but today’s', async () => {
    const { jobs, usage, erasures } = file.open(keys);
    jobs.insert(sampleJob());
    jobs.insert(sampleJob({ day: '2026-01-04' }));
    await erasures.more(await erasures.begin(person), 10);
    expect((await usage.person('2026-01-04', community, person)).jobs).toBe(0);
    expect((await usage.person('2026-01-05', community, person)).jobs).toBe(1);
  });
});

it('keeps ids at the service taken when a plain store gets a key', async () => {
  const plain = file.open();
  const job = sampleJob({ state: 'submitting' });
  plain.jobs.insert(job);
  plain.jobs.insert(sampleJob());
  await plain.jobs.save(job, jobWith({ ...job, state: 'running', serviceId: '42' }));
  const { jobs } = file.open([keyOf(3)]);
  const other = sampleJob({ state: 'submitting' });
  jobs.insert(other);
  await expect(jobs.save(other, jobWith({ ...other, state: 'running', serviceId: '42' }))).rejects.toThrow(
    ServiceIdTaken,
  );
});

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
  // After a change of keys everything is read once, a batch at a time: that is no matter of an index.
  const all = questions.filter(
    (text) =>
      /\b(jobs|usage|charges|audit|entries|removed|acceptances)\b/.test(text) && !/substr\(/.test(text),
  );
  expect(all.length).toBeGreaterThan(25);
  for (const query of all) {
    // The index of those in line has no others.
    expect(plan(query), query).toMatch(/SEARCH|SCAN CONSTANT ROW|INDEX jobs_places/);
    // Not all that the person ever had, to find the few that are open: every order asks for these.
    if (/held IS NULL/.test(query))
      expect(plan(query), query).toMatch(/INDEX jobs_due_(polls|results|others)/);
    if (/owner = \? AND finished_at IS NULL/.test(query)) expect(plan(query), query).toContain('jobs_open');
    expect(plan(query), query).not.toMatch(
      /SCAN (jobs|usage|charges|audit|entries|removed|acceptances)(?! USING (COVERING )?INDEX (jobs_taken_up|jobs_places))/,
    );
    if (/passed = 0 AND owner NOT IN/.test(query))
      expect(plan(query), query).toContain('INDEX jobs_line (line=?)');
    if (/turn, seq\) </.test(query))
      expect(plan(query), query).toMatch(
        /(COVERING INDEX jobs_places \(turn<|INDEX jobs_line_of \(owner=\? AND turn<)/,
      );
    // So SQLite describes the smallest value of a whole table that no index gives; the last row needs none.
    if (!/max\(seq\)/.test(query)) expect(plan(query), query).not.toMatch(/SEARCH \w+(;|$)/);
  }
  raw.close();
});
