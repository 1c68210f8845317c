import { type ButtonContext, defineButton, type StartedAs } from '../../src/command/command.ts';
import { isOpenIn } from '../../src/command/desk/access/check-press.ts';
import { givenFrom } from '../../src/command/kinds.ts';
import type { JobSummary } from '../../src/command/ports.ts';
import type { Reply } from '../../src/command/reply.ts';

/** Repeats the request through all checks. */
async function repeat(
  { jobs, words, start, place }: ButtonContext,
  job: JobSummary,
  as: StartedAs,
): Promise<Reply> {
  const request = await jobs.request(job.id);
  if (request === undefined) return { kind: 'note', text: words.press.notFound };
  const { command, given } = givenFrom(request);
  return start(command, { ...given, private: !isOpenIn(job, place) }, as);
}

/** A second press while that job is unfinished returns the same job. */
export const again = defineButton({
  verb: 'again',
  about: 'job',
  access: 'owner',
  run: (context, job) => repeat(context, job, { againOf: job.id }),
});

/** A job is retried once, however often this is pressed; the new job has its own Retry. */
export const retry = defineButton({
  verb: 'retry',
  about: 'job',
  access: 'owner',
  run: (context, job) => repeat(context, job, { event: `retry:${job.id}` }),
});
