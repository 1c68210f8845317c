import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Credential, dataUri, follow, photo, send, submit } from './http-calls.ts';
import { useTarget } from './target.ts';

/** Minutes, because a real service takes them for a video. */
const patience = 600_000;

interface RunCase {
  run: string;
  status: string;
  credential: Credential;
  words: string[];
  /** Exact size of the picture, where the interface states one. */
  size?: [width: number, height: number];
  body: (base64: string) => Record<string, unknown>;
}

const onlyQueue = ['IN_QUEUE', 'COMPLETED'];
const flow = ['QUEUED', 'RUNNING', 'COMPLETED'];
const multi = ['IN_QUEUE', 'PROCESSING', 'COMPLETED'];
const filming = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'];

const v6 = { run: '/v6/run/face_swap', status: '/v6/status', credential: 'key', words: onlyQueue } as const;
const v2 = { status: '/v2/status', credential: 'key', words: flow } as const;
const v5Multi = { status: '/v5/status_multi_swap', credential: 'key', words: multi } as const;
const stylized = { status: '/v1/status_stylized_multi_swap', credential: 'key', words: flow } as const;
const video = { status: '/v1/status/single_frame_video', credential: 'token', words: filming } as const;

const cases: RunCase[] = [
  {
    ...v6,
    words: [...onlyQueue],
    size: [1200, 1800],
    body: (base64) => ({ base64, gender: 0, filter_id: 2 }),
  },
  {
    ...v6,
    words: [...onlyQueue],
    size: [1800, 1200],
    body: (base64) => ({ base64, gender: 4, filter_id: 5, ratio: 'landscape', quality_mode: 'v6' }),
  },
  {
    ...v6,
    words: [...onlyQueue],
    size: [1280, 1280],
    body: (base64) => ({ base64: dataUri(base64), gender: 1, filter_id: '22', ratio: 'square' }),
  },
  {
    run: '/v5/run/face_swap',
    status: '/v5/status',
    credential: 'key',
    words: [...onlyQueue],
    body: (base64) => ({ base64, gender: 3, filter_id: 19 }),
  },
  { ...v2, run: '/v1/run/faceswap', words: [...flow], body: (image) => ({ image, filter_id: 7 }) },
  {
    ...v2,
    run: '/v2/run/self-prompt',
    words: [...flow],
    body: (image) => ({ image, prompt: 'a sepia postcard' }),
  },
  {
    ...v5Multi,
    run: '/v5/run/multi_swap',
    words: [...multi],
    body: (input_image) => ({ input_image, style_id: 2, outpaint: false }),
  },
  {
    ...v5Multi,
    run: '/v5/run/multi_swap_self_prompt',
    words: [...multi],
    body: (image) => ({ input_images: [image, image], prompt: 'old friends' }),
  },
  {
    ...stylized,
    run: '/v1/run/stylized_multi_swap',
    words: [...flow],
    body: (input_image) => ({ input_image, style_id: 20, outpaint: false }),
  },
  {
    ...stylized,
    run: '/v1/run/stylized_multi_swap_self_prompt',
    words: [...flow],
    body: (image) => ({ input_images: [image], prompt: 'vintage' }),
  },
  {
    run: '/v4/multi_swap_styles/',
    status: '/v1/status_multi_swap',
    credential: 'key',
    words: [...flow],
    body: (image) => ({ input_images: [image], filter_id: 3 }),
  },
  {
    ...video,
    run: '/v1/run/single_frame_video',
    words: [...filming],
    body: (image) => ({ prompt_image: dataUri(image), prompt: 'zoom in', model: 'simple', duration: '4s' }),
  },
  {
    ...video,
    run: '/v1/run/first_last_frame_video',
    words: [...filming],
    body: (image) => ({
      first_frame: dataUri(image),
      last_frame: dataUri(image),
      prompt: 'a slow dissolve',
      model: 'advanced',
      duration: '4s',
    }),
  },
];

describe('every run endpoint, from submission to result', () => {
  const target = useTarget();

  it.each(cases)('$run is polled on $status ($words)', { timeout: patience }, async (given) => {
    const { id, status } = await submit(target(), given.run, given.credential, given.body(await photo()));
    expect(status).toBe(given.words[0]);

    const reports = await follow(target(), given.status, id, given.credential);
    const last = reports.at(-1);
    expect(last?.status).toBe('COMPLETED');
    for (const report of reports) {
      expect(report.id).toBe(id);
      expect(given.words).toContain(report.status);
    }
    if (given.credential === 'token') {
      for (const report of reports.slice(0, -1)) expect(report.output).toEqual({});
      expect(last?.output?.video_status).toBe('completed');
      const film = Buffer.from(await (await fetch(last?.output?.video_url ?? '')).arrayBuffer());
      expect(film.toString('latin1', 4, 8)).toBe('ftyp');
    } else {
      const images = last?.output?.images ?? [];
      expect(images).toHaveLength(1);
      const { format, width, height } = await sharp(Buffer.from(images[0] ?? '', 'base64')).metadata();
      expect(format).toBe('png');
      if (given.size !== undefined) expect([width, height]).toEqual(given.size);
    }
  });

  it('knows a job on the status path of its own family only', async () => {
    const body = { image: await photo(), filter_id: 2 };
    const { id } = await submit(target(), '/v1/run/faceswap', 'key', body);
    for (const path of ['/v6/status', '/v5/status', '/v5/status_multi_swap', '/v1/status_multi_swap']) {
      expect((await send(target(), 'POST', `${path}/${id}`, { credential: 'key' })).status).toBe(404);
    }
    expect((await send(target(), 'POST', `/v2/status/${id}`, { credential: 'key' })).status).toBe(200);
    expect((await send(target(), 'POST', '/v2/status/unknown-job', { credential: 'key' })).status).toBe(404);
  });
});
