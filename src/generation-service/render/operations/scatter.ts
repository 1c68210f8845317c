import type { Operation } from '../canvas.ts';
import { designSize, drawSvg } from '../svg.ts';

type Range = readonly [least: number, most: number];

interface Shape {
  /** The shape around the origin, with a radius of about 1. */
  svg: string;
  size: Range;
  opacity?: Range;
  /** The range of its random rotation, in degrees. */
  turn?: number;
  /** Drawn in the middle of the picture as well, which is otherwise left free. */
  everywhere?: boolean;
  blend?: 'over' | 'screen';
}

const CIRCLE = '<circle r="1"/>';
const RING =
  '<circle r=".85" fill="none" stroke-width=".16" stroke="currentColor"/><circle cx="-.3" cy="-.35" r=".16"/>';
const STAR = '<path d="M0-1 L.24-.3 L.95-.31 L.38.12 L.59.81 L0 .4 L-.59.81 L-.38.12 L-.95-.31 L-.24-.3 Z"/>';
const SPARKLE =
  '<path d="M0-1 C.08-.2 .2-.08 1 0 C.2.08 .08.2 0 1 C-.08.2-.2.08-1 0 C-.2-.08-.08-.2 0-1 Z"/>';
const HEART =
  '<path d="M0 .9 C-1.3 0-1 -.9-.45-.85 C-.15-.83 0-.6 0-.42 C0-.6 .15-.83 .45-.85 C1-.9 1.3 0 0 .9 Z"/>';
const FLAKE =
  '<path stroke="currentColor" stroke-width=".14" stroke-linecap="round" fill="none" d="M0-1V1M-.87-.5L.87.5M-.87.5L.87-.5M-.25-.8L0-.55L.25-.8M-.25.8L0 .55L.25.8"/>';

const SHAPES = {
  speck: { svg: CIRCLE, size: [1, 3.2] },
  snow: { svg: CIRCLE, size: [2, 10], opacity: [0.5, 1], everywhere: true },
  light: { svg: CIRCLE, size: [17, 64], opacity: [0.16, 0.52], blend: 'screen' },
  ring: { svg: RING, size: [10, 42], opacity: [0.4, 0.85], turn: 0 },
  star: { svg: STAR, size: [10, 34] },
  sparkle: { svg: SPARKLE, size: [5, 26] },
  heart: { svg: HEART, size: [15, 52], turn: 60 },
  petal: { svg: '<path d="M0-1 C.8-.4 .7.6 0 1 C-.7.6-.8-.4 0-1 Z"/>', size: [12, 41] },
  leaf: { svg: '<path d="M0-1 C.9-.5 .8.5 0 .8 L0 1.15 L-.05 .8 C-.8.5-.9-.5 0-1 Z"/>', size: [20, 54] },
  ribbon: { svg: '<rect x="-.9" y="-.34" width="1.8" height=".68" rx=".1"/>', size: [11, 25] },
  rain: {
    svg: '<path d="M-.05-4 L.05-4 L.09 4 L-.09 4 Z" transform="rotate(12)"/>',
    size: [6, 16],
    opacity: [0.2, 0.55],
    turn: 3,
    everywhere: true,
  },
  flake: { svg: FLAKE, size: [14, 44] },
} satisfies Record<string, Shape>;

interface Scatter {
  shape: keyof typeof SHAPES;
  /** The number of shapes in a picture of 2:3; a longer picture has more. */
  count: number;
  colours: readonly string[];
}

/** Many small shapes over the picture. */
export const scatter: Operation<Scatter> = (canvas, { shape, count, colours }, context) => {
  const { svg, size, opacity = [0.7, 1], turn = 360, everywhere = false, blend }: Shape = SHAPES[shape];
  const { random } = context;
  const { width, height } = designSize(canvas, context);
  const between = ([least, most]: Range) => (least + random() * (most - least)).toFixed(2);
  const total = Math.round((count * Math.max(width, height)) / Math.min(width, height) / 1.5);
  const pieces = Array.from({ length: total }, () => {
    const x = random() * width;
    const y = random() * height;
    const fromMiddle = Math.hypot((x / width - 0.5) * 2.3, (y / height - 0.48) * 2.1);
    if (!everywhere && fromMiddle < 0.75 + random() * 0.2) return '';
    const colour = colours[Math.floor(random() * colours.length)];
    const angle = between([-turn / 2, turn / 2]);
    const place = `translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${angle}) scale(${between(size)})`;
    const attributes = `fill="${colour}" color="${colour}" opacity="${between(opacity)}"`;
    return `<g transform="${place}" ${attributes}>${svg}</g>`;
  });
  return drawSvg(canvas, context, pieces.join(''), blend);
};
