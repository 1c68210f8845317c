import { defineButton } from '../../src/command/command.ts';
import { isOpenIn } from '../../src/command/desk/access/check-press.ts';

/** The result becomes the first frame of a video; the prompt is asked for. */
export const animate = defineButton({
  verb: 'animate',
  about: 'job',
  access: 'owner',
  async run({ jobs, words, start, place }, job) {
    const photo = await jobs.resultPhoto(job.id);
    if (photo === undefined) return { kind: 'note', text: words.press.noResult };
    return start('animate', { photo, private: !isOpenIn(job, place) });
  },
});
