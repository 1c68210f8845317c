import { DatabaseSync } from 'node:sqlite';
import { personKey } from '../../../../src/command/place.ts';
import type { Job, OpeningJob } from '../../../../src/orchestrator/job/job.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';

/** Times that nothing expires in. */
export const NOW = Date.UTC(2026, 0, 5, 12);

export const people = ['anna', 'bert', 'carl', 'dora'].map((id) => ({
  platform: 'discord' as const,
  id,
  name: `${id} \0 \ud800 😀`,
  locale: 'en',
}));
const place = { platform: 'discord' as const, community: 'discord:1', channel: '8', direct: false };
export const limits = { perPerson: 2, inAll: 5 };
export const open = { key: 'open', token: 'open' } as const;

export function jobOf(number: number, more: JobFields = {}): Job {
  const caller = people[number % people.length];
  if (caller === undefined) throw new Error('nobody');
  const jobCommon = {
    id: `job-${String(number).padStart(6, '0')}`,
    origin: `event ${number} \0 😀`,
    caller,
    place,
    private: false,
    request: {
      kind: number % 3 === 0 ? 'single-frame-video' : 'self-prompt',
      photo: { from: 'discord', ref: `photo ${number}` },
      prompt: `\0 \udfff 😀 ${'long '.repeat(number % 7)}`,
      ...(number % 3 === 0 ? { model: 'simple', duration: '4s', aspect: 'auto' } : {}),
    },
    label: 'a wish',
    credits: 1 + (number % 4),
    day: '2026-01-05',
    charge: 'reserved',
    createdAt: NOW + number,
    looks: 0,
    attempts: 0,
    shownProgress: 0,
    settled: false,
  } as const;
  return jobWith({ ...(jobCommon as JobFields), ...more, state: more.state ?? 'waiting' });
}

async function saved(store: Store, job: Job | undefined, more: JobFields): Promise<Job> {
  if (job === undefined) throw new Error('no job');
  const after = await store.jobs.save(job, jobWith({ ...job, ...more, state: more.state ?? job.state }));
  if (after === undefined) throw new Error('not saved');
  return after;
}

/** Of some jobs. */
const FILTERS = ['face:12', 'mine:\0 \ud800 😀', 'json:"x"'];
const NO_LIMITS = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };

export const namespaces = ['settings', 'drafts'];
export const rules = { ownerOf: (key: string) => key.split('/')[1] };

/** A file with everything that a store can hold, unreadable records included. */
export async function fillStore(path: string, keys: readonly Uint8Array[]): Promise<void> {
  let now = NOW;
  const store = await openStore({ path, keys, now: () => now, alone: true });
  const { jobs, audit, erasures } = store;
  await store.inbox.put([{ id: 1, lane: '\0 a', person: 'telegram:1', body: { text: '\0 \ud800 😀 "' } }]);
  for (let number = 1; number <= 40; number += 1) {
    now = NOW + number;
    const job = jobOf(number, number % 5 === 0 ? { againOf: `button \0 ${number}` } : {});
    const filter = FILTERS[(number % 10) - 1];
    const line = { at: now, community: place.community, actor: 'discord:1', action: 'job', detail: {} };
    if (filter === undefined) await insert({ jobs }, job);
    else await jobs.accept({ job: job as OpeningJob, limits: NO_LIMITS, dailyCredits: 1_000, line, filter });
    await audit.append({
      at: now,
      community: 'discord:1',
      actor: `discord:${number % 4}`,
      action: number % 2 === 0 ? 'job accepted' : 'alias changed',
      detail: { text: '\0 \ud800 😀 "', number },
    });
  }
  // Running, delivering, ended in each way, taken and not yet sent, held, returned.
  const take = async () => jobs.take({ limits, gates: open, without: [] });
  const at = { submittedAt: NOW, due: NOW + 5.5 };
  const finish = { finishedAt: NOW + 9.5 };
  for (const [index, state] of (
    ['running', 'delivering', 'done', 'failed', 'cancelled', 'uncertain'] as const
  ).entries()) {
    const sending = await saved(store, await take(), { state: 'submitting', submittedAt: NOW });
    if (state === 'failed' || state === 'cancelled' || state === 'uncertain') {
      await saved(store, sending, {
        state,
        ...finish,
        failure: { code: 'refused' },
        charge: 'returned',
        settled: true,
      });
      continue;
    }
    const running = await saved(store, sending, {
      state: 'running',
      ...at,
      serviceId: `\0 service ${index}`,
    });
    if (state === 'running') continue;
    const shown = await saved(store, running, { state: 'delivering', ...finish, charge: 'spent', due: NOW });
    if (state === 'done') await saved(store, shown, { state: 'done', ...finish, settled: true });
  }
  await jobs.release('submission', (await take())?.id ?? '');
  await saved(store, await take(), { state: 'waiting' });
  await saved(store, await take(), { state: 'waiting', resting: 'service-busy', due: NOW + 60_000 });
  await take();
  await jobs.claim('results', NOW + 1_000, 1);
  await jobs.remove('job-000020');
  const sent = await saved(store, await take(), { state: 'submitting', submittedAt: NOW });
  if (sent.state === 'submitting') await jobs.retireServiceId(sent, 'service of a cancelled one');
  for (const namespace of namespaces) {
    const records = store.keyv(namespace, rules);
    for (const person of people)
      for (const key of ['one', 'two \0', '😀', '\ufffd', 'json:"x"', ''])
        await records.set(`${namespace} ${key}/${personKey(person)}`, {
          '\0 \ud800': [key, 'x'.repeat(300)],
        });
    await records.set('for an hour', 1, 3_600_000);
    await records.set('very long', 'y\0'.repeat(60_000));
  }
  const [anna, bert] = people.map(personKey);
  for (const person of [anna, bert, personKey(people[3] ?? raise())])
    await store.grants.add({
      ...{ community: 'discord:1', ids: ['discord:1'], person: person ?? raise(), credits: 5, most: 1_000 },
      ...{ at: NOW, byModerator: { allowance: 0, fromOwner: 0 } },
      event: `grant \0 ${person}`,
    });
  const line = { at: now, community: 'discord:1', actor: anna ?? raise(), action: 'job', detail: {} };
  await jobs.accept({
    ...{ job: jobOf(44) as OpeningJob, limits: NO_LIMITS, dailyCredits: 0, grantsOf: 'discord:1', line },
  });
  await store.figures.add({
    ...{ writer: 'one', number: 1, at: now },
    additions: (['minute', 'hour', 'day'] as const).map((scale) => ({
      scale,
      at: now,
      sums: { credits: { 'discord:1': 5 } },
    })),
  });
  await erasures.begin(personKey(people[3] ?? raise()));
  await erasures.more(await erasures.begin(personKey(people[2] ?? raise())), 1);
  await store.sweep();
  damage(path, 'INSERT INTO acceptances (person, at) SELECT owner, created_at FROM jobs');
  // One is set aside when it is read, another one is not read before the move.
  damage(path, "UPDATE jobs SET body = CAST(x'00ff' || substr(body, 3) AS BLOB) WHERE seq IN (30, 31)");
  await jobs.get('job-000030');
  store.close();
}

