import {
  type Canvas,
  createCanvas,
  drawSvg,
  type Operation,
  place,
  resized,
  rgb,
  type Scene,
} from '../canvas.ts';
import { centred, fitted, lettering } from '../lettering.ts';

/** Where the photo lies inside its frame, in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Frame {
  colour: string;
  /** Margins in design units: top, right, bottom, left. */
  margins: readonly [top: number, right: number, bottom: number, left: number];
  decorate?: (box: Box, canvas: Canvas, scene: Scene) => string;
}

/** Sets the photo smaller onto a coloured sheet and draws around it. */
export const frame =
  ({ colour, margins, decorate }: Frame): Operation =>
  async (canvas, scene) => {
    const { width, height } = canvas;
    const [top, right, bottom, left] = margins.map((margin) => Math.round(margin * scene.unit));
    const box: Box = {
      left: left ?? 0,
      top: top ?? 0,
      width: width - (left ?? 0) - (right ?? 0),
      height: height - (top ?? 0) - (bottom ?? 0),
    };
    const sheet = createCanvas(width, height);
    const fill = rgb(colour);
    for (let i = 0; i < sheet.data.length; i += 1) sheet.data[i] = fill[i % 3] ?? 0;
    place(sheet, await resized(canvas, box.width, box.height), box.left, box.top);
    const inner = decorate?.(box, sheet, scene);
    return inner === undefined ? sheet : drawSvg(sheet, inner);
  };

export const polaroid = (ink = '#3a3f4a'): Operation =>
  frame({
    colour: '#fbfaf5',
    margins: [70, 70, 250, 70],
    decorate: (box, canvas, { unit, title }) => {
      const style = fitted(title, box.width * 0.8, { size: 62 * unit, colour: ink, weight: 0.1 });
      const y = box.top + box.height + 90 * unit;
      return `${outline(box, '#00000022', 3 * unit)}${centred(title, canvas.width / 2, y, style)}`;
    },
  });

/** A film poster: title under the picture, thin rules, a line of small type. */
export const poster = (paper: string, ink: string, line: string): Operation =>
  frame({
    colour: paper,
    margins: [80, 80, 330, 80],
    decorate: (box, canvas, { unit, title }) => {
      const big = fitted(title, box.width * 0.96, {
        size: 120 * unit,
        colour: ink,
        weight: 0.17,
        spacing: 0.3,
      });
      const small = fitted(line, box.width * 0.9, {
        size: 26 * unit,
        colour: ink,
        weight: 0.11,
        spacing: 0.55,
      });
      const y = box.top + box.height + 62 * unit;
      const rule = y + big.size + 42 * unit;
      return `${outline(box, ink, 4 * unit)}${centred(title, canvas.width / 2, y, big)}
        <rect x="${box.left}" y="${rule}" width="${box.width}" height="${3 * unit}" fill="${ink}"/>
        ${centred(line, canvas.width / 2, rule + 34 * unit, small)}`;
    },
  });

/** A magazine cover: the name across the top over the photo, lines at the side. */
export const magazine =
  (colour: string, lines: readonly string[]): Operation =>
  (canvas, { unit, title }) => {
    const { width, height } = canvas;
    const head = fitted(title, width * 0.9, { size: 210 * unit, colour, weight: 0.19, spacing: 0.2 });
    const side = lines.map((line, index) => {
      const style = fitted(line, width * 0.5, { size: (index === 0 ? 56 : 40) * unit, colour, weight: 0.14 });
      return lettering(line, 70 * unit, height - (lines.length - index) * 84 * unit - 50 * unit, style);
    });
    const shade = `<linearGradient id="m" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity=".5"/><stop offset=".24" stop-color="#000" stop-opacity="0"/><stop offset=".62" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".62"/></linearGradient>
      <rect width="100%" height="100%" fill="url(#m)"/>`;
    return drawSvg(canvas, `${shade}${centred(title, width / 2, 64 * unit, head)}${side.join('')}`);
  };

