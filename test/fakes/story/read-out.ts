import type { Job } from '../../../src/orchestrator/job/job.ts';
import { openStoreToRead } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { allOf } from '../../all-of.ts';
import { COMMUNITIES, DAYS, keyOf, LIMITS, NAMESPACES, NOON, PEOPLE, rulesOf } from './cast.ts';

/** The names of all jobs in the story. */
const NAMES = [
  'done',
  'shown',
  'film',
  'failed',
  'spent',
  'cancelled',
  'uncertain',
  'forgotten',
  'forget',
  'removed',
  'given-back',
  'emil-1',
  'emil-2',
  'granted',
  'refunded',
  'opening',
  'running',
  'polled',
  'submitting',
  'resting',
  'broken',
  'line-0',
  'line-1',
  'line-2',
  'line-3',
  'line-4',
  'line-5',
  'line-6',
  'line-7',
  'later',
];
const idsOf = (jobs: readonly Job[]): string[] => jobs.map(({ id }) => id);
const sorted = <T>(values: readonly T[]): T[] =>
  values.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
async function each<K extends string, T>(
  keys: readonly K[],
  value: (key: K) => Promise<T>,
): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const key of keys) found[key] = await value(key);
  return found;
}

/** All that the interface says of a store with the story of `story.ts` in it; lists without an order are sorted. */
export async function readOut(store: Store, url: string, keys: readonly Uint8Array[]) {
  const { jobs, usage, grants, jobSearch } = store;
  const find = async (query: Parameters<typeof jobSearch.find>[0]) => {
    const page = await jobSearch.find(query, 3);
    const rest = page.next === undefined ? [] : (await jobSearch.find(query, 100, page.next)).jobs;
    return [idsOf(page.jobs), idsOf(rest)];
  };
  const toRead = await openStoreToRead(url, keys);
  const read = { lines: (await allOf(toRead.audit.since(0))).length };
  await toRead.close();
  return {
    read,
    jobs: await each(NAMES, async (name) => ({
      job: await jobs.get(`job-${name}`),
      byOrigin: (await jobs.byOrigin(`event ${name} \0 😀`))?.id,
      place: await jobs.standing(`job-${name}`),
    })),
    people: await each(PEOPLE, async (person) => ({
      unfinished: idsOf(await jobs.unfinishedOf(person)),
      jobs: idsOf(await jobs.ofPerson(person, 5)),
      expected: await jobs.expectedStanding(person, LIMITS),
      usage: await each(DAYS, (day) =>
        each(COMMUNITIES, (community) => usage.person(day, community, person)),
      ),
      left: await each(COMMUNITIES, (community) => grants.left(community, person)),
      found: await find({ person }),
    })),
    communities: await each(COMMUNITIES, async (community) => ({
      usage: await each(DAYS, (day) => usage.community(day, community)),
      grants: sorted(await grants.list(community)),
      tallies: await each(['job', 'filter', 'end'] as const, async (what) =>
        sorted(await store.tallies.since(community, what, 0)),
      ),
      lines: await store.audit.recent(community, 5),
      faces: await store.audit.recent(community, 5, { actor: keyOf('anna'), actions: ['face.'] }),
      found: await find({ community }),
    })),
    // Some stores say nothing of a day without credits.
    totals: sorted(await usage.totalsOn(DAYS)).filter(({ credits }) => credits > 0),
    credits: sorted(await usage.creditsOn(DAYS, COMMUNITIES)),
    peopleOn: await usage.peopleOn(DAYS, COMMUNITIES),
    counts: await jobs.counts(),
    due: await each(['polls', 'results', 'others'] as const, (kind) => jobs.nextDue(kind)),
    unsettled: idsOf(await jobs.unsettled(2 * NOON, 100)),
    failed: await find({ state: 'failed' }),
    films: await find({ kind: 'single-frame-video' }),
    list: sorted((await store.communityList.page(['community'], 100)).ids),
    lines: await allOf(store.audit.since(0)),
    figures: await each(['minute', 'hour', 'day'] as const, (scale) =>
      store.figures.read(scale, 0, 2 * NOON),
    ),
    entries: await each(NAMESPACES, async (name) =>
      sorted(await allOf(store.keyv(name, rulesOf(name)).iterator())),
    ),
    erasing: (await store.erasures.pending()).length,
    damaged: store.damaged(),
  };
}
