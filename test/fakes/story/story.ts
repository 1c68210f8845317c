import type { Job } from '../../../src/orchestrator/job/job.ts';
import type { OpenedStore } from '../../../src/store/tables/store.ts';
import { COMMUNITIES, createJobs, DAY_MS, GATES, type Jobs, keyOf, LIMITS, NOON, OWNED } from './cast.ts';

/**
 * Two days in the life of a store, told through its interface alone and always in the same words: something of everything that
 * a store can hold. The time is in the story's hands; `time.now` must be `BEGIN`.
 */
export const BEGIN = NOON - DAY_MS;
/** A time after everything in the story. */
export const END = NOON + 600_000;

export async function playStory(
  { store, members, sharedPace }: OpenedStore,
  time: { now: number },
): Promise<void> {
  const jobs = createJobs(store, time);
  await keepRecords({ store });
  await giveCredits({ store }, time);
  await endJobs({ store }, jobs);
  time.now = NOON;
  await fillLine({ store }, jobs);
  await addFigures({ store }, time);
  await erasePeople({ store }, time);
  const entry = (id: number, lane: string, who: 'anna' | 'fred' = 'anna') => ({
    id,
    lane,
    person: keyOf(who),
    body: { update: id, text: '\0 😀' },
  });
  await store.inbox.put([entry(1, 'a'), entry(2, 'a'), entry(3, 'b'), entry(4, 'c')]);
  await store.inbox.claim(members.id(), 3);
  await store.inbox.settle(members.id(), [1], [3]);
  await store.inbox.put([entry(5, 'd', 'fred'), entry(6, 'b')]);
  await store.inbox.forget(keyOf('fred'));
  await sharedPace?.('service').reserve(10);
  await store.tryToWrite();
  await store.sweep();
}

type Part = Pick<OpenedStore, 'store'>;

/** Settings, drafts, faces, records that cannot be read, and lines of the audit trail. */
async function keepRecords({ store }: Part): Promise<void> {
  const settings = store.keyv('community');
  for (const [index, community] of COMMUNITIES.entries())
    await settings.set(community, { index, text: '\0 \ud800 😀' });
  await settings.update<{ index: number }>('discord:2', (value) => ({ index: (value?.index ?? 0) + 10 }));
  await settings.set('discord:gone', {});
  await settings.delete('discord:gone');
  for (const person of ['anna', 'bert', 'emil', 'fred'] as const) {
    await store.keyv('drafts', OWNED).update(`draft/${keyOf(person)}`, () => ({ person }), DAY_MS * 3);
    await store.keyv('faces', OWNED).set(`me/${keyOf(person)}`, { photo: '\0' });
  }
  await store.keyv('cache').update('for an hour', () => 1, 3_600_000);
  await store.keyv('cache').update('long', () => 'y\0'.repeat(100), DAY_MS * 9);
  for (const person of ['dora', 'fred'] as const) {
    await store.keyv('odd', OWNED).set(`it/${keyOf(person)}`, { is: 'odd' });
    await store.keyv('odd', { isValid: () => false }).get(`it/${keyOf(person)}`);
  }
  const actions = ['settings.credits', 'alias.create', 'face.keep', 'moderator.delete', 'face.remove'];
  for (const [index, action] of actions.entries())
    for (const { community, actor } of [
      { community: 'discord:1', actor: 'anna' },
      { community: 'telegram:-1001', actor: 'carl' },
      { community: 'discord:1', actor: 'fred' },
    ] as const) {
      const detail = { text: '\0 \ud800 😀 "', index };
      await store.audit.append({ at: BEGIN + index, community, actor: keyOf(actor), action, detail });
    }
}

/** Grants of credits, each asked for twice, and one that is taken back. */
async function giveCredits({ store }: Part, time: { now: number }): Promise<void> {
  const grant = { community: 'discord:1', ids: ['discord:1', 'discord:2'], most: 100 };
  const byModerator = { allowance: 3, fromOwner: 0 };
  for (const [index, person] of (['anna', 'bert', 'dora', 'fred', 'anna'] as const).entries()) {
    time.now += 1_000;
    const event = `grant ${index} \0`;
    const more = { person: keyOf(person), credits: 5 + index, ...(person === 'bert' ? {} : { byModerator }) };
    for (let times = 0; times < 2; times += 1)
      await store.grants.add({ ...grant, ...more, at: time.now, event });
  }
  await store.grants.takeBack({ ...grant, person: keyOf('dora'), at: time.now });
  const ofGroup = { community: 'telegram:-1001', ids: ['telegram:-1001'], most: 100, event: 'grant 5' };
  await store.grants.add({ ...ofGroup, person: keyOf('carl'), credits: 2, at: time.now });
}

