import { photosOf } from '../../command/kinds.ts';
import { hasEnded, type Job } from '../../orchestrator/job/job.ts';
import { type Credentials, credentialsOf, statusPathOf } from '../../orchestrator/job/job-kinds.ts';
import type { DueKind } from '../../orchestrator/job/records.ts';
import type { Seal } from '../records/seal/seal.ts';
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
  if (job.id !== row.id || job.state !== row.state) throw new Error('its columns and its body disagree');
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

/** When it came to its end; null while it has not. */
export const endOf = (job: Job): number | null => (hasEnded(job) ? Math.floor(job.finishedAt) : null);

/** The half of the service that a job stands in line for; null: it does not. */
export const lineOf = (job: Job): Credentials | null =>
  job.state === 'waiting' && job.resting === undefined ? credentialsOf(job.request.kind) : null;

/** The process that has its photos in memory; null: any can fetch them. */
export const processOf = ({ request }: Job): string | null =>
  photosOf(request).flatMap((photo) => ('process' in photo ? photo.process : undefined) ?? [])[0] ?? null;

export const slotOf = ({ state }: Job): 0 | 1 => (state === 'submitting' || state === 'running' ? 1 : 0);

/** When the next step is due, in whole ms; null: there is none. */
export const dueOf = ({ due }: Job): number | null => (due === undefined ? null : Math.ceil(due));
