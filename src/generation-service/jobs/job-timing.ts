import { createRules, type JobPlan, type ScriptedJob, type ServiceScript, textFits } from '../script.ts';

/** Picks how a new job will go: what the script says, otherwise times that are pleasant to try things with. */
export function createPace(script: ServiceScript | undefined, random: () => number) {
  const scripted = readScript(script?.jobs);
  return (job: ScriptedJob): JobPlan & { queuedMs: number; runningMs: number } => {
    const natural = naturalTimes(job.output, random);
    const plan = scripted(job) ?? {};
    return {
      ...plan,
      queuedMs: plan.queuedMs ?? natural.queuedMs,
      runningMs: plan.runningMs ?? natural.runningMs,
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

/** Images 4 to 9 s, videos 15 to 25 s; the average of two draws makes the middle likelier than the ends. */
function naturalTimes(output: ScriptedJob['output'], random: () => number) {
  const [least, most] = output === 'picture' ? [4_000, 9_000] : [15_000, 25_000];
  const total = least + ((random() + random()) / 2) * (most - least);
  const queuedMs = Math.round(total * (0.1 + 0.15 * random()));
  return { queuedMs, runningMs: Math.round(total) - queuedMs };
}
