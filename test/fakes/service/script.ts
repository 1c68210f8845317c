import type { JobPlan, PlanJob } from '../../../src/generation-service/jobs/jobs.ts';

/**
 * What a test can script. It is given to `createGenerationService` only: no request field changes how the
 * service behaves, so a client that is tested against it cannot come to depend on one.
 */
export interface ServiceScript {
  /** Asked once for every HTTP request. A list is tried from the top; the first rule that fits decides. */
  http?: ((call: ScriptedCall) => HttpFault | undefined) | HttpRule[];
  /** Asked once for every accepted job. A plain object applies to all of them. */
  jobs?: ((job: ScriptedJob) => JobPlan | undefined) | JobRule[] | JobPlan;
}

export interface ScriptedCall {
  method: string;
  path: string;
  /** The path with identifiers replaced, such as `POST /v6/status/{id}`; what `calls()` counts by. */
  operation: string;
  /** 1 for the first call of this operation, 2 for the next. */
  count: number;
}

interface Moment {
  /** Waits this long first. */
  delayMs?: number;
  /** `after`: the service does the work (the job is accepted, the credits are spent), only the answer is lost. */
  when?: 'before' | 'after';
}

export type HttpFault = Moment &
  (
    | { kind: 'delay' }
    | { kind: 'hang' }
    | { kind: 'reset' }
    | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
    | { kind: 'garbage'; body?: string; headers?: Record<string, string> }
  );

interface Rule {
  /** Lets this many that fit pass first. */
  skip?: number;
  /** Applies to this many, then no more. */
  times?: number;
}

export interface HttpRule extends Rule {
  /** Fits when the operation contains this text or matches this expression; absent: every call. */
  operation?: string | RegExp;
  fault: HttpFault;
}

export type ScriptedJob = Parameters<PlanJob>[0] & {
  /** 1 for the first accepted job of this service, 2 for the next. */
  count: number;
};

export interface JobRule extends Rule {
  run?: string | RegExp;
  plan: JobPlan;
}

/** The first rule that fits and is within its `skip` and `times`; it keeps count of what it has seen. */
export function createRules<R extends Rule>(rules: R[], fits: (rule: R, text: string) => boolean) {
  const seen = new Map<R, number>();
  return (text: string): R | undefined =>
    rules.find((rule) => {
      if (!fits(rule, text)) return false;
      const count = (seen.get(rule) ?? 0) + 1;
      seen.set(rule, count);
      const past = count - (rule.skip ?? 0);
      return past > 0 && past <= (rule.times ?? Number.POSITIVE_INFINITY);
    });
}

export function textFits(pattern: string | RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) !== -1;
}

/** How a job ends, as the script says. */
export function readJobScript(jobs: ServiceScript['jobs']): (job: ScriptedJob) => JobPlan | undefined {
  if (jobs === undefined) return () => undefined;
  if (typeof jobs === 'function') return jobs;
  if (!Array.isArray(jobs)) return () => jobs;
  const pick = createRules(jobs, (rule, run) => textFits(rule.run, run));
  return (job) => pick(job.run)?.plan;
}
