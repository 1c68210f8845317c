import { type TextStyle, textSvg } from '../../../picture/text.ts';
import { createCanvas, type Operation, pasteCanvas, resized } from '../canvas.ts';
import { designSize, drawSvg, gradient } from '../svg.ts';

interface Line extends Omit<TextStyle, 'colour'> {
  /** The text; by default the name of the filter. */
  text?: string;
  /** Distance from the upper edge; negative from the lower edge. */
  y: number;
  /** Distance from the edge that `align` names; by default the edge of the photo. */
  x?: number;
}

/** The frame of a photo; lengths are in design units. */
interface Frame {
  paper: string;
  margins: readonly [top: number, right: number, bottom: number, left: number];
  /** The line around the photo. */
  outline?: readonly [colour: string, thickness: number];
  /** Additional SVG, given the size of the picture. */
  svg?: (width: number, height: number) => string;
  ink?: string;
  lines?: readonly Line[];
}

/** Makes an operation that shrinks the photo, puts it on a sheet of paper and draws around it. */
function framed<P>(frameOf: (parameters: P) => Frame): Operation<P> {
  return async (canvas, parameters, context) => {
    const { paper, margins, outline, svg, ink = '#000000', lines = [] } = frameOf(parameters);
    const [top, right, bottom, left] = margins;
    const pixels = (units: number) => Math.round(units * context.unit);
    const photo = {
      width: canvas.width - pixels(left) - pixels(right),
      height: canvas.height - pixels(top) - pixels(bottom),
    };
    const sheet = createCanvas(canvas, paper);
    pasteCanvas(sheet, await resized(canvas, photo, 'cover'), pixels(left), pixels(top));

    const { width, height } = designSize(canvas, context);
    const photoWidth = width - left - right;
    const text = lines.map(({ text = context.title, y, align = 'middle', x, ...style }) => {
      const at = { left: x ?? left, middle: width / 2, right: width - (x ?? right) }[align];
      const how = { maxWidth: photoWidth * 0.95, ...style, align, colour: ink };
      return textSvg(text, at, y < 0 ? height + y : y, how);
    });
    const box = `x="${left}" y="${top}" width="${photoWidth}" height="${height - top - bottom}"`;
    const stroke = outline && `stroke="${outline[0]}" stroke-width="${outline[1]}"`;
    const inner = [svg?.(width, height), stroke && `<rect ${box} fill="none" ${stroke}/>`, ...text].join('');
    return inner === '' ? sheet : drawSvg(sheet, context, inner);
  };
}

export const border = framed<{ colour: string; margin: number }>(({ colour, margin }) => ({
  paper: colour,
  margins: [margin, margin, margin, margin],
}));

export const polaroid = framed<object>(() => ({
  paper: '#fbfaf5',
  margins: [70, 70, 250, 70],
  outline: ['#00000022', 3],
  ink: '#3a3f4a',
  lines: [{ y: -160, size: 62, weight: 0.1 }],
}));

/** A film poster: the title under the picture, a rule, a line of small type. */
export const poster = framed<{ paper: string; ink: string; line: string }>(({ paper, ink, line }) => ({
  paper,
  margins: [80, 80, 330, 80],
  outline: [ink, 4],
  svg: (width, height) =>
    `<rect x="80" y="${height - 106}" width="${width - 160}" height="3" fill="${ink}"/>`,
  ink,
  lines: [
    { y: -268, size: 120, weight: 0.17, spacing: 0.3 },
    { text: line, y: -72, size: 26, weight: 0.11, spacing: 0.55 },
  ],
}));

/** A magazine cover: the title across the top of the photo, lines in the lower left. */
export const magazine = framed<{ ink: string; lines: string[] }>(({ ink, lines }) => ({
  paper: '#000000',
  margins: [0, 0, 0, 0],
  svg: () =>
    gradient('down', 'shade', [0, '#000', 0.5], [0.24, '#000', 0], [0.62, '#000', 0], [1, '#000', 0.62]) +
    '<rect width="100%" height="100%" fill="url(#shade)"/>',
  ink,
  lines: [
    { y: 64, size: 210, weight: 0.19, spacing: 0.2 },
    ...lines.map((text, index) => {
      const y = (index - lines.length) * 84 - 50;
      return { text, align: 'left', x: 70, y, size: 46, weight: 0.14, maxWidth: 600 } as const;
    }),
  ],
}));

/** A postage stamp: perforated edges, a country that does not exist, a price. */
export const stamp = framed<{ paper: string; ink: string; country: string }>(({ paper, ink, country }) => ({
  paper,
  margins: [130, 130, 210, 130],
  outline: [ink, 5],
  // Dashes of length 0 with round ends are dots.
  svg: (width, height) =>
    `<path d="M0 0 H${width} M0 ${height} H${width} M0 0 V${height} M${width} 0 V${height}" stroke="#2c2a33" stroke-width="38" stroke-linecap="round" stroke-dasharray="0 58"/>`,
  ink,
  lines: [
    { text: country, align: 'left', y: -160, size: 60 },
    { text: '80', align: 'right', y: -160, size: 60, weight: 0.16 },
    { y: 72, size: 26, weight: 0.11, spacing: 0.5 },
  ],
}));

/** A strip of cinema film with its holes. */
export const filmStrip = framed<object>(() => ({
  paper: '#0d0c0c',
  margins: [60, 140, 60, 140],
  outline: ['#2b2623', 6],
  svg: (width) => {
    const hole = (x: number) => `<rect x="${x}" width="52" height="60" rx="12" fill="#efe9dc"/>`;
    const tile = `patternUnits="userSpaceOnUse" y="-30" width="${width}" height="96"`;
    return `<pattern id="holes" ${tile}>${hole(44)}${hole(width - 96)}</pattern><rect width="100%" height="100%" fill="url(#holes)"/>`;
  },
  ink: '#e8a33d',
  lines: [
    { text: 'DARKROOM 400', align: 'left', x: 160, y: 18, size: 24, weight: 0.12, spacing: 0.5 },
    { text: '24A', align: 'right', x: 180, y: -44, size: 24, weight: 0.12, spacing: 0.5 },
  ],
}));

/** A fortune card: a gold double border, a numeral and the title. */
export const fortuneCard = framed<{ paper: string; gold: string; numeral: string }>((parameters) => {
  const { paper, gold, numeral } = parameters;
  return {
    paper,
    margins: [150, 90, 230, 90],
    outline: [gold, 9],
    svg: (width, height) =>
      `<rect x="34" y="34" width="${width - 68}" height="${height - 68}" rx="40" fill="none" stroke="${gold}" stroke-width="5"/>`,
    ink: gold,
    lines: [
      { text: numeral, y: 66, size: 56, weight: 0.12, spacing: 0.4 },
      { y: -160, size: 74, weight: 0.12, spacing: 0.4 },
    ],
  };
});
