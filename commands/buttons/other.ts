import { defineButton } from '../../src/command/command.ts';
import { isOpenIn } from '../../src/command/desk/access/check-press.ts';
import { givenFrom } from '../../src/command/kinds.ts';
import type { Given } from '../../src/command/option.ts';

/** The same photo and options with another filter, which is asked for. */
export const other = defineButton({
  verb: 'other',
  about: 'job',
  access: 'owner',
  async run({ jobs, words, start, place }, job) {
    const request = await jobs.request(job.id);
    if (request === undefined) return { kind: 'note', text: words.press.notFound };
    const { command, given } = givenFrom(request);
    // Quality works with catalog filters only; the next filter may be a custom one.
    const { filter: _filter, style: _style, prompt: _prompt, quality: _quality, ...rest } = given;
    // Only styles of the classic look take several photos.
    const look: Given = given.photo2 === undefined ? {} : { look: 'classic' };
    return start(command, { ...rest, ...look, private: !isOpenIn(job, place) });
  },
});
