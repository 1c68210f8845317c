import type { ButtonContext, ButtonDeclaration, StartedAs } from '../../src/command/command.ts';
import { isOpenIn } from '../../src/command/desk/access/check-access.ts';
import type { JobHandle } from '../../src/command/jobs-port.ts';
import type { Given } from '../../src/command/option.ts';
import type { Reply } from '../../src/command/reply.ts';
import { givenFrom } from '../../src/command/request.ts';

type JobButton = Extract<ButtonDeclaration, { readonly about: 'job' }>;
type Rules = Omit<JobButton, 'verb' | 'about' | 'run'>;

const own: Rules = { access: 'owner' };
const moderated: Rules = { access: 'owner-or-moderator', openToBlocked: true };
/** A result can be removed from the chat even when its record is gone (deleted, or older than a month). */
const removal: Rules = { ...moderated, gone: ({ ports: { jobs } }, id) => jobs.takeDown(id) };

const button = (verb: string, rules: Rules, run: JobButton['run']): JobButton => ({
  verb,
  about: 'job',
  ...rules,
  run,
});

/** Repeats the request through all checks. */
function repeat({ start, place }: ButtonContext, job: JobHandle, as: StartedAs): Promise<Reply> {
  const { command, given } = givenFrom(job.request);
  return start(command, { ...given, private: !isOpenIn(job, place) }, as);
}

/** The buttons of a job. */
export const jobButtons: readonly JobButton[] = [
  // A second press while that job is unfinished returns the same job.
  button('again', own, (context, job) => repeat(context, job, { againOf: job.id })),
  // A job is retried once, however often this is pressed; the new job has its own Retry.
  button('retry', own, (context, job) => repeat(context, job, { event: `retry:${job.id}` })),
  // Starts the command again with the same photo and options, and asks for another filter.
  button('other', own, ({ start, place }, job) => {
    const { command, given } = givenFrom(job.request);
    // Quality works with catalog filters only; the next filter may be a custom one.
    const { filter: _filter, style: _style, prompt: _prompt, quality: _quality, ...rest } = given;
    // Only styles of the classic look take several photos.
    const look: Given = given.photo2 === undefined ? {} : { look: 'classic' };
    return start(command, { ...rest, ...look, private: !isOpenIn(job, place) });
  }),
  // The result becomes the first frame of a video; the prompt is asked for.
  button('animate', own, async ({ words, start, place }, job) => {
    const photo = await job.resultPhoto();
    if (photo === undefined) return { kind: 'note', text: words.press.noResult };
    return start('animate', { photo, private: !isOpenIn(job, place) });
  }),
  button('compare', own, (_, job) => job.compare()),
  button('file', { access: 'owner-or-moderator' }, (_, job) => job.file()),
  button('share', { ...own, actsThere: true }, (_, job) => job.share()),
  button('show', own, (_, job) => job.show()),
  button('cancel', moderated, (_, job) => job.cancel()),
  button('delete', removal, (_, job) => job.remove()),
  // Delete on a result that was shared.
  button('unshare', removal, (_, job) => job.unshare()),
  // Delete on a comparison.
  button('discard', removal, (_, job) => job.discard()),
  button('report', { access: 'everyone', openToBlocked: true }, (_, job) => job.report()),
];
