import type { JobState } from '../../src/command/jobs-port.ts';
import { type Job, parseJob } from '../../src/orchestrator/job/job.ts';

/** Fields that a job can have, each of them in some state. */
export type JobFields = { readonly [Field in keyof Job]?: Exclude<Job[Field], undefined> };
/** A job in this state, with the fields that the state has. */
export type JobWith<State extends JobState> = Extract<Job, { readonly state: State }>;

const at = 1_000_000;
const sent = { submittedAt: at, serviceId: 'service-1' };
const needed: Readonly<Record<JobState, JobFields>> = {
  opening: {},
  waiting: {},
  submitting: { submittedAt: at },
  running: sent,
  delivering: { ...sent, finishedAt: at },
  held: { ...sent, finishedAt: at, held: { at } },
  done: { ...sent, finishedAt: at },
  failed: { finishedAt: at, failure: { code: 'generation-failed' } },
  cancelled: { finishedAt: at },
  uncertain: { finishedAt: at },
};

const isIn = <State extends JobState>(job: Job, state: State): job is JobWith<State> => job.state === state;

/** A job in a state, read as the store would read it. What the state must have and is not given is made up. */
export function jobWith<State extends JobState>(
  fields: JobFields & { readonly state: State },
): JobWith<State> {
  const { version = 1, ...body } = fields;
  const job: Job = { ...parseJob(JSON.stringify({ ...needed[fields.state], ...body })), version };
  if (!isIn(job, fields.state)) throw new Error(`a job in the state ${job.state}`);
  return job;
}
