import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cameraFor } from '../../../../src/generation-service/render/camera.ts';
import { changeFor } from '../../../../src/generation-service/render/transition.ts';
import { renderMotion, renderTransition } from '../../../../src/generation-service/render/video.ts';

const photo = (width: number, height: number, background = '#7d3a44') =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

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

const motion = {
  kind: 'motion',
  prompt: 'zoom in',
  model: 'performance',
  aspect: 'auto',
  seconds: 4,
  seed: 1,
} as const;

describe('videos', { timeout: 240_000 }, () => {
  it.each([
    ['16:9', 960, 540],
    ['2:3', 640, 960],
  ] as const)('have the aspect %s', async (aspect, width, height) => {
    const film = await renderMotion({ ...motion, aspect }, [await photo(40, 40)]);
    expect(describeFilm(film)).toEqual({ seconds: 4, width, height, codec: 'H.264' });
  });

  it.each([6, 8])('run %i s, in the proportions of the photo', async (seconds) => {
    const film = await renderMotion({ ...motion, model: 'simple', seconds }, [await photo(40, 80)]);
    expect(describeFilm(film)).toEqual({ seconds, width: 320, height: 640, codec: 'H.264' });
  });

  it('run from one photo to the other in the proportions of the first', async () => {
    const task = { kind: 'transition', prompt: 'melt', seconds: 4, seed: 1 } as const;
    const film = await renderTransition(task, [await photo(60, 40), await photo(40, 60, '#44aa66')]);
    expect(describeFilm(film)).toEqual({ seconds: 4, width: 720, height: 480, codec: 'H.264' });
  });
});

describe('the camera', () => {
  const path = (prompt: string) => {
    const camera = cameraFor(prompt);
    return { start: camera(0), end: camera(1), middle: camera(0.5) };
  };

  it('comes closer for "zoom in" and goes away for "zoom out"', () => {
    const closer = path('slowly zoom in on her');
    const away = path('zoom out');
    expect(closer.end.zoom).toBeGreaterThan(closer.start.zoom);
    expect(away.end.zoom).toBeLessThan(away.start.zoom);
  });

  it('moves to the named side', () => {
    expect(path('pan left').end.x).toBeLessThan(path('pan left').start.x);
    expect(path('the camera drifts to the right').end.x).toBeGreaterThan(0.5);
    expect(path('tilt up').end.y).toBeLessThan(path('tilt up').start.y);
  });

  it('turns for "spin" and trembles for "shake"', () => {
    expect(path('spin around').end.turn).not.toBe(path('spin around').start.turn);
    const shake = cameraFor('handheld shake');
    expect(new Set([0.1, 0.2, 0.3, 0.4].map((t) => shake(t).x)).size).toBe(4);
  });

  it('joins several wishes', () => {
    const both = path('zoom in and pan left');
    expect(both.end.zoom).toBeGreaterThan(both.start.zoom);
    expect(both.end.x).toBeLessThan(both.start.x);
  });

  it('still moves when no word is known', () => {
    expect(path('xyz').end).not.toEqual(path('xyz').start);
  });

  it.each(['zoom in', 'pan left', 'spin', 'shake', 'tilt', 'xyz', 'wave', 'zoom out and spin'])(
    'never looks past the edge: %s',
    (prompt) => {
      const camera = cameraFor(prompt);
      for (let t = 0; t <= 1; t += 0.05) {
        const { x, y, zoom, turn } = camera(t);
        const half = (Math.cos(turn) + Math.abs(Math.sin(turn))) / 2 / zoom;
        for (const middle of [x, y]) {
          expect(middle - half).toBeGreaterThanOrEqual(-0.02);
          expect(middle + half).toBeLessThanOrEqual(1.02);
        }
      }
    },
  );
});

describe('the transition', () => {
  it.each(['fade', 'wipe', 'circle', 'blinds', 'spin', 'melt', 'dissolve', 'sunrise'])(
    '%s begins with one picture and ends with the other',
    (prompt) => {
      const change = changeFor(prompt);
      for (const u of [0, 0.3, 0.99]) {
        for (const v of [0, 0.5, 0.99]) {
          expect(change(u, v, 0)).toBeCloseTo(0, 1);
          expect(change(u, v, 1)).toBeCloseTo(1, 1);
        }
      }
    },
  );
});
