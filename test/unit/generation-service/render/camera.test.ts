import { describe, expect, it } from 'vitest';
import { cameraFor } from '../../../../src/generation-service/render/camera.ts';

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

  it('turns for "spin" and shakes for "shake"', () => {
    expect(path('spin around').end.turn).not.toBe(path('spin around').start.turn);
    const shake = cameraFor('handheld shake');
    expect(new Set([0.1, 0.2, 0.3, 0.4].map((t) => shake(t).x)).size).toBe(4);
  });

  it('combines several moves', () => {
    const both = path('zoom in and pan left');
    expect(both.end.zoom).toBeGreaterThan(both.start.zoom);
    expect(both.end.x).toBeLessThan(both.start.x);
  });

  it('moves without a known word', () => {
    expect(path('xyz').end).not.toEqual(path('xyz').start);
  });

  it('is not led by a part of a word', () => {
    expect(path('a bright, browbeaten parakeet')).toEqual(path('xyz'));
  });

  it.each(['zoom in', 'pan left', 'spin', 'shake', 'tilt', 'xyz', 'wave', 'zoom out and spin'])(
    'stays inside the photo: %s',
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
