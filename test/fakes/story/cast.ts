import { personKey } from '../../../src/command/place.ts';
import { dayOf } from '../../../src/orchestrator/job/day.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import type { NewJob } from '../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { type JobFields, jobWith } from '../job.ts';
import { sampleJob } from '../sample-job.ts';

/** The people, communities and limits of the story of a store, see `story.ts`. */

/** A day, in milliseconds. */
export const DAY_MS = 86_400_000;
/** Noon of the story’s second day. */
export const NOON = Date.UTC(2026, 0, 5, 12);
/** Both days of the story, as records name them. */
export const DAYS = [dayOf(NOON - DAY_MS), dayOf(NOON)] as const;

const NAMES = ['anna', 'bert', 'carl', 'dora', 'emil', 'fred'] as const;
type Name = (typeof NAMES)[number];

/** A person of the story: all are people of Discord, except carl of Telegram. */
const callerOf = (name: Name) => ({
  platform: name === 'carl' ? ('telegram' as const) : ('discord' as const),
  id: name,
  name: `${name} \0 \ud800 😀`,
  locale: 'de',
});
/** The key of a person in records. */
export const keyOf = (name: Name): string => personKey(callerOf(name));
/** The keys of all people in the story. */
export const PEOPLE = NAMES.map(keyOf);
/** All communities in the story. */
export const COMMUNITIES = ['discord:1', 'discord:2', 'telegram:-1001', 'discord:dm:dora'] as const;

/** The limits of running jobs with which the line is read. */
export const LIMITS = { perPerson: 2, inAll: 6 };
/** The service takes jobs with the key and with the token. */
export const GATES = { key: 'open', token: 'open' } as const;
/** Limits of orders that nobody reaches. */
export const NO_LIMITS = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };

/** Rules of records that belong to people, with keys like `draft/PERSON`. */
export const OWNED = { ownerOf: (key: string) => /\/(.*)$/.exec(key)?.[1] };
/** The namespaces of records in the story. */
export const NAMESPACES = ['community', 'drafts', 'faces', 'cache', 'odd'] as const;
/** The rules of a namespace’s records. */
export const rulesOf = (namespace: (typeof NAMESPACES)[number]) =>
  namespace === 'drafts' || namespace === 'faces' ? OWNED : {};

/** The jobs of a story. */
export type Jobs = ReturnType<typeof createJobs>;

/** Brings the jobs of a story, by name, to where they are wanted. */
export function createJobs(store: Store, time: { now: number }) {
  /** An order for a new job. */
  const order = (
    name: string,
    who: Name,
    more: JobFields = {},
    given: Partial<Omit<NewJob, 'job'>> = {},
  ): NewJob => {
    const { platform } = callerOf(who);
    const community = platform === 'telegram' ? 'telegram:-1001' : 'discord:1';
    const photo = { from: platform, ref: `photo ${name}` };
    const at = time.now;
    const job = sampleJob({
      id: `job-${name}`,
      origin: `event ${name} \0 😀`,
      label: `a wish of ${name}`,
      caller: callerOf(who),
      place: { platform, community, channel: '8', direct: false },
      request: { kind: 'self-prompt', photo, prompt: '\0 \ud800 😀' },
      day: dayOf(at),
      createdAt: at,
      due: at,
      ...more,
      state: 'opening',
    });
    const of = { community: job.place.community, actor: keyOf(who) };
    const line = { at, ...of, action: 'job', detail: { job: job.id } };
    return { job, limits: NO_LIMITS, dailyCredits: 1_000, line, ...given };
  };
  type Order = Parameters<typeof order>;
  const accept = async (...given: Order): Promise<Job> => {
    time.now += 1_000;
    return (await store.jobs.accept(order(...given))).job;
  };
  const save = async (job: Job | undefined, more: JobFields, how?: 'durable' | 'lossy'): Promise<Job> => {
    if (job === undefined) throw new Error('no job');
    time.now += 10;
    const { due: _, ...rest } = job;
    const next = jobWith({ ...rest, ...more, state: more.state ?? job.state });
    const after = await store.jobs.save(job, next, how);
    if (after === undefined) throw new Error(`${job.id} was not saved`);
    return after;
  };
  /** Has a job accepted and put in line. */
  const wait = async (...given: Order): Promise<Job> => save(await accept(...given), { state: 'waiting' });
  /** Has a job accepted, taken from the line, and sent. */
  const send = async (...given: Order): Promise<Job> => {
    const waiting = await wait(...given);
    const limits = { perPerson: 100, inAll: 100 };
    const taken = await store.jobs.take({ limits, gates: GATES, without: [] });
    if (taken?.id !== waiting.id) throw new Error(`${taken?.id} was taken, and not ${waiting.id}`);
    return save(taken, { state: 'submitting', submittedAt: time.now });
  };
  const run = async (...given: Order): Promise<Job> => {
    const sent = await send(...given);
    return save(sent, { state: 'running', serviceId: `service ${given[0]}`, due: time.now + 5_000 });
  };
  return { time, order, accept, save, wait, send, run };
}
