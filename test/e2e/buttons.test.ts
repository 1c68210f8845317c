// @module-tag slow
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Line, Person, Seen } from './stage/chat.ts';
import { jobsOf, photo, prompted, swap } from './stage/lines.ts';
import { colourOf, made } from './stage/pictures.ts';
import { names, peopleOn, stage, useStage } from './stage/stage.ts';

/** Jobs from a prompt run for ten minutes (`useStage` below), so that they can be cancelled. */
const slow = prompted('slow');

/** While true, group swaps fail at the service. */
let failing = false;

useStage({
  jobs: ({ run }) => {
    if (run === '/v2/run/self-prompt') return { runningMs: 600_000 };
    return run === '/v5/run/multi_swap' && failing ? { failure: 'no faces' } : {};
  },
});

/** Whether something is drawn into a picture that is of one colour. */
const hasMark = async (bytes: Uint8Array): Promise<boolean> => {
  const { channels } = await sharp(bytes).removeAlpha().stats();
  return channels.some(({ stdev }) => stdev > 1);
};

const finished = (person: Person, line: Line) => person.types(line).result();

/** A result, and none of these: what comes of a press may begin with the message that was pressed on. */
const isNew =
  (...known: readonly Seen[]) =>
  ({ id, media }: Seen): boolean =>
    media !== undefined && known.every((each) => each.id !== id);

describe.each(names)('on %s', (name) => {
  const people = (who: string) => peopleOn(name, who);

  it.concurrent('Other filter asks for one and keeps the rest', async () => {
    const { ann } = people('other');
    const first = await finished(ann, { ...swap, given: { filter: '8', gender: 'girl', ratio: 'square' } });
    const before = stage.recorder.runs('/v6/run/face_swap').length;
    const outcome = await ann.answers(ann.presses(first, 'Other filter'), '21');

    await outcome.until(isNew(first), 'another result');
    const run = stage.recorder
      .runs('/v6/run/face_swap')
      .slice(before)
      .find(({ body }) => body.filter_id === 21 && body.gender === 3);

    expect(run?.body).toMatchObject({ ratio: 'square' });
  });

  it.concurrent('Animate makes a video that starts from the result, without the visible mark', async () => {
    const { ann } = people('animate');
    const picture = await finished(ann, { ...swap, given: { filter: '9', gender: 'male' } });
    const outcome = await ann.answers(ann.presses(picture, 'Animate'), `waves on ${name}`);
    const video = await outcome.until(isNew(picture), 'the video');

    expect(video.media?.kind).toBe('video');

    const run = stage.recorder
      .runs('/v1/run/single_frame_video')
      .find(({ body }) => body.prompt === `waves on ${name}`);
    const frame = Buffer.from(String(run?.body.prompt_image).replace(/^data:[^,]+,/, ''), 'base64');

    expect(await colourOf(frame)).toEqual(await colourOf(made));
    expect(await hasMark(picture.media?.bytes ?? Buffer.of())).toBe(true);
    expect(await hasMark(frame)).toBe(false);
  });

  it.concurrent('Cancel frees the slot and says that submitted credits stay spent', async () => {
    const { ann } = people('cancel');
    const outcome = ann.types(slow);
    const card = await outcome.says(/left|longer than usual/);

    ann.presses(card, 'Cancel');
    const ended = await outcome.says('Cancelled.');

    expect(ended.id).toBe(card.id);
    expect(ended.text).toContain('2 credits stay spent');
    expect(ended.buttons).toEqual(['Retry']);
  });

  it.concurrent('Delete in /jobs removes one result; the list shows the rest', async () => {
    const { ann } = people('delete-listed');
    const kept = await finished(ann, { ...swap, given: { filter: '11', gender: 'male' } });
    const result = await finished(ann, { ...swap, given: { filter: '12', gender: 'male' } });
    const both = ['1 · Delete', '2 · Delete'];
    const list = await jobsOf(
      ann,
      ({ buttons }) => both.every((each) => buttons.includes(each)),
      'both jobs',
    );

    ann.presses(list, '1 · Delete');
    await eventually(() => ann.again(result) === undefined, 'the card to go');
    await eventually(() => ann.again(list)?.buttons.includes('1 · Delete'), 'the list to stay');
    await eventually(() => !ann.again(list)?.buttons.includes('2 · Delete'), 'the list to be shorter');

    expect(ann.again(kept)?.media).toBeDefined();

    ann.presses(list, '1 · Delete');
    await eventually(() => ann.again(list)?.text.includes('You have no jobs yet.'), 'the empty list');
    await eventually(() => ann.again(kept) === undefined, 'the other card to go');
  });

  it.concurrent('Show in /jobs shows the card again, with its result', async () => {
    const { ann, bob } = people('show');
    await finished(ann, swap);
    const list = await jobsOf(ann, ({ buttons }) => buttons.includes('1 · Delete'), 'the finished job');

    expect(list.text).toContain('Your jobs');

    const shown = await ann
      .presses(list, '1 · Show')
      .until(({ id, media }) => id !== list.id && media !== undefined, 'the card');
    expect(shown.text).toContain('AI-generated');

    await bob.types({ command: 'jobs' }).says('You have no jobs yet.');
  });
});

it.each(names)(
  'Retry after a failure makes a new job, and the credits of the failed one came back, on %s',
  async (name) => {
    const ann = stage.platforms[name].room().person('Ann retry');

    failing = true;
    const outcome = ann.types({ command: 'groupswap', given: { style: '2' }, photos: { photo } });
    const card = await outcome.says('failed to make this');
    expect(card.text).toContain('3 credits refunded.');
    expect(card.buttons).toEqual(['Retry']);
    await ann.types({ command: 'usage' }).says('You used 0 of');

    failing = false;
    const result = await ann.presses(card, 'Retry').result();
    expect(await colourOf(result.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
    await ann.presses(card, 'Retry').says('already been started');
    await ann.types({ command: 'usage' }).says('You used 3 of');
  },
);
