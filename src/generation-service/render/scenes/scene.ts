import type { Size } from '../canvas.ts';
import type { Light } from '../faces/light.ts';
import { type Brush, both, darker, ellipse, lighter, line, mix, path, smoothLoop } from './brush.ts';

export const DRAWN_GENDERS = ['male', 'female', 'boy', 'girl'] as const;
export type DrawnGender = (typeof DRAWN_GENDERS)[number];

/** Changes to a scene that words of a prompt ask for. */
export interface SceneChanges {
  time?: 'dusk' | 'night';
  weather?: 'rain' | 'snow';
  /** The colour of the character's clothes. */
  colour?: string;
}

/** A place that people can be put into. Characters are drawn around each face. */
export interface Scene {
  light: Light;
  /** The colour of clothes, by gender. */
  colours: Readonly<Record<DrawnGender, string>>;
  /** The position of one person's face in shares of the picture, and its size relative to the usual one. */
  seat?: { x?: number; y?: number; scale?: number };
  /** Draws the whole picture, in units of a picture whose shorter side is 1200. */
  background: (backdrop: Backdrop) => string;
  /** Draws the parts behind the face; `front` those before it. The origin is the middle of the face, which is 400 high. */
  behind: (figure: Figure) => string;
  front: (figure: Figure) => string;
  /** Draws the parts before everything else, in the units of the background. */
  foreground?: (backdrop: Backdrop) => string;
}

export interface Backdrop extends Size {
  brush: Brush;
  random: () => number;
}

/** One character while it is drawn. */
export interface Figure {
  brush: Brush;
  random: () => number;
  gender: DrawnGender;
  isChild: boolean;
  isFemale: boolean;
  colour: string;
  /** The colour of skin, measured in the photo. */
  skin: string;
  hair: string;
  /** The outline of the person's face, larger (or smaller) by so many units. */
  outline: (grow: number) => string;
  /** Half the width of the shoulders. */
  shoulders: number;
}

/** Makes the function `outline` of a figure from the points of the face's outline. */
export function outlineOf(points: readonly (readonly [x: number, y: number])[]): Figure['outline'] {
  return (grow) =>
    smoothLoop(
      points.map(([x, y]) => {
        const length = Math.hypot(x, y) || 1;
        return [x + (x / length) * grow, y + (y / length) * grow] as const;
      }),
    );
}

/**
 * Draws something before the face that leaves the face free. The hole is a little smaller than the face, so that no edge of it
 * shows.
 */
export const aroundFace = ({ brush, outline }: Figure, drawing: string, grow = -7): string =>
  `<g mask="${brush.hole(outline(grow))}">${drawing}</g>`;

/** The shadow that an opening throws on the face; drawn before the opening. */
export function shadowOnFace({ brush, outline }: Figure, strength = 0.5, colour = '#2a0f08'): string {
  const edge = `<path d="${outline(4)}" fill="none" stroke="${colour}" stroke-width="46" filter="${brush.blur(15)}" opacity="${strength}"/>`;
  return `<g clip-path="${brush.clip(outline(2))}">${edge}${brush.soft(0, -205, 210, 90, colour, strength)}</g>`;
}

/** A rim of cloth or fur along the opening. */
export const rim = ({ outline }: Figure, colour: string, width: number, grow = 0): string =>
  line(outline(grow), mix(colour, '#05030a', 0.35), width) + line(outline(grow), colour, width * 0.66);

/** The upper body, down to the end of the picture. */
export function torso({ shoulders: w }: Figure, fill: string, neck = 100): string {
  return path(
    `M${-w * 1.04} 1700 L${-w * 1.02} 640 C${-w} 430 ${-w * 0.72} 350 ${-neck} 268 Q0 330 ${neck} 268 C${w * 0.72} 350 ${w} 430 ${w * 1.02} 640 L${w * 1.04} 1700 Z`,
    fill,
  );
}

