import { describe, expect, it } from 'vitest';
import type { JobKind } from '../../src/command/kinds.ts';
import type { Line } from './stage/chat.ts';
import { colourOf, film, made, photoOf } from './stage/pictures.ts';
import { names, stage, useStage } from './stage/stage.ts';

const red = await photoOf('#c02020');
const blue = await photoOf('#2020c0');
const green = await photoOf('#20c020');

interface Case {
  readonly path: string;
  readonly line: Line;
  readonly body: Readonly<Record<string, unknown>>;
  readonly pictures: Readonly<Record<string, readonly Buffer[]>>;
}

/** What a person gives, and what must arrive at the run endpoint of each kind, which the compiler demands. */
const endpoints: Readonly<Record<JobKind, Case>> = {
  'face-swap-v6': {
    path: '/v6/run/face_swap',
    line: {
      command: 'faceswap',
      given: { filter: '3', gender: 'female', ratio: 'square', quality: 'v6' },
      photos: { photo: red },
    },
    body: { gender: 1, filter_id: 3, ratio: 'square', quality_mode: 'v6' },
    pictures: { base64: [red] },
  },
  'face-swap-v5': {
    path: '/v5/run/face_swap',
    line: {
      command: 'faceswap',
      given: { filter: '4', gender: 'boy', engine: 'v5' },
      photos: { photo: blue },
    },
    body: { gender: 2, filter_id: 4 },
    pictures: { base64: [blue] },
  },
  'face-swap-v1': {
    path: '/v1/run/faceswap',
    line: {
      command: 'faceswap',
      given: { filter: '5', gender: 'group', engine: 'v1' },
      photos: { photo: red },
    },
    body: { gender: 4, filter_id: 5 },
    pictures: { image: [red] },
  },
  'self-prompt': {
    path: '/v2/run/self-prompt',
    line: {
      command: 'faceswap',
      given: { prompt: 'an astronaut on the moon', ratio: 'landscape' },
      photos: { photo: green },
    },
    body: { prompt: 'an astronaut on the moon', ratio: 'landscape' },
    pictures: { image: [green] },
  },
  'multi-swap-realistic': {
    path: '/v5/run/multi_swap',
    line: { command: 'groupswap', given: { style: '2', outpaint: 'yes' }, photos: { photo: red } },
    body: { style_id: 2, outpaint: true },
    pictures: { input_image: [red] },
  },
  'multi-swap-realistic-prompt': {
    path: '/v5/run/multi_swap_self_prompt',
    line: { command: 'groupswap', given: { prompt: 'a rock band' }, photos: { photo: red, photo2: blue } },
    body: { prompt: 'a rock band' },
    pictures: { input_images: [red, blue] },
  },
  'multi-swap-stylized': {
    path: '/v1/run/stylized_multi_swap',
    line: { command: 'groupswap', given: { style: '1', look: 'stylized' }, photos: { photo: blue } },
    body: { style_id: 1, outpaint: false },
    pictures: { input_image: [blue] },
  },
  'multi-swap-stylized-prompt': {
    path: '/v1/run/stylized_multi_swap_self_prompt',
    line: { command: 'groupswap', given: { prompt: 'pirates', look: 'stylized' }, photos: { photo: green } },
    body: { prompt: 'pirates' },
    pictures: { input_images: [green] },
  },
  'multi-swap-classic': {
    path: '/v4/multi_swap_styles/',
    line: {
      command: 'groupswap',
      given: { style: '1', look: 'classic' },
      photos: { photo: red, photo2: blue, photo3: green },
    },
    body: { filter_id: 1 },
    pictures: { input_images: [red, blue, green] },
  },
  'single-frame-video': {
    path: '/v1/run/single_frame_video',
    line: {
      command: 'animate',
      given: { prompt: 'a slow zoom', model: 'performance', duration: '6s', aspect: '9:16' },
      photos: { photo: red },
    },
    body: { prompt: 'a slow zoom', model: 'performance', duration: '6s', aspect_ratio: '9:16' },
    pictures: { prompt_image: [red] },
  },
  'first-last-frame-video': {
    path: '/v1/run/first_last_frame_video',
    line: {
      command: 'transition',
      given: { prompt: 'a morph', duration: '8s' },
      photos: { first: red, last: blue },
    },
    body: { prompt: 'a morph', model: 'advanced', duration: '8s' },
    pictures: { first_frame: [red], last_frame: [blue] },
  },
};

useStage();

const bytesIn = (value: unknown): Buffer => {
  const text = String(value);
  return Buffer.from(text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text, 'base64');
};

describe.each(names)('on %s', (name) => {
  it.concurrent.each(Object.values(endpoints))(
    'submits to $path and shows the result on the same card',
    async ({ path, line, body, pictures }) => {
      // Telegram lets a bot hear a whole album only where it hears everything.
      const ann = stage.platforms[name].room({ hearsAll: true }).member(`Ann ${path}`);
      const before = stage.recorder.runs(path).length;
      const outcome = ann.sends(line);
      const card = await outcome.until(({ buttons }) => buttons.length > 0, 'a card');
      const video = path.endsWith('_video');
      const result = await outcome.result();

      const runs = stage.recorder.runs(path).slice(before);
      expect(runs).toHaveLength(1);
      const sent = { ...runs[0]?.body };
      for (const [field, expected] of Object.entries(pictures)) {
        const values = [sent[field]].flat();
        delete sent[field];
        const colours = await Promise.all(values.map((each) => colourOf(bytesIn(each))));
        expect(colours).toEqual(await Promise.all(expected.map(colourOf)));
        if (video) expect(String(values[0])).toMatch(/^data:image\/jpeg;base64,/);
      }
      expect(sent).toEqual(body);
      expect(runs[0]?.headers).toMatchObject(
        video
          ? { authorization: `Bearer ${stage.service.token}` }
          : { [stage.service.apiKeyHeader.toLowerCase()]: stage.service.apiKey },
      );

      expect(result.id).toBe(card.id);
      expect(outcome.now()).toHaveLength(1);
      expect(result.private).toBe(false);
      expect(result.text).toContain('AI-generated');
      expect(result.media?.kind).toBe(video ? 'video' : 'image');
      if (video) expect(Buffer.from(result.media?.bytes ?? []).subarray(0, film.length)).toEqual(film);
      else expect(await colourOf(result.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
      expect(result.buttons).toEqual(expect.arrayContaining(['Again', 'Delete', 'Report']));
      expect(result.buttons.includes('Animate')).toBe(!video);
    },
  );
});
