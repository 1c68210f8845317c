import { photosOf } from '../../../command/kinds.ts';
import type { Job } from '../../../orchestrator/job/job.ts';
import { type Credentials, credentialsOf } from '../../../orchestrator/job/job-kinds.ts';

/** The half of the service that a job stands in line for; null: it does not. */
export const lineOf = (job: Job): Credentials | null =>
  job.state === 'waiting' && job.resting === undefined ? credentialsOf(job.request.kind) : null;

/** The process that has its photos in memory; null: any can fetch them. */
export const processOf = ({ request }: Job): string | null =>
  photosOf(request).flatMap((photo) => ('process' in photo ? photo.process : undefined) ?? [])[0] ?? null;

export const slotOf = ({ state }: Job): 0 | 1 => (state === 'submitting' || state === 'running' ? 1 : 0);
