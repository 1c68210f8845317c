import { drawSvg, type Operation } from '../canvas.ts';

/** Shapes around the origin, about 1 in radius. */
const shapes = {
  dot: '<circle r="1"/>',
  ring: '<circle r=".85" fill="none" stroke-width=".16" stroke="currentColor"/><circle cx="-.3" cy="-.35" r=".16"/>',
  star: '<path d="M0-1 L.24-.3 L.95-.31 L.38.12 L.59.81 L0 .4 L-.59.81 L-.38.12 L-.95-.31 L-.24-.3 Z"/>',
  sparkle: '<path d="M0-1 C.08-.2 .2-.08 1 0 C.2.08 .08.2 0 1 C-.08.2-.2.08-1 0 C-.2-.08-.08-.2 0-1 Z"/>',
  heart:
    '<path d="M0 .9 C-1.3 0-1 -.9-.45-.85 C-.15-.83 0-.6 0-.42 C0-.6 .15-.83 .45-.85 C1-.9 1.3 0 0 .9 Z"/>',
  petal: '<path d="M0-1 C.8-.4 .7.6 0 1 C-.7.6-.8-.4 0-1 Z"/>',
  leaf: '<path d="M0-1 C.9-.5 .8.5 0 .8 L0 1.15 L-.05 .8 C-.8.5-.9-.5 0-1 Z"/>',
  ribbon: '<rect x="-.9" y="-.34" width="1.8" height=".68" rx=".1"/>',
  streak: '<path d="M-.05-4 L.05-4 L.09 4 L-.09 4 Z"/>',
  flake:
    '<g stroke="currentColor" stroke-width=".14" stroke-linecap="round" fill="none"><path d="M0-1V1M-.87-.5L.87.5M-.87.5L.87-.5M-.25-.8L0-.55L.25-.8M-.25.8L0 .55L.25.8"/></g>',
} as const;

interface Scatter {
  shape: keyof typeof shapes;
  count: number;
  size: readonly [smallest: number, largest: number];
  colours: readonly string[];
  opacity?: readonly [least: number, most: number];
  /** Keeps the middle of the picture freer. */
  around?: boolean;
  /** Degrees each piece may be turned by, around `angle`. */
  turn?: number;
  angle?: number;
  blend?: 'over' | 'screen';
}

/** Many small shapes strewn over the picture. */
export const scatter =
  ({
    shape,
    count,
    size,
    colours,
    opacity = [0.7, 1],
    around = false,
    turn = 360,
    angle = 0,
    blend = 'over',
  }: Scatter): Operation =>
  (canvas, { unit, random }) => {
    const { width, height } = canvas;
    const between = ([from, to]: readonly [number, number]) => from + random() * (to - from);
    const pieces: string[] = [];
    // A picture that is longer than wide has room for more.
    const total = Math.round((count * Math.max(width, height)) / Math.min(width, height) / 1.5);
    for (let n = 0; n < total; n += 1) {
      const x = random() * width;
      const y = random() * height;
      const middle = Math.hypot((x / width - 0.5) * 2.3, (y / height - 0.48) * 2.1);
      if (around && middle < 0.75 + random() * 0.2) continue;
      const colour = colours[Math.floor(random() * colours.length)] ?? '#ffffff';
      const turned = angle + (random() - 0.5) * turn;
      const scale = between(size) * unit;
      pieces.push(
        `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${turned.toFixed(0)}) scale(${scale.toFixed(2)})" fill="${colour}" color="${colour}" opacity="${between(opacity).toFixed(2)}">${shapes[shape]}</g>`,
      );
    }
    return drawSvg(canvas, pieces.join(''), blend);
  };
