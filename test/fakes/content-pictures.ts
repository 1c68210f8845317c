import sharp from 'sharp';

type Colour = readonly [red: number, green: number, blue: number];
/** Tells the colour at a place of a picture: x and y from 0 to 1. */
type Paint = (x: number, y: number) => Colour;

/** Paints a PNG of so many pixels a side, without any library's scaling. */
export function paint(at: Paint, side = 224): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3);
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const colour = at(column / (side - 1), row / (side - 1)).map((value) => Math.round(value));
      pixels.set(colour, (row * side + column) * 3);
    }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

const mix = (share: number, a: Colour, b: Colour): Colour => [
  share * a[0] + (1 - share) * b[0],
  share * a[1] + (1 - share) * b[1],
  share * a[2] + (1 - share) * b[2],
];

const STRIPES_ANGLE = (3 * Math.PI) / 4;

/**
 * Stripes of two colours, which the content model takes for what it is to find. They were found by search and show nothing, so
 * that tests need no picture of the other kind.
 */
const stripesAt: Paint = (x, y) => {
  const along = x * Math.cos(STRIPES_ANGLE) + y * Math.sin(STRIPES_ANGLE);
  const share = 0.5 + 0.5 * Math.sin(2 * Math.PI * (2.5 * along + 0.6018));
  return mix(share, [51, 12, 0], [51, 68, 110]);
};

/** The stripes as a PNG: the picture that tests of the content check use, and the only one that the model objects to. */
export const suspiciousStripes = (side = 448): Promise<Buffer> => paint(stripesAt, side);

/** Patterns by name, of each of which the model says something else. None has a border, because the model is shown a picture with one a second time, without it. */
export const patterns: Readonly<Record<string, Paint>> = {
  stripes: stripesAt,
  white: () => [255, 255, 255],
  sky: (_, y) => mix(y, [236, 242, 250], [70, 130, 200]),
  checkers: (x, y) => ((Math.floor(x * 8) + Math.floor(y * 8)) % 2 === 0 ? [240, 220, 130] : [60, 40, 20]),
  rings: (x, y) => mix(0.5 + 0.5 * Math.sin(60 * Math.hypot(x - 0.5, y - 0.4)), [250, 90, 70], [20, 90, 120]),
  waves: (x, y) => mix(0.5 + 0.5 * Math.sin(9 * x + 4 * Math.sin(7 * y)), [20, 120, 60], [220, 240, 180]),
};
