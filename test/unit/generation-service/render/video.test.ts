// @module-tag slow
// @module-tag longest
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeVideo } from '../../../../src/generation-service/render/encode-video.ts';
import { renderMotion, renderTransition } from '../../../../src/generation-service/render/video.ts';
import { blendMark, markFor } from '../../../../src/picture/mark.ts';
import { photoOf } from '../../../e2e/stage/pictures.ts';
import { faceIn } from '../../../people/face-in.ts';
import { syntheticPoints } from '../../../people/synthetic-face.ts';

const photo = (width: number, height: number, background = '#7d3a44') => photoOf(background, width, height);

/** Reads the boxes of an MP4 that say how long it runs, how large it is and how it is coded. */
function describeFilm(bytes: Uint8Array) {
  const film = Buffer.from(bytes);
  const header = film.indexOf('mvhd') + 4;
  const track = film.indexOf('tkhd') + 4;
  return {
    seconds: film.readUInt32BE(header + 16) / film.readUInt32BE(header + 12),
    width: film.readUInt32BE(track + 76) / 65536,
    height: film.readUInt32BE(track + 80) / 65536,
    codec: film.includes('avc1') ? 'H.264' : 'unknown',
  };
}

/** The frames that the film lists as whole, and those that are, counted from 1. */
function keyFramesOf(bytes: Uint8Array) {
  const film = Buffer.from(bytes);
  const numbers = (box: string, count: number, from: number) =>
    Array.from({ length: film.readUInt32BE(film.indexOf(box) + count) }, (_, n) =>
      film.readUInt32BE(film.indexOf(box) + from + n * 4),
    );
  let [at = 0] = numbers('stco', 8, 12);
  const whole = numbers('stsz', 12, 16).flatMap((size, n) => {
    const end = at + size;
    let isWhole = false;
    for (; at < end; at += 4 + film.readUInt32BE(at)) isWhole ||= ((film[at + 4] ?? 0) & 31) === 5;
    return isWhole ? [n + 1] : [];
  });
  return { listed: numbers('stss', 8, 12), whole };
}

/** The frames of a video. Behind them stands when it was made, in seconds, which differs between two that are otherwise alike. */
const framesOf = (film: Uint8Array): Buffer => {
  const bytes = Buffer.from(film);
  return bytes.subarray(0, bytes.indexOf('moov'));
};

const motion = {
  kind: 'motion',
  prompt: 'zoom in',
  model: 'performance',
  aspect: 'auto',
  seconds: 4,
  seed: 1,
} as const;

describe('videos', () => {
  it.each([
    { aspect: '16:9', width: 960, height: 540 },
    { aspect: '2:3', width: 640, height: 960 },
  ] as const)('videos have the aspect $aspect', async ({ aspect, width, height }) => {
    const film = await renderMotion({ ...motion, aspect }, [await photo(40, 40)], []);
    expect(describeFilm(film)).toEqual({ seconds: 4, width, height, codec: 'H.264' });
  });

  it.each([
    { seconds: 6, keys: [1, 49, 97] },
    { seconds: 8, keys: [1, 49, 97, 145] },
  ])(
    'videos run $seconds s, in the proportions of the photo, and list the frames to seek to',
    async ({ seconds, keys }) => {
      const film = await renderMotion({ ...motion, model: 'simple', seconds }, [await photo(40, 80)], []);
      expect(describeFilm(film)).toEqual({ seconds, width: 320, height: 640, codec: 'H.264' });
      expect(keyFramesOf(film)).toEqual({ listed: keys, whole: keys });
    },
  );

  it('each frame of a video has the visible mark, if videos get it', async () => {
    const size = { width: 96, height: 64 };
    const quality = { longSide: 96, framesPerSecond: 8, quantization: 20 };
    const draw = (t: number, frame: Uint8Array): void => void frame.fill(60 + 90 * t);
    const drawMarked = (t: number, frame: Uint8Array): void => {
      draw(t, frame);
      blendMark(markFor(size), frame, { width: 96, channels: 4 });
    };

    const film = framesOf(await encodeVideo(size, 1, quality, draw, true));

    expect(film).toEqual(framesOf(await encodeVideo(size, 1, quality, drawMarked)));
    expect(film.equals(framesOf(await encodeVideo(size, 1, quality, draw)))).toBe(false);
  });

  it('both kinds of video get the visible mark', async () => {
    const one = await photo(40, 40);
    const task = { kind: 'transition', prompt: 'melt', seconds: 1 } as const;
    const short = { ...motion, model: 'simple', seconds: 1 } as const;
    const films = async (hasMark: boolean) => [
      framesOf(await renderMotion(short, [one], [], hasMark)),
      framesOf(await renderTransition(task, [one, one], [], [], hasMark)),
    ];
    const [marked, plain] = [await films(true), await films(false)];
    expect(marked.map((film, index) => film.equals(plain[index] ?? film))).toEqual([false, false]);
  });

  it('videos run from one photo to the other in the proportions of the first', async () => {
    const task = { kind: 'transition', prompt: 'melt', seconds: 4 } as const;
    const film = await renderTransition(task, [await photo(60, 40), await photo(40, 60, '#44aa66')], [], []);
    expect(describeFilm(film)).toEqual({ seconds: 4, width: 720, height: 480, codec: 'H.264' });
  });

  const face = (x: number, y: number, height: number) =>
    faceIn(
      { left: x - height / 2, top: y - height / 2, width: height, height },
      syntheticPoints(x, y, height),
    );

  const drawn = (background: string) =>
    sharp({ create: { width: 90, height: 60, channels: 3, background } })
      .composite([{ input: { create: { width: 30, height: 30, channels: 3, background: '#c89878' } } }])
      .png()
      .toBuffer();

  it('videos move people, wherever the crop leaves them', async () => {
    const task = { ...motion, model: 'simple', aspect: '9:16', prompt: 'laughs' } as const;

    const inputs = [await drawn('#204060')];
    const film = await renderMotion(task, inputs, [[face(45, 30, 40), face(8, 30, 12)]]);

    expect(describeFilm(film)).toEqual({ seconds: 4, width: 360, height: 640, codec: 'H.264' });
    expect(Buffer.from(film).equals(await renderMotion(task, inputs, []))).toBe(false);
  });

  it('videos turn one person into another', async () => {
    const task = { kind: 'transition', prompt: 'she becomes him', seconds: 4 } as const;
    const cutOut = { width: 45, height: 30, alpha: new Uint8Array(45 * 30).fill(255, 400, 900) };

    const inputs = [await drawn('#204060'), await drawn('#80a0c0')];
    const film = await renderTransition(
      task,
      inputs,
      [[face(45, 30, 40)], [face(30, 30, 20)]],
      [cutOut, cutOut],
    );

    expect(describeFilm(film)).toEqual({ seconds: 4, width: 720, height: 480, codec: 'H.264' });
  });
});
