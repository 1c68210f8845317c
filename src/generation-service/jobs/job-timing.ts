import {
  createRules,
  type JobPlan,
  type ScriptedJob,
  type ServiceScript,
  textFits,
} from '../interface/script.ts';

export type PlanJob = ReturnType<typeof createPlanJob>;

/** How long a new job takes and how it ends: as the script says, otherwise a few seconds. */
export function createPlanJob(script: ServiceScript | undefined, random: () => number) {
  const scripted = readScript(script?.jobs);
  return (job: ScriptedJob): JobPlan & { queuedMs: number; runningMs: number } => {
    const usual = usualTimes(job.output, random);
    const plan = scripted(job) ?? {};
    return {
      ...plan,
      queuedMs: plan.queuedMs ?? usual.queuedMs,
      runningMs: plan.runningMs ?? usual.runningMs,
    };
  };
}

function readScript(jobs: ServiceScript['jobs']): (job: ScriptedJob) => JobPlan | undefined {
  if (jobs === undefined) return () => undefined;
  if (typeof jobs === 'function') return jobs;
  if (!Array.isArray(jobs)) return () => jobs;
  const pick = createRules(jobs, (rule, run) => textFits(rule.run, run));
  return (job) => pick(job.run)?.plan;
}

/** Pictures 4 to 9 s, videos 15 to 25 s; the mean of two random numbers makes the middle likelier. */
function usualTimes(output: ScriptedJob['output'], random: () => number) {
  const [least, most] = output === 'picture' ? [4_000, 9_000] : [15_000, 25_000];
  const total = least + ((random() + random()) / 2) * (most - least);
  const queuedMs = Math.round(total * (0.1 + 0.15 * random()));
  return { queuedMs, runningMs: Math.round(total) - queuedMs };
}
