import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Line, Member, Seen } from './stage/chat.ts';
import { jobsOf, photo, prompted, swap } from './stage/lines.ts';
import { colourOf, filmOf, resultOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const made = await resultOf('#e0a010');
const film = filmOf(99);
/** These names tell the service how to treat the job. */
const slow = prompted('slow');

/** Jobs from a prompt take this long; set low, they end. */
let failing = false;
useStage({
  script: {
    jobs: ({ output, run }) => {
      if (run === '/v2/run/self-prompt') return { queuedMs: 0, runningMs: 600_000, result: made };
      if (run === '/v5/run/multi_swap' && failing) return { queuedMs: 0, runningMs: 0, failure: 'no faces' };
      return { queuedMs: 0, runningMs: 40, result: output === 'video' ? film : made };
    },
  },
});

const finished = (member: Member, line: Line) => member.sends(line).result();

/** A result, and none of these: what comes of a press may begin with the message that was pressed on. */
const isNew =
  (...known: readonly Seen[]) =>
  ({ id, media }: Seen): boolean =>
    media !== undefined && known.every((each) => each.id !== id);

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const people = (who: string) => {
    const room = stage.platforms[name].room();
    return { ann: room.member(`Ann ${who}`), bob: room.member(`Bob ${who}`), mod: room.member(`Mod ${who}`) };
  };

  it.concurrent('Again makes the same again, on a new card', async () => {
    const { ann } = people('again');
    const first = await finished(ann, { ...swap, given: { filter: '7', gender: 'boy' } });
    const before = stage.recorder.runs('/v6/run/face_swap').length;
    const second = await ann.press(first, 'Again').until(isNew(first), 'another result');
    expect(second.id).not.toBe(first.id);
    const mine = stage.recorder
      .runs('/v6/run/face_swap')
      .slice(before)
      .filter(({ body }) => body.filter_id === 7);
    expect(mine.map(({ body }) => body.gender)).toEqual([2]);
    // The first result stays where it is.
    expect(ann.again(first)?.media).toBeDefined();
  });

  it.concurrent('Again pressed twice makes one job; after its end, another', async () => {
    const { ann } = people('twice');
    const filter = name === 'discord' ? 26 : 27;
    const first = await finished(ann, { ...swap, given: { filter: `${filter}`, gender: 'girl' } });
    const runs = () =>
      stage.recorder.runs('/v6/run/face_swap').filter(({ body }) => body.filter_id === filter).length;
    const before = runs();
    const taps = [ann.press(first, 'Again'), ann.press(first, 'Again')];
    const second = await Promise.any(taps.map((tap) => tap.until(isNew(first), 'another result')));
    expect(runs()).toBe(before + 1);
    await ann.press(first, 'Again').until(isNew(first, second), 'one more result');
    expect(runs()).toBe(before + 2);
  });

  it.concurrent('Other filter asks for one and keeps the rest', async () => {
    const { ann } = people('other');
    const first = await finished(ann, { ...swap, given: { filter: '8', gender: 'girl', ratio: 'square' } });
    const before = stage.recorder.runs('/v6/run/face_swap').length;
    const outcome = await ann.writes(ann.press(first, 'Other filter'), '21');
    await outcome.until(isNew(first), 'another result');
    const run = stage.recorder
      .runs('/v6/run/face_swap')
      .slice(before)
      .find(({ body }) => body.filter_id === 21 && body.gender === 3);
    expect(run?.body).toMatchObject({ ratio: 'square' });
  });

  it.concurrent('Animate makes a video that starts from the result', async () => {
    const { ann } = people('animate');
    const picture = await finished(ann, { ...swap, given: { filter: '9', gender: 'male' } });
    const outcome = await ann.writes(ann.press(picture, 'Animate'), `waves on ${name}`);
    const video = await outcome.until(isNew(picture), 'the video');
    expect(video.media?.kind).toBe('video');
    const run = stage.recorder
      .runs('/v1/run/single_frame_video')
      .find(({ body }) => body.prompt === `waves on ${name}`);
    const frame = Buffer.from(String(run?.body.prompt_image).replace(/^data:[^,]+,/, ''), 'base64');
    expect(await colourOf(frame)).toEqual(await colourOf(made));
  });

  it.concurrent('Cancel frees the slot and says that submitted credits stay spent', async () => {
    const { ann } = people('cancel');
    const outcome = ann.sends(slow);
    const card = await outcome.says(/left|longer than usual/);
    ann.press(card, 'Cancel');
    const ended = await outcome.says('Cancelled.');
    expect(ended.id).toBe(card.id);
    expect(ended.text).toContain('2 credits stay spent');
    expect(ended.buttons).toEqual(['Retry']);
  });

  it.concurrent('Delete removes the result from the chat and from /jobs', async () => {
    const { ann } = people('delete');
    const result = await finished(ann, { ...swap, given: { filter: '11', gender: 'male' } });
    await ann.sends({ command: 'jobs' }).says('Face swap');
    ann.press(result, 'Delete');
    await eventually(() => ann.again(result) === undefined, 'the card to go');
    // The record goes right after the card.
    await jobsOf(ann, ({ text }) => text.includes('You have no jobs yet.'), 'the record to go');
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
    ann.press(list, '1 · Delete');
    await eventually(() => ann.again(result) === undefined, 'the card to go');
    await eventually(() => ann.again(list)?.buttons.includes('1 · Delete'), 'the list to stay');
    await eventually(() => !ann.again(list)?.buttons.includes('2 · Delete'), 'the list to be shorter');
    expect(ann.again(kept)?.media).toBeDefined();
    ann.press(list, '1 · Delete');
    await eventually(() => ann.again(list)?.text.includes('You have no jobs yet.'), 'the empty list');
    await eventually(() => ann.again(kept) === undefined, 'the other card to go');
  });

  it.concurrent('Report says so when there is nobody to tell', async () => {
    const { ann, bob } = people('report-nobody');
    const result = await finished(ann, swap);
    await bob.press(result, 'Report').says('nobody could be notified');
  });

  it.concurrent('Show in /jobs shows the card again, with its result', async () => {
    const { ann, bob } = people('show');
    await finished(ann, swap);
    const list = await jobsOf(ann, ({ buttons }) => buttons.includes('1 · Delete'), 'the finished job');
    expect(list.text).toContain('Your jobs');
    const shown = await ann
      .press(list, '1 · Show')
      .until(({ id, media }) => id !== list.id && media !== undefined, 'the card');
    expect(shown.text).toContain('AI-generated');
    await bob.sends({ command: 'jobs' }).says('You have no jobs yet.');
  });
});

it('Retry after a failure makes a new job, and the credits of the failed one came back', async () => {
  failing = true;
  for (const name of ['discord', 'telegram'] as const) {
    const ann = stage.platforms[name].room().member('Ann retry');
    const outcome = ann.sends({ command: 'groupswap', given: { style: '2' }, photos: { photo } });
    const card = await outcome.says('failed to make this');
    expect(card.text).toContain('3 credits refunded.');
    expect(card.buttons).toEqual(['Retry']);
    await ann.sends({ command: 'usage' }).says('You used 0 of');
    failing = false;
    const result = await ann.press(card, 'Retry').result();
    expect(await colourOf(result.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
    await ann.press(card, 'Retry').says('already been started');
    await ann.sends({ command: 'usage' }).says('You used 3 of');
    failing = true;
  }
});
