import { colourHalftone, engrave, halftone, stipple } from '../operations/dots.ts';
import { border, poster } from '../operations/frames.ts';
import { grid, speedLines, sunsetGrid } from '../operations/grids.ts';
import { bloom, wash } from '../operations/light.ts';
import { inkLines, neon, paper, pencil, strokes } from '../operations/paint.ts';
import { scatter } from '../operations/scatter.ts';
import { bricks, crossStitch, knit, lowPoly, mosaic, pixels, stainedGlass } from '../operations/tiles.ts';
import {
  grade,
  gradientMap,
  grain,
  mix,
  posterize,
  solarize,
  stretch,
  vignette,
} from '../operations/tone.ts';
import { channelShift, ripple, scanlines } from '../operations/warp.ts';
import { catalog } from './recipe.ts';

const popCell = (...colours: string[]) => [stretch(), strokes(8), gradientMap(...colours)];

/** Group styles that turn the photo into something made by hand or machine. The interface promises 1 to 25. */
export const stylizedRecipes = catalog('stylized', [
  {
    name: 'Watercolour Album',
    steps: [
      stretch(),
      grade({ saturation: 1.4, brightness: 24 }),
      strokes(13),
      inkLines(0.8, '#5b5170', 2.2),
      paper(0.2),
      border('#fffdf6', 70),
    ],
  },
  {
    name: 'Comic Strip',
    steps: [
      stretch(),
      grade({ saturation: 1.5, brightness: 20 }),
      strokes(6),
      posterize(7),
      inkLines(1.3),
      mix(0.2, colourHalftone(10)),
      border('#ffffff', 40),
    ],
  },
  {
    name: 'Oil on Canvas',
    steps: [
      stretch(),
      grade({ saturation: 1.35, contrast: 1.1, warmth: 8 }),
      strokes(12),
      strokes(5),
      paper(0.16, 7),
      border('#5a3a1c', 46),
    ],
  },
  {
    name: 'Pop Art Six',
    steps: [
      grid(3, 2, [
        popCell('#2b0a5a', '#ff2f7e', '#ffd23f'),
        popCell('#06325e', '#00a6a6', '#f9f871'),
        popCell('#5a0a1f', '#ff6b1a', '#7ef9ff'),
        popCell('#123b0e', '#8bd450', '#ffb3f5'),
        popCell('#3a0f4f', '#9b5de5', '#fee440'),
        popCell('#0b2d2b', '#f15bb5', '#caffbf'),
      ]),
    ],
  },
  { name: 'Pencil Crowd', steps: [stretch(), pencil(12), paper(0.1, 12)] },
  {
    name: 'Paper Cut',
    steps: [
      stretch(),
      strokes(14),
      posterize(4),
      grade({ saturation: 1.25, brightness: 10 }),
      inkLines(0.7, '#ffffff', 2.6),
      paper(0.14, 10),
    ],
  },
  {
    name: 'Stained Window',
    steps: [stretch(), grade({ saturation: 2, contrast: 1.2, brightness: 8 }), stainedGlass(31), bloom(0.22)],
  },
  {
    name: 'Brick Town',
    steps: [stretch(), grade({ saturation: 1.7, contrast: 1.12 }), posterize(7), bricks(26)],
  },
  { name: 'Woollen', steps: [stretch(), grade({ saturation: 1.3 }), posterize(9), knit(16)] },
  {
    name: 'Sampler',
    steps: [stretch(), grade({ saturation: 1.35 }), posterize(8), crossStitch(16), border('#efe6d2', 64)],
  },
  { name: 'Mosaic Floor', steps: [stretch(), grade({ saturation: 1.5, contrast: 1.1 }), mosaic(21)] },
  { name: 'Low Poly Crew', steps: [stretch(), grade({ saturation: 1.35, contrast: 1.1 }), lowPoly(30)] },
  { name: 'Neon Gang', steps: [stretch(), neon('#39ff88', '#ff3df0'), vignette(0.6)] },
  {
    name: 'Zine',
    steps: [
      stretch(),
      strokes(4),
      gradientMap('#2b2d86', '#ff48b0', '#ffe800'),
      mix(0.4, halftone({ cell: 10, angle: 45, ink: '#2b2d86', paper: '#ffe800' })),
      grain(24, 2.4),
      border('#fff8dc', 54),
    ],
  },
  {
    name: 'Blueprint',
    steps: [
      stretch(),
      pencil(10, '#dbeaff', '#12418a'),
      mix(0.18, gradientMap('#06245a', '#2f6fc4')),
      border('#12418a', 40),
      border('#dbeaff', 10),
      border('#12418a', 34),
    ],
  },
  {
    name: 'Chalkboard',
    steps: [stretch(), pencil(13, '#f4f4ec', '#22332c'), paper(0.22, 40), border('#8a5a2b', 40)],
  },
  {
    name: 'Banknote',
    steps: [
      stretch(),
      grade({ contrast: 1.2, brightness: 12 }),
      engrave({ cell: 9, angle: 16, ink: '#1c4a3a', paper: '#e6ecd2' }),
      border('#e6ecd2', 60),
      border('#1c4a3a', 8),
      border('#e6ecd2', 26),
    ],
  },
  {
    name: 'Newspaper',
    steps: [
      stretch(),
      grade({ contrast: 1.2, brightness: 16 }),
      halftone({ cell: 8, angle: 45, ink: '#26241f', paper: '#efe9d8' }),
      poster('#efe9d8', '#26241f', 'LATE EDITION   ALL THE PICTURES   PRICE ONE SMILE'),
    ],
  },
  {
    name: 'Pixel Quest',
    steps: [
      stretch(),
      grade({ saturation: 1.5, contrast: 1.15 }),
      posterize(6),
      pixels(24),
      scanlines(8, 0.08),
    ],
  },
  {
    name: 'Vapor Crew',
    steps: [
      stretch(),
      gradientMap('#1b0740', '#7b2ff7', '#ff5fc4', '#ffd1a8', '#fff7d6'),
      channelShift(6),
      sunsetGrid(),
    ],
  },
  {
    name: 'Travel Poster',
    steps: [
      stretch(),
      strokes(12),
      posterize(6),
      grade({ saturation: 1.3, warmth: 14 }),
      poster('#f6ead0', '#174a5b', 'VISIT US   BY RAIL AND SEA   ALL YEAR ROUND'),
    ],
  },
  {
    name: 'Manga',
    steps: [
      stretch(),
      grade({ saturation: 0, contrast: 1.1, brightness: 44 }),
      strokes(5),
      posterize(5),
      inkLines(1.4, '#000000'),
      mix(0.45, halftone({ cell: 8, angle: 45, ink: '#111111', paper: '#ffffff' })),
      speedLines('#ffffff', 110),
      border('#ffffff', 36),
    ],
  },
  {
    name: 'Gold Leaf',
    steps: [
      stretch(),
      strokes(8),
      gradientMap('#0d0a12', '#4a2f12', '#c9973b', '#fff2c2'),
      inkLines(0.9, '#0d0a12'),
      scatter({ shape: 'sparkle', count: 90, size: [5, 22], colours: ['#fff6d5'], around: true }),
      border('#0d0a12', 40),
      border('#c9973b', 8),
      border('#0d0a12', 24),
    ],
  },
  { name: 'Ink Dots', steps: [stretch(), grade({ contrast: 1.1 }), stipple('#23204a', '#faf6ea')] },
  {
    name: 'Psychedelic',
    steps: [
      stretch(),
      ripple(0.02, 11),
      solarize(120),
      grade({ saturation: 2.4, contrast: 1.1 }),
      wash('#ff00c8', '#00ffd0', 0.4, 'soft-light'),
      channelShift(9),
    ],
  },
]);
