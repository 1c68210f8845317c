import { personKey } from '../../../../src/command/place.ts';
import { dayOf } from '../../../../src/orchestrator/job/day.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { NewJob } from '../../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';

/** Who and what the story of a store is about, see `story.ts`. */

export const DAY_MS = 86_400_000;
export const NOON = Date.UTC(2026, 0, 5, 12);
export const DAYS = [dayOf(NOON - DAY_MS), dayOf(NOON)] as const;

const NAMES = ['anna', 'bert', 'carl', 'dora', 'emil', 'fred'] as const;
type Name = (typeof NAMES)[number];

/** Discord's people, and one of Telegram. */
const callerOf = (name: Name) => ({
  platform: name === 'carl' ? ('telegram' as const) : ('discord' as const),
  id: name,
  name: `${name} \0 \ud800 😀`,
  locale: 'de',
});
export const keyOf = (name: Name): string => personKey(callerOf(name));
export const PEOPLE = NAMES.map(keyOf);
export const COMMUNITIES = ['discord:1', 'discord:2', 'telegram:-1001', 'discord:dm:dora'] as const;

export const LIMITS = { perPerson: 2, inAll: 6 };
export const GATES = { key: 'open', token: 'open' } as const;
export const NO_LIMITS = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };

/** Of records that belong to people: `draft/PERSON`. */
export const OWNED = { ownerOf: (key: string) => /\/(.*)$/.exec(key)?.[1] };
export const NAMESPACES = ['community', 'drafts', 'faces', 'cache', 'odd'] as const;
export const rulesOf = (namespace: (typeof NAMESPACES)[number]) =>
  namespace === 'drafts' || namespace === 'faces' ? OWNED : {};

/** Everything that happened to the jobs of a story, by name. */
export interface Jobs {
  readonly time: { now: number };
  readonly ids: string[];
  /** A new one, which opens. */
  order(name: string, who: Name, more?: JobFields, order?: Partial<Omit<NewJob, 'job'>>): NewJob;
  accept(...order: Parameters<Jobs['order']>): Promise<Job>;
  save(job: Job | undefined, more: JobFields, how?: 'durable' | 'lossy'): Promise<Job>;
  /** Accepted and in line. */
  wait(...order: Parameters<Jobs['order']>): Promise<Job>;
  /** And taken from there, and sent. */
  send(...order: Parameters<Jobs['order']>): Promise<Job>;
  run(...order: Parameters<Jobs['order']>): Promise<Job>;
}

export function createJobs(store: Store, time: { now: number }): Jobs {
  const ids: string[] = [];
  const order: Jobs['order'] = (name, who, more = {}, given = {}) => {
    const { platform } = callerOf(who);
    const community = platform === 'telegram' ? 'telegram:-1001' : 'discord:1';
    const job = jobWith({
      id: `job-${name}`,
      origin: `event ${name} \0 😀`,
      caller: callerOf(who),
      place: { platform, community, channel: '8', direct: false },
      private: false,
      request: {
        kind: 'self-prompt',
        photo: { from: platform, ref: `photo ${name}` },
        prompt: '\0 \ud800 😀',
      },
      label: `a wish of ${name}`,
      credits: 2,
      day: dayOf(time.now),
      charge: 'reserved',
      createdAt: time.now,
      looks: 0,
      attempts: 0,
      shownProgress: 0,
      settled: false,
      due: time.now,
      ...more,
      state: 'opening',
    });
    const line = {
      at: time.now,
      community: job.place.community,
      actor: keyOf(who),
      action: 'job',
      detail: { job: job.id },
    };
    return { job, limits: NO_LIMITS, dailyCredits: 1_000, line, ...given };
  };
  const accept: Jobs['accept'] = async (...given) => {
    time.now += 1_000;
    const ordered = order(...given);
    ids.push(ordered.job.id);
    return (await store.jobs.accept(ordered)).job;
  };
  const save: Jobs['save'] = async (job, more, how) => {
    if (job === undefined) throw new Error('no job');
    time.now += 10;
    const after = await store.jobs.save(
      job,
      jobWith({ ...withoutDue(job), ...more, state: more.state ?? job.state }),
      how,
    );
    if (after === undefined) throw new Error(`${job.id} was not saved`);
    return after;
  };
  const wait: Jobs['wait'] = async (...given) => save(await accept(...given), { state: 'waiting' });
  const send: Jobs['send'] = async (...given) => {
    const waiting = await wait(...given);
    const taken = await store.jobs.take({
      limits: { perPerson: 100, inAll: 100 },
      gates: GATES,
      without: [],
    });
    if (taken?.id !== waiting.id) throw new Error(`${taken?.id} was taken, and not ${waiting.id}`);
    return save(taken, { state: 'submitting', submittedAt: time.now });
  };
  const run: Jobs['run'] = async (...given) => {
    const sent = await send(...given);
    return save(sent, { state: 'running', serviceId: `service ${given[0]}`, due: time.now + 5_000 });
  };
  return { time, ids, order, accept, save, wait, send, run };
}

const withoutDue = ({ due: _, ...job }: Job): JobFields => job;
