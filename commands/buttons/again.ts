import type { ButtonContext, StartedAs } from '../../src/command/command.ts';
import { defineButton } from '../../src/command/command.ts';
import { isOpenIn } from '../../src/command/desk/check-press.ts';
import { givenFrom } from '../../src/command/desk/request-to-options.ts';
import type { JobSummary } from '../../src/command/ports.ts';
import type { Reply } from '../../src/command/reply.ts';

/** The same request once more, through every check of the first time. */
const repeat = async (
  { jobs, words, start, place }: ButtonContext,
  job: JobSummary,
  as: StartedAs,
): Promise<Reply> => {
  const request = await jobs.request(job.id);
  if (request === undefined) return { kind: 'note', text: words.press.notFound };
  const { command, given } = givenFrom(request);
  return start(command, { ...given, private: !isOpenIn(job, place) }, as);
};

/** Makes another one. Pressed while that is under way (a finger that trembles), it is the same. */
export const again = defineButton({
  verb: 'again',
  about: 'job',
  access: 'owner',
  run: (visit, job) => repeat(visit, job, { againOf: job.id }),
});

/** However often it is pressed, a job is retried once: the new job has a Retry of its own. */
export const retry = defineButton({
  verb: 'retry',
  about: 'job',
  access: 'owner',
  run: (visit, job) => repeat(visit, job, { event: `retry:${job.id}` }),
});
