import type { JobState } from '../../src/command/jobs-port.ts';
import type { Job } from '../../src/orchestrator/job/job.ts';
import { type JobFields, type JobWith, jobWith } from './job.ts';

let count = 0;

/** A job with an id of its own and private details that must not leak, waiting unless a test says otherwise. */
export function sampleJob(more?: JobFields & { readonly state?: never }): JobWith<'waiting'>;
export function sampleJob<State extends JobState>(
  more: JobFields & { readonly state: State },
): JobWith<State>;
export function sampleJob(more: JobFields): Job;
export function sampleJob(more: JobFields = {}): Job {
  count += 1;
  return jobWith({
    id: `job-id-${String(count).padStart(9, '0')}`,
    origin: `interaction ${count}`,
    caller: { platform: 'discord', id: '424242424242', name: 'Annabella Hidden', locale: 'en' },
    place: { platform: 'discord', community: 'discord:777777777', channel: '888888888', direct: false },
    private: false,
    request: {
      kind: 'self-prompt',
      photo: { from: 'discord', ref: 'secret photo' },
      prompt: 'a secret wish',
    },
    label: 'a secret wish',
    credits: 2,
    day: '2026-01-05',
    charge: 'reserved',
    createdAt: Date.UTC(2026, 0, 5, 12) + count,
    looks: 0,
    attempts: 0,
    shownProgress: 0,
    settled: false,
    ...more,
    state: more.state ?? 'waiting',
  });
}