/** Perforated edges, a country that does not exist, a price. */
export const stamp = (paper: string, ink: string, country: string): Operation =>
  frame({
    colour: paper,
    margins: [130, 130, 210, 130],
    decorate: (box, canvas, { unit, title }) => {
      const { width, height } = canvas;
      const pitch = 58 * unit;
      const hole = (x: number, y: number) =>
        `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${19 * unit}"/>`;
      const across = Array.from(
        { length: Math.ceil(width / pitch) + 1 },
        (_, n) => hole(n * pitch, 0) + hole(n * pitch, height),
      );
      const down = Array.from(
        { length: Math.ceil(height / pitch) + 1 },
        (_, n) => hole(0, n * pitch) + hole(width, n * pitch),
      );
      const y = box.top + box.height + 50 * unit;
      const left = fitted(country, box.width * 0.6, { size: 60 * unit, colour: ink, weight: 0.13 });
      const price = { size: 60 * unit, colour: ink, weight: 0.16 };
      const small = fitted(title, box.width * 0.8, {
        size: 26 * unit,
        colour: ink,
        weight: 0.11,
        spacing: 0.5,
      });
      return `<g fill="#2c2a33">${across.join('')}${down.join('')}</g>${outline(box, ink, 5 * unit)}
        ${lettering(country, box.left, y, left)}${lettering('80', box.left + box.width - 90 * unit, y, price)}
        ${centred(title, width / 2, box.top - 58 * unit, small)}`;
    },
  });

/** A strip of cinema film with its holes. */
export const filmStrip = (): Operation =>
  frame({
    colour: '#0d0c0c',
    margins: [60, 140, 60, 140],
    decorate: (box, canvas, { unit }) => {
      const pitch = 96 * unit;
      const holes = Array.from({ length: Math.ceil(canvas.height / pitch) + 1 }, (_, n) =>
        [44, canvas.width / unit - 44 - 52]
          .map(
            (x) =>
              `<rect x="${x * unit}" y="${n * pitch - 30 * unit}" width="${52 * unit}" height="${60 * unit}" rx="${12 * unit}"/>`,
          )
          .join(''),
      );
      const mark = { size: 24 * unit, colour: '#e8a33d', weight: 0.12, spacing: 0.5 };
      return `<g fill="#efe9dc">${holes.join('')}</g>${outline(box, '#2b2623', 6 * unit)}
        ${lettering('DARKROOM 400', box.left + 20 * unit, 18 * unit, mark)}${lettering('24A', box.left + box.width - 110 * unit, canvas.height - 44 * unit, mark)}`;
    },
  });

/** A playing or fortune card: gold double border and a name plate. */
export const card = (paper: string, gold: string, numeral: string): Operation =>
  frame({
    colour: paper,
    margins: [150, 90, 230, 90],
    decorate: (box, canvas, { unit, title }) => {
      const { width, height } = canvas;
      const name = fitted(title, box.width * 0.86, {
        size: 74 * unit,
        colour: gold,
        weight: 0.12,
        spacing: 0.4,
      });
      const top = { size: 56 * unit, colour: gold, weight: 0.12, spacing: 0.4 };
      const inset = 34 * unit;
      return `<rect x="${inset}" y="${inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${40 * unit}" fill="none" stroke="${gold}" stroke-width="${5 * unit}"/>
        ${outline(box, gold, 9 * unit)}${centred(numeral, width / 2, 66 * unit, top)}
        ${centred(title, width / 2, box.top + box.height + 70 * unit, name)}`;
    },
  });

export const outline = ({ left, top, width, height }: Box, colour: string, thickness: number): string =>
  `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="none" stroke="${colour}" stroke-width="${thickness}"/>`;

/** A plain border. */
export const border = (colour: string, margin: number): Operation =>
  frame({ colour, margins: [margin, margin, margin, margin] });