/** Folds of the sleeves and the chest. */
export function folds({ shoulders: w, colour }: Figure, tone = colour): string {
  const dark = mix(tone, '#05030a', 0.6);
  const light = lighter(tone, 0.4);
  return both(
    line(
      `M${w * 0.66} 560 Q${w * 0.6} 760 ${w * 0.68} 1000 T${w * 0.66} 1500 M${w * 0.84} 470 Q${w * 0.7} 520 ${w * 0.62} 600`,
      dark,
      11,
      0.42,
    ) +
      line(`M${w * 0.72} 580 Q${w * 0.67} 760 ${w * 0.74} 980`, light, 7, 0.22) +
      line(`M${w * 0.3} 420 Q${w * 0.2} 560 ${w * 0.28} 740`, dark, 9, 0.22),
  );
}

/** A scarf or neckerchief, which hides the neck up to the chin. */
export function scarf(figure: Figure, colour: string, wide = 165): string {
  const { brush } = figure;
  const fold = (y: number, share: number) =>
    line(`M${-wide * share} ${y} Q0 ${y + 96} ${wide * share} ${y}`, mix(colour, '#05030a', 0.5), 7, 0.5);
  const shape = `M${-wide} 96 Q0 190 ${wide} 96 Q${wide * 1.3} 250 ${wide * 0.86} 330 Q0 424 ${-wide * 0.86} 330 Q${-wide * 1.3} 250 ${-wide} 96 Z`;
  return (
    brush.soft(0, 300, wide * 1.2, 100, '#000000', 0.35) +
    aroundFace(
      figure,
      `${path(shape, brush.cloth(colour))}${fold(190, 1.04)}${fold(236, 1)}${fold(284, 0.88)}${brush.soft(0, 200, wide, 60, '#000000', 0.5)}`,
      -4,
    )
  );
}

/** A pleated ruff. */
export function ruff(figure: Figure, colour: string, wide = 250): string {
  const { brush } = figure;
  const pleats = Array.from({ length: 27 }, (_, n) => {
    const t = (n / 26) * 2 - 1;
    const x = t * wide;
    const y = 268 - t * t * 120;
    const turn = `transform="rotate(${-t * 52} ${x} ${y})"`;
    return (
      ellipse(x, y, 25, 62, brush.down('#ffffff', mix(colour, '#6a5a78', 0.3)), turn) +
      ellipse(x, y + 16, 9, 36, mix(colour, '#4a3c58', 0.42), turn)
    );
  });
  return `${brush.soft(0, 310, wide * 1.15, 100, '#000000', 0.4)}${aroundFace(figure, `${path(`M${-wide} 110 Q0 300 ${wide} 110 Q0 190 ${-wide} 110 Z M-150 130 H150 V270 H-150 Z`, mix(colour, '#4a3c58', 0.5))}${pleats.join('')}`, -4)}`;
}

/** Hair from the crown down both sides, over the ears, as long as `length` units below the middle of the face. */
export function sideHair(figure: Figure, length: number, wide = 64): string {
  const { brush, hair, isFemale } = figure;
  const top = -214;
  const w = 168 + wide;
  const outer = `M0 ${top - 60} C${w * 0.8} ${top - 60} ${w} -120 ${w} 0 C${w + 8} ${length * 0.5} ${w + (isFemale ? 26 : 0)} ${length * 0.8} ${w - 26} ${length} Q${w - 80} ${length + 26} 130 ${length - 10} Q150 170 110 60 L-110 60 Q-150 170 -130 ${length - 10} Q${-w + 80} ${length + 26} ${-w + 26} ${length} C${-w - (isFemale ? 26 : 0)} ${length * 0.8} ${-w - 8} ${length * 0.5} ${-w} 0 C${-w} -120 ${-w * 0.8} ${top - 60} 0 ${top - 60} Z`;
  const strands = both(
    [0, 1, 2, 3, 4]
      .map((n) => {
        const x = 166 + (n / 4) * (wide - 6);
        return line(
          `M${40 + n * 26} ${top - 20} C${x} -190 ${x + 6} -60 ${x} 20 S${x + (n % 2) * 14} ${length * 0.7} ${x - 18} ${length - 12}`,
          n % 2 === 0 ? lighter(hair, 0.3) : darker(hair, 0.5),
          6,
          0.34,
        );
      })
      .join(''),
  );
  return aroundFace(figure, path(outer, brush.shaded(hair, 0.16, 0.45)) + strands);
}
