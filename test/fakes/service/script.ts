import type { JobOverrides, OverrideJob } from '../../../src/generation-service/jobs/jobs.ts';

/**
 * What a test can script. It is given to `createGenerationService` only: no request field changes how the
 * service behaves, so a client that is tested against it cannot come to depend on one.
 */
export interface ServiceScript {
  /** Asked once for every HTTP request. */
  http?: (call: ScriptedCall) => HttpFault | undefined;
  /** Asked once for every accepted job. A plain object applies to all of them. */
  jobs?: ((job: ScriptedJob) => JobOverrides | undefined) | JobOverrides;
}

/** An HTTP request, as the script is asked about it. */
export interface ScriptedCall {
  method: string;
  path: string;
  /** The path with identifiers replaced, such as `POST /v6/status/{id}`; what `calls()` counts by. */
  operation: string;
  /** 1 for the first call of this operation, 2 for the next. */
  count: number;
}

interface Moment {
  /** The service waits this long first. */
  delayMs?: number;
  /** `after`: the service does the work (the job is accepted, the credits are spent), only the answer is lost. */
  when?: 'before' | 'after';
}

/** What happens to a request instead of its answer. */
export type HttpFault = Moment &
  (
    | { kind: 'delay' }
    | { kind: 'hang' }
    | { kind: 'reset' }
    | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
    | { kind: 'garbage'; body?: string; headers?: Record<string, string> }
  );

/** A job that the service accepted, as the script is asked about it. */
export type ScriptedJob = Parameters<OverrideJob>[0] & {
  /** 1 for the first accepted job of this service, 2 for the next. */
  count: number;
};
