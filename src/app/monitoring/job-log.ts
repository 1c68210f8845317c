import type { Log } from '../../log/log.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';

type Ended = Pick<FinalJob, 'id' | 'state' | 'request' | 'failure' | 'serviceId'>;

/** For the owner: which job came to nothing and why, and what the service calls it. Not whose it was, nor its words. */
export const createJobLog =
  (log: Pick<Log, 'info'>) =>
  ({ id, state, request: { kind }, failure, serviceId }: Ended): void => {
    if (state !== 'failed' && state !== 'uncertain') return;
    log.info({ job: id, kind, failure: failure?.code ?? state, serviceJob: serviceId }, 'a job failed');
  };
