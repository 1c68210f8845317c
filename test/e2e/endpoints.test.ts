// @module-tag slow
import { describe, expect, it } from 'vitest';
import type { Line } from './stage/chat.ts';
import { colourOf, film, made, photoOf } from './stage/pictures.ts';
import { names, stage, useStage } from './stage/stage.ts';

const red = await photoOf('#c02020');
const blue = await photoOf('#2020c0');
const green = await photoOf('#20c020');

/** The line of a person for each command, and what must arrive at the service. Other kinds: test/contract/generation. */
const endpoints: readonly {
  readonly path: string;
  readonly line: Line;
  readonly body: Readonly<Record<string, unknown>>;
  readonly pictures: Readonly<Record<string, readonly Buffer[]>>;
}[] = [
  {
    path: '/v6/run/face_swap',
    line: {
      command: 'faceswap',
      given: { filter: '3', gender: 'female', ratio: 'square', quality: 'v6' },
      photos: { photo: red },
    },
    body: { gender: 1, filter_id: 3, ratio: 'square', quality_mode: 'v6' },
    pictures: { base64: [red] },
  },
  {
    path: '/v4/multi_swap_styles/',
    line: {
      command: 'groupswap',
      given: { style: '1', look: 'classic' },
      photos: { photo: red, photo2: blue, photo3: green },
    },
    body: { filter_id: 1 },
    pictures: { input_images: [red, blue, green] },
  },
  {
    path: '/v1/run/single_frame_video',
    line: {
      command: 'animate',
      given: { prompt: 'a slow zoom', model: 'performance', duration: '6s', aspect: '9:16' },
      photos: { photo: red },
    },
    body: { prompt: 'a slow zoom', model: 'performance', duration: '6s', aspect_ratio: '9:16' },
    pictures: { prompt_image: [red] },
  },
  {
    path: '/v1/run/first_last_frame_video',
    line: {
      command: 'transition',
      given: { prompt: 'a morph', duration: '8s' },
      photos: { first: red, last: blue },
    },
    body: { prompt: 'a morph', model: 'advanced', duration: '8s' },
    pictures: { first_frame: [red], last_frame: [blue] },
  },
];

useStage();

const bytesIn = (value: unknown): Buffer => {
  const text = String(value);
  return Buffer.from(text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text, 'base64');
};

describe.each(names)('on %s', (name) => {
  it.concurrent.each(endpoints)(
    'a job is submitted to $path, and its result is shown on the same card',
    async ({ path, line, body, pictures }) => {
      // Telegram lets a bot hear a whole album only where it hears everything.
      const ann = stage.platforms[name].room({ hearsAll: true }).person(`Ann ${path}`);
      const before = stage.recorder.runs(path).length;
      const outcome = ann.types(line);
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
