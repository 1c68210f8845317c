import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { ServiceIdTaken } from '../../../../src/orchestrator/job/records.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
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
  it('are read as they were written', () => {
    const { jobs } = file.open(keys);
    const job = sampleJob({ due: 5, card: { platform: 'discord', ref: '{"m":1}' } });
    jobs.insert(job);
    expect(jobs.get(job.id)).toEqual(job);
    expect(jobs.byOrigin(job.origin)).toEqual(job);
    expect(file.open(keys).jobs.get(job.id)).toEqual(job);
  });

  it('refuse a write that is based on an older one', () => {
    const { jobs } = file.open(keys);
    const job = sampleJob();
    jobs.insert(job);
    const first = jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'returned', finishedAt: 9 }));
    expect(first).toMatchObject({ state: 'cancelled', version: 2 });
    expect(jobs.save(job, jobWith({ ...job, state: 'submitting' }))).toBeUndefined();
    expect(jobs.get(job.id)?.state).toBe('cancelled');
  });

  it('refuse an id at the service that another record of the same status family has', () => {
    const { jobs } = file.open(keys);
    const run = (serviceId: string, more: JobFields = {}) => {
      const job = sampleJob({ ...more, state: 'submitting' });
      jobs.insert(job);
      return {
        job,
        running: () => jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent', serviceId })),
      };
    };
    const first = run('42').running();
    const second = run('42');
    expect(second.running).toThrow(ServiceIdTaken);
    // Nothing of it was written, the credits included.
    expect(jobs.get(second.job.id)).toEqual(second.job);
    const { photo, prompt } = second.job.request as { photo: PhotoRef; prompt: string };
    const video = { kind: 'single-frame-video', photo, prompt, model: 'advanced', duration: '4s' } as const;
    expect(run('42', { request: { ...video, aspect: 'auto' } }).running()).toMatchObject({ serviceId: '42' });
    // It stays taken for as long as the record is there, and for a while after that.
    const done =
      first && jobs.save(first, jobWith({ ...first, state: 'done', finishedAt: 9, settled: true }));
    expect(run('42').running).toThrow(ServiceIdTaken);
    jobs.remove(done?.id ?? '');
    expect(run('42').running).toThrow(ServiceIdTaken);
  });

  it('return due jobs, the longest overdue first', () => {
    const { jobs } = file.open(keys);
    const [late, later, future, never] = [
      sampleJob({ due: 10 }),
      sampleJob({ due: 20 }),
      sampleJob({ due: 99 }),
      sampleJob(),
    ];
    for (const job of [never, future, later, late]) jobs.insert(job);
    const due = (...of: Parameters<typeof jobs.due>) => jobs.due(...of).map(({ id }) => id);
    expect(due('others', 50, 10)).toEqual([late.id, later.id]);
    expect(due('others', 50, 1)).toEqual([late.id]);
    expect(jobs.nextDue('others', 50)).toBe(99);
    expect(jobs.nextDue('others', 99)).toBeUndefined();
    expect(due('polls', 50, 10)).toEqual([]);
    const look = sampleJob({ state: 'running', due: 30 });
    jobs.insert(look);
    expect(due('polls', 50, 10)).toEqual([look.id]);
    expect(due('others', 50, 10)).toEqual([late.id, later.id]);
  });

  it('return due jobs page by page, also when many are due at the same time', () => {
    const { jobs } = file.open(keys);
    const all = [10, 20, 20, 20, 30].map((due) => sampleJob({ due }));
    for (const job of all.toReversed()) jobs.insert(job);
    const pages: string[][] = [];
    for (let page = jobs.due('others', 30, 2); page.length > 0; page = jobs.due('others', 30, 2, page.at(-1)))
      pages.push(page.map(({ id }) => id));
    expect(pages.flat()).toEqual(all.map(({ id }) => id));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  it('report whether a job is still due, and its version', () => {
    const { jobs } = file.open(keys);
    const job = sampleJob({ due: 10, state: 'running' });
    jobs.insert(job);
    expect(jobs.due('polls', 10, 1)).toEqual([{ id: job.id, due: 10, version: 1 }]);
    expect(jobs.dueVersion('polls', job.id, 10)).toBe(1);
    expect(jobs.dueVersion('polls', job.id, 9)).toBeUndefined();
    expect(jobs.dueVersion('others', job.id, 10)).toBeUndefined();
    const { due: _, ...never } = jobs.save(job, { ...job, due: 5 }) ?? job;
    expect(jobs.dueVersion('polls', job.id, 9)).toBe(2);
    jobs.save(never, never);
    expect(jobs.dueVersion('polls', job.id, 99)).toBeUndefined();
    expect(jobs.dueVersion('polls', 'nobody', 99)).toBeUndefined();
  });

  it('move credits in the same write, for the person and for the community', () => {
    const { jobs, usage } = file.open(keys);
    const job = sampleJob();
    jobs.insert(job);
    jobs.insert(sampleJob({ caller: { ...job.caller, id: '5' } }));
    expect(usage.person('2026-01-05', community, person)).toEqual({ reserved: 2, spent: 0, jobs: 1 });
    const spent = jobs.save(job, { ...job, charge: 'spent' }) ?? job;
    expect(usage.person('2026-01-05', community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });
    expect(usage.community('2026-01-05', community)).toEqual({ reserved: 2, spent: 2, jobs: 2, people: 2 });
    jobs.save(spent, { ...spent, charge: 'returned' });
    expect(usage.community('2026-01-05', community)).toEqual({ reserved: 2, spent: 0, jobs: 2, people: 2 });
  });

  it('move no credits when the write is refused or the transaction fails', () => {
    const { jobs, usage } = file.open(keys);
    const job = sampleJob();
    jobs.insert(job);
    jobs.save(job, { ...job, looks: 1 });
    jobs.save(job, { ...job, charge: 'spent' });
    expect(() =>
      jobs.transaction(() => {
        jobs.insert(sampleJob());
        throw new Error('broken off');
      }),
    ).toThrow('broken off');
    expect(usage.person('2026-01-05', community, person)).toEqual({ reserved: 2, spent: 0, jobs: 1 });
  });

  it('list a person’s own: unfinished first, then the latest finished', () => {
    const { jobs } = file.open(keys);
    const done = (finishedAt: number) =>
      sampleJob({ state: 'done', charge: 'spent', finishedAt, settled: true });
    const [old, recent, open] = [done(100), done(200), sampleJob()];
    for (const job of [old, open, recent]) jobs.insert(job);
    jobs.insert(sampleJob({ caller: { ...open.caller, id: 'other' } }));
    expect(jobs.ofPerson(person, 10).map(({ id }) => id)).toEqual([open.id, recent.id, old.id]);
    expect(jobs.ofPerson(person, 2).map(({ id }) => id)).toEqual([open.id, recent.id]);
    expect(jobs.countUnfinished(person)).toBe(1);
    expect(jobs.ofPerson(person, 1_000_000)).toHaveLength(3);
  });

  it('are continued in the order of acceptance, however many', () => {
    const { jobs } = file.open(keys);
    const ids = jobs.transaction(() =>
      Array.from({ length: 1200 }, () => {
        const job = sampleJob();
        jobs.insert(job);
        return job.id;
      }),
    );
    expect([...jobs.unfinished()].map(({ id }) => id)).toEqual(ids);
  });

  it('forget a person’s counters but today’s', () => {
    const { jobs, usage, erasures } = file.open(keys);
    jobs.insert(sampleJob());
    jobs.insert(sampleJob({ day: '2026-01-04' }));
    erasures.more(erasures.begin(person), 10);
    expect(usage.person('2026-01-04', community, person).jobs).toBe(0);
    expect(usage.person('2026-01-05', community, person).jobs).toBe(1);
  });
});

it('keeps ids at the service taken when a plain store gets a key', () => {
  const plain = file.open();
  const job = sampleJob({ state: 'submitting' });
  plain.jobs.insert(job);
  plain.jobs.insert(sampleJob());
  plain.jobs.save(job, jobWith({ ...job, state: 'running', serviceId: '42' }));
  const { jobs } = file.open([keyOf(3)]);
  const other = sampleJob({ state: 'submitting' });
  jobs.insert(other);
  expect(() => jobs.save(other, jobWith({ ...other, state: 'running', serviceId: '42' }))).toThrow(
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
    (text) => /\b(jobs|usage|charges|audit|entries|removed)\b/.test(text) && !/substr\(/.test(text),
  );
  expect(all.length).toBeGreaterThan(25);
  for (const query of all) {
    expect(plan(query), query).toMatch(/SEARCH|SCAN CONSTANT ROW/);
    // Not all that the person ever had, to find the few that are open: every order asks for these.
    if (/owner = \? AND finished_at IS NULL/.test(query)) expect(plan(query), query).toContain('jobs_open');
    expect(plan(query), query).not.toMatch(
      /SCAN (jobs|usage|charges|audit|entries|removed)(?! USING INDEX jobs_taken_up)/,
    );
  }
  raw.close();
});
