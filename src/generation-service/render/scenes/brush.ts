import { type Rgb, rgb } from '../canvas.ts';

export type Brush = ReturnType<typeof createBrush>;

/** Makes the fills, filters and clips of one drawing; each is defined when it is asked for. */
export function createBrush() {
  const defs: string[] = [];
  const define = (make: (id: string) => string): string => {
    const id = `d${defs.length}`;
    defs.push(make(id));
    return `url(#${id})`;
  };
  const stops = (colours: readonly string[]) =>
    colours
      .map((colour, n) => `<stop offset="${n / Math.max(1, colours.length - 1)}" stop-color="${colour}"/>`)
      .join('');
  const down = (...colours: string[]) =>
    define((id) => `<linearGradient id="${id}" x2="0" y2="1">${stops(colours)}</linearGradient>`);
  const across = (...colours: string[]) =>
    define((id) => `<linearGradient id="${id}" y2=".25">${stops(colours)}</linearGradient>`);
  const round = (...colours: string[]) =>
    define((id) => `<radialGradient id="${id}" cx=".36" cy=".26" r=".9">${stops(colours)}</radialGradient>`);
  return {
    defs: () => defs.join(''),
    down,
    across,
    round,
    cloth: (colour: string) => round(lighter(colour, 0.22), colour, mix(colour, '#05030a', 0.5)),
    /** A round fill that is lighter above and darker below by these shares. */
    shaded: (colour: string, above: number, below: number) =>
      round(lighter(colour, above), colour, darker(colour, below)),
    metal: (colour: string) =>
      across(
        mix(colour, '#140a04', 0.55),
        lighter(colour, 0.55),
        colour,
        mix(colour, '#140a04', 0.35),
        lighter(colour, 0.35),
        mix(colour, '#140a04', 0.6),
      ),
    blur: (sigma: number) =>
      define(
        (id) =>
          `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${sigma}"/></filter>`,
      ),
    clip: (d: string) => define((id) => `<clipPath id="${id}"><path d="${d}"/></clipPath>`),
    /** A mask that hides the inside of a line. */
    hole: (d: string) =>
      define(
        (id) =>
          `<mask id="${id}" maskUnits="userSpaceOnUse" x="-2000" y="-2000" width="4000" height="4000"><rect x="-2000" y="-2000" width="4000" height="4000" fill="#fff"/><path d="${d}" fill="#000"/></mask>`,
      ),
    /** An ellipse that fades to nothing at its edge. */
    soft: (x: number, y: number, rx: number, ry: number, colour: string, opacity: number) => {
      const stop = (offset: number, share: number) =>
        `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity * share}"/>`;
      const fill = define(
        (id) => `<radialGradient id="${id}">${stop(0, 1)}${stop(0.45, 0.6)}${stop(1, 0)}</radialGradient>`,
      );
      return ellipse(x, y, rx, ry, fill);
    },
  };
}

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`;

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = ''): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;

export const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;

export const circle = (x: number, y: number, r: number, fill: string, more = ''): string =>
  ellipse(x, y, r, r, fill, more);

export const line = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round" stroke-linejoin="round"/>`;

export const group = (transform: string, ...inner: string[]): string =>
  `<g transform="${transform}">${inner.join('')}</g>`;

/** The drawing and its mirror image at the other side of the middle. */
export const both = (drawing: string): string => `${drawing}<g transform="scale(-1 1)">${drawing}</g>`;

/** The results of `draw` for the numbers from 0 on, joined. */
export const times = (count: number, draw: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => draw(n)).join('');

/** The results of `draw` for each item of a list, joined. */
export const each = <T>(list: readonly T[], draw: (item: T, index: number) => string): string =>
  list.map(draw).join('');

export function mix(a: string, b: string, share: number): string {
  const from = rgb(a);
  const to = rgb(b);
  return hex([0, 1, 2].map((k) => (from[k] ?? 0) * (1 - share) + (to[k] ?? 0) * share));
}

export const lighter = (colour: string, share: number): string => mix(colour, '#ffffff', share);
export const darker = (colour: string, share: number): string => mix(colour, '#000000', share);

export function hex(colour: readonly number[] | Rgb): string {
  return `#${colour
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** A closed line through points, without corners. */
export function smoothLoop(points: readonly (readonly [x: number, y: number])[]): string {
  const at = (n: number) => points[(n + points.length) % points.length] ?? [0, 0];
  const text = ([x, y]: readonly [number, number]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const curves = points.map((from, n) => {
    const before = at(n - 1);
    const to = at(n + 1);
    const after = at(n + 2);
    const first = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6] as const;
    const second = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6] as const;
    return `C${text(first)} ${text(second)} ${text(to)}`;
  });
  return `M${text(at(0))} ${curves.join(' ')} Z`;
}
