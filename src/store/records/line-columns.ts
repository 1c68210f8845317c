import type { Job } from '../../orchestrator/job/job.ts';
import { type Credentials, credentialsOf } from '../../orchestrator/job/job-kinds.ts';

/** The half of the service that a job stands in line for; null: it does not. */
export const lineOf = (job: Job): Credentials | null =>
  job.state === 'waiting' && job.resting === undefined ? credentialsOf(job.request.kind) : null;

export const slotOf = ({ state }: Job): 0 | 1 => (state === 'submitting' || state === 'running' ? 1 : 0);