const raise = (): never => {
  throw new Error('nobody');
};

export function damage(path: string, text: string): void {
  const sql = new DatabaseSync(path, { timeout: 10_000 });
  sql.exec(text);
  sql.close();
}

/** What a Darkroom sees. Reading sets damaged records aside, so the order of the calls matters. */
export async function everythingIn(store: Store) {
  const jobs = [];
  for (let number = 1; number <= 40; number += 1) {
    const job = jobOf(number);
    jobs.push([await store.jobs.get(job.id), await store.jobs.place(job.id)]);
    jobs.push((await store.jobs.byOrigin(job.origin))?.id);
  }
  const of = [];
  for (const person of people.map(personKey)) {
    of.push(await store.jobs.unfinishedOf(person), await store.jobs.ofPerson(person, 100));
    of.push(await store.jobs.expectedPlace(person, limits));
    of.push(await store.usage.person('2026-01-05', 'discord:1', person));
  }
  const entries: (readonly [string, unknown])[] = [];
  for (const namespace of namespaces)
    for await (const [key, value] of store.keyv(namespace, rules).iterator()) entries.push([key, value]);
  const tallies = [];
  for (const what of ['job', 'filter', 'end'] as const)
    tallies.push(...(await store.tallies.since('discord:1', what, 0)));
  const lines = [];
  for await (const line of store.audit.since(0)) lines.push(line);
  return {
    jobs,
    of,
    entries: entries.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    lines,
    figures: [
      await store.figures.read('minute', 0, 2 * NOW),
      await store.figures.read('hour', 0, 2 * NOW),
      await store.figures.read('day', 0, 2 * NOW),
    ],
    tallies: tallies.toSorted(({ name }, other) => (name < other.name ? -1 : 1)),
    community: await store.usage.community('2026-01-05', 'discord:1'),
    grants: (await store.grants.list('discord:1')).toSorted((one, other) =>
      one.person < other.person ? -1 : 1,
    ),
    /** Told by the refusal. */
    total: await store.jobs
      .accept({
        ...{ job: jobOf(45, { credits: 1_000 }) as OpeningJob, dailyCredits: 1_000 },
        limits: { ...NO_LIMITS, serviceDailyCredits: 500 },
        line: { at: NOW, community: 'discord:1', actor: 'discord:1', action: 'job', detail: {} },
      })
      .catch((error: unknown) => error),
    erasing: (await store.erasures.pending()).toSorted(),
    counts: await store.jobs.counts(),
    due: [
      await store.jobs.nextDue('polls'),
      await store.jobs.nextDue('results'),
      await store.jobs.nextDue('others'),
    ],
    damaged: store.damaged(),
    encrypts: store.encrypts,
  };
}
