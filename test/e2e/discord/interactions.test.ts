// @module-tag slow
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { Line } from '../stage/chat.ts';
import { jobsOf, photo } from '../stage/lines.ts';
import { filmOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const noise = await sharp(randomBytes(2000 * 1900 * 3), { raw: { width: 2000, height: 1900, channels: 3 } })
  .png()
  .toBuffer();
const film = filmOf(11 * 1024 * 1024);
const swap = (given: Record<string, string> = {}): Line => ({
  command: 'faceswap',
  given: { filter: '3', gender: 'female', ...given },
  photos: { photo },
});
const slow = (given: Record<string, string> = {}): Line => ({
  command: 'faceswap',
  given: { prompt: 'slow', ...given },
  photos: { photo },
});
const quarter = 16 * 60_000;

useStage({
  jobs: ({ run, output }) => {
    if (run === '/v2/run/self-prompt') return { runningMs: 1_500 };
    if (run === '/v5/run/multi_swap') return { result: noise };
    return output === 'video' ? { result: film } : {};
  },
});

const card = ({ buttons }: { readonly buttons: readonly string[] }): boolean => buttons.includes('Cancel');
const result = ({ media }: { readonly media?: unknown }): boolean => media !== undefined;

it('private jobs stay private: after the token has expired, their results come in direct messages', async () => {
  const room = stage.platforms.discord.room();
  const ann = room.person('Ann private');
  const shown = await ann.types(swap({ private: 'yes' })).until(result, 'the result');

  expect(shown.private).toBe(true);

  const outcome = ann.types(slow({ private: 'yes' }));
  await outcome.until(card, 'a card');
  stage.later(quarter);
  const sent = await eventually(() => ann.at('direct').sees().find(result), 'the result in direct messages');

  expect(sent.text).toContain('AI-generated');
  expect(ann.seenByAll()).toEqual([]);
  expect(room.person('Bob private').again(shown)).toBeUndefined();
});

it('a result whose card was deleted meanwhile comes by direct message and stays in /jobs', async () => {
  const ann = stage.platforms.discord.room().person('Ann deleted');
  const first = await ann.types(slow()).until(card, 'a card');

  ann.takesDown(first);
  const sent = await eventually(() => ann.at('direct').sees().find(result), 'the result in direct messages');

  expect(sent.text).toContain('It could not be shown where you asked for it.');

  const list = await jobsOf(ann, ({ text }) => text.includes('done'), 'the job to be done');
  await ann.presses(list, '1 · Show').until(result, 'the result once more');
});

it('a picture over the limit is re-encoded, a video over the limit is linked', async () => {
  const ann = stage.platforms.discord.room().person('Ann oversize');
  const picture = await ann
    .types({ command: 'groupswap', given: { style: '2' }, photos: { photo } })
    .until(result, 'the picture');

  expect(noise.length).toBeGreaterThan(10 * 1024 * 1024);
  expect(picture.media?.kind).toBe('image');
  expect(picture.media?.bytes.length).toBeLessThanOrEqual(10 * 1024 * 1024);

  const meta = await sharp(picture.media?.bytes).metadata();
  expect(meta).toMatchObject({ format: 'jpeg', width: 2000, height: 1900 });

  const video = await ann
    .types({ command: 'animate', given: { prompt: 'zoom' }, photos: { photo } })
    .until(({ text }) => text.includes('AI-generated'), 'the video');
  expect(video.media).toBeUndefined();
  expect(video.text).toMatch(/https?:\/\/\S+\.mp4/);
  for (const secret of [stage.service.apiKey, stage.service.token]) expect(video.text).not.toContain(secret);
});