/** The jobs of the first day: one end of each sort. */
async function endJobs({ store }: Part, jobs: Jobs): Promise<void> {
  const { run, send, save, wait, time } = jobs;
  const end = () => ({ finishedAt: time.now, settled: true });
  const delivered = async (job: Job): Promise<Job> => {
    const shown = await save(job, { state: 'delivering', finishedAt: time.now, charge: 'spent' });
    return save(shown, { state: 'done', ...end() });
  };
  await delivered(await run('done', 'anna', {}, { filter: 'face:12' }));
  await delivered(await run('shown', 'carl', { private: true }, { filter: 'face:3' }));
  const video = {
    kind: 'single-frame-video',
    photo: { from: 'link', url: 'https://example.org/a' },
    prompt: 'p',
    model: 'simple',
    duration: '4s',
    aspect: 'auto',
  } as const;
  const history: Job['history'] = [{ state: 'opening', at: time.now }];
  const film = await run('film', 'bert', { request: video, credits: 10, history });
  await save(film, { looks: 3, lastStatus: 'waiting', statusSince: time.now, due: time.now + 9 }, 'lossy');
  const failure = { code: 'refused', detail: '\0 no' } as const;
  const returned = { charge: 'returned' } as const;
  await save(await send('failed', 'bert', { credits: 3 }), {
    state: 'failed',
    ...end(),
    failure,
    ...returned,
  });
  const direct = { platform: 'discord', community: 'discord:dm:dora', channel: '9', direct: true } as const;
  const late = { failure: { code: 'deadline' }, charge: 'spent' } as const;
  await save(await run('spent', 'dora', { place: direct }), { state: 'failed', ...end(), ...late });
  await save(await wait('cancelled', 'anna'), { state: 'cancelled', ...end(), ...returned });
  await save(await send('uncertain', 'carl'), {
    state: 'uncertain',
    finishedAt: time.now,
    charge: 'spent',
    due: time.now,
  });
  // Four jobs are deleted on request: at once, when its card says so, by hand, and while it was being sent.
  const settled = await delivered(await run('forgotten', 'dora'));
  await store.jobs.save(settled, { ...settled, forget: true });
  await save(await run('forget', 'dora'), {
    state: 'cancelled',
    finishedAt: time.now,
    forget: true,
    due: time.now,
  });
  await delivered(await run('removed', 'anna'));
  await store.jobs.remove('job-removed');
  const sent = await send('given-back', 'bert');
  await store.jobs.remove('job-given-back');
  if (sent.state !== 'submitting') throw new Error(sent.state);
  await store.jobs.returnCredits(sent);
  await store.jobs.retireServiceId(sent, 'service of a cancelled one');
  for (const name of ['emil-1', 'emil-2'] as const) await delivered(await run(name, 'emil'));
}

/** The jobs of the second day: one in each state that is not an end, and more than there are slots. */
async function fillLine({ store }: Part, jobs: Jobs): Promise<void> {
  const { accept, run, send, save, wait, time } = jobs;
  const paid = { dailyCredits: 1, grantsOf: 'discord:1', mostGiven: 100, communityCredits: 500 };
  await save(await run('granted', 'anna', { credits: 4 }, paid), {
    state: 'delivering',
    finishedAt: time.now,
    charge: 'spent',
    due: time.now + 10,
  });
  await save(await send('refunded', 'anna', { credits: 3 }, paid), {
    state: 'failed',
    finishedAt: time.now,
    failure: { code: 'refused' },
    charge: 'returned',
    settled: true,
  });
  await accept('opening', 'bert', {
    place: { platform: 'discord', community: 'discord:2', channel: '7', thread: '70', direct: false },
  });
  await run('running', 'anna', { againOf: 'job-done', press: 'press 1' });
  // This job uses all that was left of a grant.
  await run('polled', 'carl', { credits: 3 }, { dailyCredits: 1, grantsOf: 'telegram:-1001' });
  await store.jobs.claim('polls', time.now + 60_000, 1);
  await store.jobs.claim('results', time.now + 60_000, 1);
  await send('submitting', 'anna');
  await save(await wait('resting', 'bert'), {
    state: 'waiting',
    resting: 'service-busy',
    due: time.now + 60_000,
  });
  const uploaded = {
    kind: 'self-prompt',
    photo: { from: 'web', ref: 'up', process: 'a process of then' },
    prompt: 'p',
  } as const;
  for (const [index, name] of (
    ['dora', 'anna', 'bert', 'anna', 'dora', 'carl', 'fred', 'fred'] as const
  ).entries())
    await wait(`line-${index}`, name, index === 4 ? { request: uploaded } : {});
  // Jobs of the line are taken: the first and the last are not sent yet, one is released, and one goes back to waiting.
  const take = () => store.jobs.take({ limits: LIMITS, gates: GATES, without: [keyOf('fred')] });
  await take();
  await store.jobs.release('submission', (await take())?.id ?? '');
  await save(await take(), { state: 'waiting' });
  await take();
  const broken = jobs.order('broken', 'dora');
  await store.jobs.accept({ ...broken, job: JSON.parse(JSON.stringify({ ...broken.job, label: 7 })) });
  await store.jobs.get('job-broken');
}

/** Figures of two numbers, the second of which is added twice and counts once. */
async function addFigures({ store }: Part, time: { now: number }): Promise<void> {
  for (const number of [1, 2, 2])
    await store.figures.add({
      writer: 'one',
      number,
      at: time.now,
      additions: (['minute', 'hour', 'day'] as const).flatMap((scale) => [
        { scale, at: time.now, sums: { ends: { done: number }, credits: { 'discord:1': 5 } } },
        {
          scale,
          at: time.now - DAY_MS / 4,
          outages: [{ what: 'service', reason: 'busy', from: NOON - 9, until: NOON }],
          credits: { '': 7, 'discord:2': 7 },
        },
      ]),
    });
}

/** Erases one person, except for the counters of the day, and begins to erase another, whose jobs are under way. */
async function erasePeople({ store }: Part, time: { now: number }): Promise<void> {
  time.now += 1_000;
  const emil = await store.erasures.begin(keyOf('emil'));
  while ((await store.erasures.more(emil, 3)).left) time.now += 1;
  await store.erasures.more(await store.erasures.begin(keyOf('fred')), 1);
  await store.keyv('drafts', OWNED).set(`new/${keyOf('fred')}`, 'kept');
}
