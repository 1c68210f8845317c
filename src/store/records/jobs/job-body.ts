import { hasEnded, type Job } from '../../../orchestrator/job/job.ts';
import { statusPathOf } from '../../../orchestrator/job/job-kinds.ts';
import type { DueKind } from '../../../orchestrator/job/records.ts';
import type { Seal } from '../seal/seal.ts';
import { parseJob } from './job-shape.ts';

const PURPOSE = 'job';
/** Prompts are some thousand characters at the most. */
export const LONGEST_BODY = 262_144;

export const sealJob = ({ version: _, ...job }: Job, seal: Seal) => seal.seal(JSON.stringify(job), PURPOSE);

/** `body` is null when it is longer than `LONGEST_BODY`. Throws when it is damaged. */
export function openJob(row: Readonly<Record<string, unknown>>, seal: Seal): Job {
  if (row.body === null && Number(row.length) > LONGEST_BODY)
    throw new Error(`it is ${row.length} bytes long`);
  const job = parseJob(seal.open(row.body, PURPOSE));
  if (job.id !== row.id || job.state !== row.state || !Number.isSafeInteger(row.version))
    throw new Error('its columns and its body disagree');
  return { ...job, version: Number(row.version) };
}

/** The service's id of a job is unique together with its status path. */
export const serviceIdOf = ({ request }: Job, serviceId: string): string =>
  `${statusPathOf(request.kind)} ${serviceId}`;

/** Conditions of `jobs`: which states each kind of due job is in, see `dueKindOf`. */
export const DUE_STATES = {
  polls: "state = 'running'",
  results: "state = 'delivering'",
  others: "state NOT IN ('running', 'delivering')",
} as const satisfies Record<DueKind, string>;

/** A job of a person who is being erased: nobody sees it any more, and what is under way for it is brought to its end. */
export const erasedJob = (job: Job): Job | undefined => (job.settled ? undefined : { ...job, forget: true });

/** When it came to its end; null while it has not. */
export const endOf = (job: Job): number | null => (hasEnded(job) ? Math.floor(job.finishedAt) : null);
