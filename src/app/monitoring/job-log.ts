import type { Log } from '../../log/log.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';

type Ended = Pick<FinalJob, 'id' | 'state' | 'request' | 'failure' | 'serviceId'>;

/** Logs which job failed, why, and its id at the service; nothing personal. */
export function createJobLog(log: Pick<Log, 'info'>) {
  return ({ id, state, request: { kind }, failure, serviceId }: Ended): void => {
    if (state !== 'failed' && state !== 'uncertain') return;
    log.info({ job: id, kind, failure: failure?.code ?? state, serviceJob: serviceId }, 'a job failed');
  };
}
