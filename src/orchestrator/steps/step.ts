import type { Job } from '../job/job.ts';
import { deliver, settle } from './deliver.ts';
import type { StepEffects } from './effects.ts';
import { search } from './opening.ts';
import { poll } from './poll.ts';
import { interrupted } from './submit.ts';
import { waited } from './waiting.ts';

/**
 * What is due for a job. A step reads nothing but the job and its effects and keeps nothing, so that any process can
 * run it; every change goes through `save`, which refuses a change of a record that is no longer what was read.
 */
export async function step(job: Job, fx: StepEffects): Promise<void> {
  switch (job.state) {
    case 'opening':
      return search(job, fx);
    case 'waiting':
      return waited(job, fx);
    case 'submitting':
      await fx.save(job, interrupted(job, fx.now(), fx.waitingMs));
      return;
    case 'running':
      return poll(job, fx);
    case 'delivering':
      return deliver(job, fx);
    default:
      return settle(job, fx);
  }
}
