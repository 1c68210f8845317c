import type { Clock } from '../../base/clock.ts';
import type { GenerationRequest } from '../../generation-client/endpoints.ts';
import type { StatusReport } from '../../generation-client/result/status-report.ts';
import type { CallRecord } from '../../generation-client/wire/call.ts';
import type { DeliveringJob, Job, RunningJob } from '../job/job.ts';
import { type Credentials, credentialsOf, statusPathOf } from '../job/job-kinds.ts';
import { type Gate, isNoAnswer } from '../service/service-gate.ts';
import type { Reserve, Service } from '../steps/effects.ts';
import type { StatusCalls } from './save-job.ts';

export interface ServiceCallsParts {
  readonly service: Service;
  readonly gates: Readonly<Record<Credentials, Gate>>;
  readonly clock: Clock;
  readonly statusCalls: Pick<StatusCalls, 'begun'>;
}

/** Calls to the service; the gates admit them and learn how they ended. */
export function createServiceCalls({ service, gates, clock, statusCalls }: ServiceCallsParts) {
  /** One entry for each status path. */
  const answered = new Map<string, number>();

  const probe = async (credentials: Credentials): Promise<unknown> => {
    try {
      await service.probe(credentials);
    } catch (error) {
      if (isNoAnswer(error)) return error;
    }
    return undefined;
  };

  /** No poll was answered lately: whether the service answers at all. */
  const answersProbe = async (credentials: Credentials): Promise<boolean> => {
    const begunAt = clock.now();
    const error = await probe(credentials);
    if (error === undefined) gates[credentials].letPollsPass();
    else gates[credentials].report('poll', error, begunAt);
    return error === undefined;
  };

  const reported = async <T>(
    gate: Gate,
    call: 'submission' | 'poll',
    work: () => Promise<T>,
    job?: string,
  ): Promise<T> => {
    const begunAt = clock.now();
    try {
      const result = await work();
      gate.report(call, undefined);
      return result;
    } catch (error) {
      gate.report(call, error, begunAt, job);
      throw error;
    }
  };

  return {
    async status(
      { id, request: { kind }, serviceId }: RunningJob | DeliveringJob,
      reserve: Reserve,
    ): Promise<StatusReport> {
      const credentials = credentialsOf(kind);
      const gate = gates[credentials];
      const admitted = gate.admitPoll();
      if (admitted === 'no' || (admitted === 'probe' && !(await answersProbe(credentials))))
        throw new Error('The service is not answering; this poll waits.');
      statusCalls.begun(id);
      const report = await reported(gate, 'poll', () =>
        service.status({ endpoint: kind, id: serviceId }, { reserve }),
      );
      answered.set(statusPathOf(kind), clock.now());
      return report;
    },
    /** When a poll on the job's status path was last answered; -Infinity: not since the start. */
    answeredAt: ({ request: { kind } }: Job): number =>
      answered.get(statusPathOf(kind)) ?? Number.NEGATIVE_INFINITY,
    run: (
      id: string,
      credentials: Credentials,
      request: GenerationRequest,
      options: { readonly record: CallRecord; readonly bodySent: () => void },
    ): Promise<{ id: string }> =>
      reported(gates[credentials], 'submission', () => service.run(request, options), id),
    /** In an outage, makes one free call; returns its error if the service did not answer. */
    tryOut: async (credentials: Credentials): Promise<unknown> =>
      gates[credentials].outage() === undefined ? undefined : probe(credentials),
  };
}
