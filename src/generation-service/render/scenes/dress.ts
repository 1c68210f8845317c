import { line, times } from './brush.ts';
import type { Backdrop, Dress } from './scene.ts';

/** A background at another time of the day. */
export function dressed({ width, height, brush, random }: Backdrop, { time }: Dress, inner: string): string {
  if (time === undefined) return inner;
  const fill =
    time === 'night'
      ? brush.down('#040a2c', '#10184a', '#1c1430')
      : brush.down('#3a1a5e', '#d8583a', '#7a2a3a');
  const stars = times(
    90,
    () =>
      `<circle cx="${random() * width}" cy="${random() * height * 0.45}" r="${0.8 + random() * 2}" fill="#fff" opacity="${0.3 + random() * 0.6}"/>`,
  );
  const veil = `<rect width="${width}" height="${height}" fill="${fill}" opacity="${time === 'night' ? 0.66 : 0.5}"/>`;
  return (
    inner +
    veil +
    (time === 'night' ? stars : brush.soft(width * 0.78, height * 0.3, 420, 300, '#ffb35c', 0.6))
  );
}

/** Rain or snow before everything. */
export function weatherBefore({ width, height, random }: Backdrop, { weather }: Dress): string {
  if (weather === 'rain') {
    return times(190, () => {
      const [x, y, long] = [random() * width * 1.1, random() * height, 40 + random() * 60];
      return line(`M${x} ${y} l${-long * 0.24} ${long}`, '#dbe9ff', 2.4, 0.16 + random() * 0.26);
    });
  }
  if (weather === 'snow') {
    return times(
      170,
      () =>
        `<circle cx="${random() * width}" cy="${random() * height}" r="${2 + random() ** 3 * 13}" fill="#fff" opacity="${0.4 + random() * 0.5}"/>`,
    );
  }
  return '';
}
