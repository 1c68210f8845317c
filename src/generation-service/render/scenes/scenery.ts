import { each, ellipse, group, lighter, line, path, rect, times } from './brush.ts';
import type { Backdrop, SceneChanges } from './scene.ts';

/** A sky or a wall, with colours from top to bottom. */
export const sky = ({ width, height, brush }: Backdrop, ...colours: string[]): string =>
  rect(0, 0, width, height, brush.down(...colours));

export function stars({ width, height, random }: Backdrop, count: number, low = 0.6): string {
  return times(
    count,
    () =>
      `<circle cx="${random() * width}" cy="${random() * height * low}" r="${0.7 + random() ** 3 * 3}" fill="#fff" opacity="${0.35 + random() * 0.6}"/>`,
  );
}

/** Clouds of soft balls. */
export function cloud(
  { brush, random }: Backdrop,
  x: number,
  y: number,
  size: number,
  colour = '#ffffff',
  opacity = 0.85,
): string {
  return group(
    `translate(${x} ${y}) scale(${size})`,
    times(11, (n) => {
      const t = n / 10 - 0.5;
      return brush.soft(
        t * 340,
        -Math.cos(t * 3) * 46 + random() * 24,
        76 + random() * 40,
        58 + random() * 26,
        colour,
        opacity,
      );
    }),
  );
}

/** A range of hills or mountains: `sharp` ones have peaks. */
export function hills(
  { width, height, random, brush }: Backdrop,
  y: number,
  rise: number,
  top: string,
  bottom: string,
  sharp = false,
): string {
  const steps = sharp ? 16 : 26;
  const phase = random() * 9;
  const points = Array.from({ length: steps + 1 }, (_, n) => {
    const wave = Math.sin(n * 0.7 + phase) * 0.6 + Math.sin(n * 1.9 + phase * 2) * 0.4;
    const peak = sharp ? (n % 2 === 0 ? 1 : -0.35) * (0.5 + random() * 0.7) : wave;
    return `${(width * n) / steps} ${y - peak * rise}`;
  });
  return path(`M0 ${height} L${points.join(' L')} L${width} ${height} Z`, brush.down(top, bottom));
}

/** Water from `y` down, with waves that grow towards the viewer. */
export function sea(
  { width, height, random, brush }: Backdrop,
  y: number,
  far: string,
  near: string,
): string {
  const waves = times(64, () => {
    const depth = random() ** 1.4;
    const x = random() * width;
    const at = y + 8 + depth * (height - y);
    const long = 24 + depth * 150;
    return line(
      `M${x} ${at} q${long / 2} ${-4 - depth * 13} ${long} 0`,
      lighter(near, 0.55),
      2 + depth * 4,
      0.4,
    );
  });
  return `${rect(0, y, width, height - y, brush.down(far, near))}${waves}`;
}

/** Spots of light that are out of focus. */
export function bokeh(
  { width, height, random, brush }: Backdrop,
  count: number,
  colours: readonly string[],
): string {
  return times(count, (n) => {
    const r = 18 + random() * 60;
    const x = random() * width;
    const y = random() * height;
    const colour = colours[n % colours.length] ?? '#ffffff';
    return (
      ellipse(x, y, r, r, colour, `opacity="${0.1 + random() * 0.2}"`) +
      brush.soft(x, y, r * 1.5, r * 1.5, colour, 0.25)
    );
  });
}

/** Darkens the corners. */
export function darkCorners({ width, height, brush }: Backdrop, colour = '#05030a', strength = 0.6): string {
  return each([0, height], (y) =>
    each([0, width], (x) => brush.soft(x, y, width * 0.62, height * 0.5, colour, strength)),
  );
}

/** Light that falls from a point. */
export function beams(
  { height, random }: Backdrop,
  x: number,
  y: number,
  count: number,
  colour: string,
  opacity = 0.14,
): string {
  return times(count, (n) => {
    const angle = (Math.PI * (n + 0.5)) / count + (random() - 0.5) * 0.1;
    const a = angle - 0.07;
    const b = angle + 0.07;
    const far = height * 1.6;
    return path(
      `M${x} ${y} L${x + Math.cos(a) * far} ${y + Math.sin(a) * far} L${x + Math.cos(b) * far} ${y + Math.sin(b) * far} Z`,
      colour,
      `opacity="${opacity}"`,
    );
  });
}

/** Changes a background to another time of the day. */
export function atTimeOfDay(backdrop: Backdrop, { time }: SceneChanges, inner: string): string {
  const { width, height, brush } = backdrop;
  if (time === undefined) return inner;
  const fill =
    time === 'night'
      ? brush.down('#040a2c', '#10184a', '#1c1430')
      : brush.down('#3a1a5e', '#d8583a', '#7a2a3a');
  const veil = rect(0, 0, width, height, fill, `opacity="${time === 'night' ? 0.66 : 0.5}"`);
  return (
    inner +
    veil +
    (time === 'night'
      ? stars(backdrop, 90, 0.45)
      : brush.soft(width * 0.78, height * 0.3, 420, 300, '#ffb35c', 0.6))
  );
}

/** Rain or snow in front of everything. */
export function weatherBefore({ width, height, random }: Backdrop, { weather }: SceneChanges): string {
  if (weather === 'rain') {
    return times(190, () => {
      const x = random() * width * 1.1;
      const y = random() * height;
      const long = 40 + random() * 60;
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
