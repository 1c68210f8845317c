import type { Job } from '../../../src/orchestrator/job/job.ts';
import { OrderRefused } from '../../../src/orchestrator/job/order-refused.ts';
import { ServiceIdTaken } from '../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { COMMUNITIES, createJobs, DAY_MS, GATES, keyOf, LIMITS, NO_LIMITS, OWNED } from './cast.ts';

/** Works on with a store that another program left in the middle of the story, and tells what each step came to. */
export async function goOn(store: Store, time: { now: number }) {
  const { jobs } = store;
  const { order, save } = createJobs(store, time);
  const came: Record<string, unknown> = {};
  const idsOf = (some: readonly Job[]): string[] => some.map(({ id, state }) => `${id} ${state}`);
  const accept = (...given: Parameters<typeof order>) =>
    jobs.accept(order(...given)).then(
      ({ job, ...more }) => [job.id, more],
      (error: unknown) => {
        if (error instanceof OrderRefused) return error.reason;
        throw error;
      },
    );

  // A minute later the processes that had the jobs count as gone for good.
  time.now += 60_000;
  const left: Job[] = [];
  for (let looks = 0; looks < 2; looks += 1) for await (const job of jobs.abandoned()) left.push(job);
  came.abandoned = [...new Set(idsOf(left))];
  const take = () => jobs.take({ limits: LIMITS, gates: GATES, without: [] });
  const taken: Job[] = [];
  for (let job = await take(); job !== undefined; job = await take()) taken.push(job);
  came.taken = idsOf(taken);
  came.counts = await jobs.counts();
  const [first, second] = taken;
  const sent = await save(first, { state: 'submitting', submittedAt: time.now });
  const running = { state: 'running', submittedAt: time.now, due: time.now } as const;
  came.stolen = await save(sent, { ...running, serviceId: 'service of a cancelled one' }).catch(
    (error: unknown) => error instanceof ServiceIdTaken,
  );
  const polled = await save(sent, { ...running, serviceId: 'service later' });
  came.late = await jobs.save(sent, sent);
  await jobs.release('submission', second?.id ?? '');
  const claims: Record<string, string[]> = {};
  for (const kind of ['polls', 'results', 'others'] as const) {
    const claimed = await jobs.claim(kind, time.now + DAY_MS, 10);
    claims[kind] = idsOf(claimed);
    for (const { id } of claimed) await jobs.release(kind, id);
  }
  came.claims = claims;
  const shown = await save(polled, { state: 'delivering', finishedAt: time.now, charge: 'spent' });
  await save(shown, { state: 'done', finishedAt: time.now, settled: true });

  came.known = await accept('done', 'anna');
  came.again = await accept('again', 'anna', { againOf: 'job-done' });
  came.deleted = await accept('removed', 'anna');
  const few = { ...NO_LIMITS, userConcurrentJobs: 1, userWaitingJobs: 2 };
  came.waiting = await accept('too-many', 'anna', {}, { limits: few });
  const paid = { dailyCredits: 20, grantsOf: 'discord:1', mostGiven: 90 };
  came.allowance = await accept('too-dear', 'anna', { credits: 50 }, paid);
  const ceiling = (serviceDailyCredits: number) => ({ limits: { ...NO_LIMITS, serviceDailyCredits } });
  came.community = await accept('too-much', 'bert', { credits: 9 }, { communityCredits: 25 });
  came.service = await accept('too-much', 'bert', { credits: 9 }, ceiling(30));
  came.later = await accept('later', 'bert', {}, { ...ceiling(300), filter: 'face:12' });
  const rate = await accept('too-fast', 'bert', {}, { limits: { ...NO_LIMITS, userJobsPerMinute: 1 } });
  // A database counts the minute by its own clock, and a moment has passed.
  came.rate =
    'retryAfterMs' in rate ? { ...rate, retryAfterMs: Math.ceil(rate.retryAfterMs / 60_000) * 60_000 } : rate;
  const grant = { community: 'discord:1', ids: ['discord:1'], most: 20, at: time.now, person: keyOf('bert') };
  const byModerator = { allowance: 3, fromOwner: 0 };
  came.sameGrant = await store.grants.add({ ...grant, credits: 6, event: 'grant 1 \0' });
  came.grant = await store.grants.add({ ...grant, credits: 7, byModerator, event: 'grant later' });
  came.mostGrant = await store.grants.add({ ...grant, credits: 18, byModerator, event: 'grant too much' });
  came.back = await store.grants.takeBack({ ...grant, person: keyOf('anna') });
  await store.figures.add({ writer: 'one', number: 2, at: time.now, additions: [] });
  came.update = await store
    .keyv('community')
    .update<{ index: number }>('discord:2', (value) => ({ index: (value?.index ?? 0) + 1 }));
  came.draft = await store.keyv('drafts', OWNED).get(`draft/${keyOf('anna')}`);
  for (const who of await store.erasures.pending()) {
    for (let batches = 0; batches < 20; batches += 1) {
      const batch = await store.erasures.more(who, 4);
      const ended = { state: 'cancelled', charge: 'returned', settled: true, forget: true } as const;
      for (const job of batch.open) await save(job, { ...ended, finishedAt: time.now });
      if (!batch.left) break;
    }
  }
  came.pending = (await store.erasures.pending()).length;
  came.list = await Promise.all(
    COMMUNITIES.map((community) => store.usage.community('2026-01-05', community)),
  );
  // Days pass, and records of before expire.
  const swept: boolean[] = [];
  for (const days of [0, 2, 1, 29]) {
    time.now += days * DAY_MS;
    swept.push(await store.sweep());
  }
  came.swept = swept;
  return came;
}
