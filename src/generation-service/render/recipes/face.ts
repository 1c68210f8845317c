import { colourHalftone, engrave, halftone } from '../operations/dots.ts';
import { border, card, magazine, polaroid, poster, stamp } from '../operations/frames.ts';
import { grid, speedLines, sunsetGrid } from '../operations/grids.ts';
import { aurora, bloom, lightLeak, sunRays, wash } from '../operations/light.ts';
import { inkLines, neon, paper, pencil, strokes } from '../operations/paint.ts';
import { scatter } from '../operations/scatter.ts';
import { bricks, crossStitch, lowPoly, mosaic, stainedGlass } from '../operations/tiles.ts';
import { grade, gradientMap, grain, mix, posterize, stretch, vignette } from '../operations/tone.ts';
import { channelShift, kaleidoscope, scanlines, tear } from '../operations/warp.ts';
import { catalog } from './recipe.ts';

const popCell = (...colours: string[]) => [stretch(), strokes(8), gradientMap(...colours)];

/** The face swap catalog; the order gives the numbers, so new ones go to the end. */
export const faceRecipes = catalog('face', [
  {
    name: 'Pop Art',
    steps: [
      grid(2, 2, [
        popCell('#2b0a5a', '#ff2f7e', '#ffd23f'),
        popCell('#06325e', '#00a6a6', '#f9f871'),
        popCell('#5a0a1f', '#ff6b1a', '#7ef9ff'),
        popCell('#123b0e', '#8bd450', '#ffb3f5'),
      ]),
    ],
  },
  {
    name: 'Halftone Press',
    steps: [
      stretch(),
      grade({ contrast: 1.25, brightness: 14 }),
      halftone({ cell: 15, angle: 32, ink: '#c2142c', paper: '#fdf3dc' }),
      border('#fdf3dc', 60),
    ],
  },
  {
    name: 'Watercolour',
    steps: [
      stretch(),
      grade({ saturation: 1.35, brightness: 26 }),
      strokes(15),
      inkLines(0.8, '#6a5a78', 2.4),
      wash('#fff7e8', '#e8f4ff', 0.35, 'soft-light'),
      paper(0.2),
      border('#fffdf7', 70),
    ],
  },
  {
    name: 'Comic Hero',
    steps: [
      stretch(),
      grade({ saturation: 1.55, contrast: 1.05, brightness: 18 }),
      strokes(7),
      posterize(7),
      inkLines(1.3),
      mix(0.22, colourHalftone(12)),
      speedLines('#fff6c9', 80),
      border('#111111', 26),
    ],
  },
  {
    name: 'Film Noir',
    steps: [stretch(), grade({ saturation: 0, contrast: 1.55, brightness: -18 }), grain(38), vignette(2.2)],
  },
  { name: 'Neon Nights', steps: [stretch(), neon('#ff2bd6', '#19e3ff'), vignette(0.8)] },
  {
    name: 'Cyanotype',
    steps: [
      stretch(),
      grade({ contrast: 1.15 }),
      gradientMap('#04204a', '#1d5c9b', '#9cc8e4', '#f4f7ee'),
      paper(0.28),
      border('#f4f1e4', 84),
    ],
  },
  { name: 'Pencil Sketch', steps: [stretch(), pencil(14), paper(0.1, 12)] },
  {
    name: 'Vaporwave',
    steps: [
      stretch(),
      gradientMap('#1b0740', '#7b2ff7', '#ff5fc4', '#ffd1a8', '#fff7d6'),
      channelShift(7),
      sunsetGrid(),
      scanlines(6, 0.12),
    ],
  },
  {
    name: 'Risograph',
    steps: [
      stretch(),
      strokes(5),
      gradientMap('#0b4f6c', '#ff6f59', '#ffe9c9'),
      mix(0.42, halftone({ cell: 10, angle: 62, ink: '#0b4f6c', paper: '#ffe9c9' })),
      grain(26, 2.4),
      border('#ffe9c9', 58),
    ],
  },
  { name: 'Mosaic', steps: [stretch(), grade({ saturation: 1.5, contrast: 1.1 }), mosaic(25)] },
  {
    name: 'Oil Portrait',
    steps: [
      stretch(),
      grade({ saturation: 1.3, warmth: 12, contrast: 1.12 }),
      strokes(11),
      strokes(5),
      paper(0.14, 8),
      vignette(1.3, '#1d0f06'),
    ],
  },
  {
    name: 'Polaroid Summer',
    steps: [
      stretch(),
      grade({ saturation: 0.85, contrast: 0.86, brightness: 18, warmth: 14 }),
      lightLeak('#ff9a3d', '#ff5a5a'),
      polaroid(),
    ],
  },
  {
    name: 'Stained Glass',
    steps: [
      stretch(),
      grade({ saturation: 2, contrast: 1.2, brightness: 10 }),
      stainedGlass(35),
      bloom(0.22),
    ],
  },
  {
    name: 'Cinema Poster',
    steps: [
      stretch(),
      grade({ saturation: 0.7, contrast: 1.3 }),
      mix(0.62, gradientMap('#04141f', '#0f5e6e', '#f39c4a', '#ffe6b8')),
      vignette(1.2),
      poster('#0c1418', '#f5d9a6', 'A DARKROOM PICTURE   IN CINEMAS TONIGHT'),
    ],
  },
  {
    name: 'Cover Story',
    singleOnly: true,
    steps: [
      stretch(),
      grade({ saturation: 0.9, contrast: 1.14, warmth: 5 }),
      bloom(0.16),
      magazine('#fff3f0', ['THE PORTRAIT ISSUE', 'LIGHT, AND HOW TO FIND IT', '100 PAGES IN COLOUR']),
    ],
  },
  {
    name: 'Royal Stamp',
    singleOnly: true,
    steps: [
      stretch(),
      gradientMap('#2b0d3f', '#8e3b6f', '#e7b7a0', '#fff3de'),
      mix(0.55, engrave({ cell: 9, angle: 24, ink: '#3d1250', paper: '#fff3de' })),
      stamp('#fff7e6', '#54205f', 'FOTOLAND'),
    ],
  },
  {
    name: 'Glitch',
    steps: [
      stretch(),
      grade({ saturation: 1.4, contrast: 1.2, warmth: -12 }),
      channelShift(16),
      tear(16, 150),
      scanlines(5, 0.28),
      vignette(0.8, '#020814'),
    ],
  },
  {
    name: 'Golden Hour',
    steps: [
      stretch(),
      grade({ saturation: 1.2, warmth: 30, brightness: 4 }),
      wash('#ffb347', '#ff5e62', 0.5, 'soft-light'),
      sunRays('#ffd27a'),
      bloom(0.22),
    ],
  },
  {
    name: 'Winter Tale',
    steps: [
      stretch(),
      grade({ saturation: 0.65, warmth: -24, brightness: 18 }),
      wash('#dff1ff', '#7fa9d6', 0.4, 'soft-light'),
      scatter({ shape: 'dot', count: 340, size: [2, 9], colours: ['#ffffff'], opacity: [0.5, 0.95] }),
      scatter({ shape: 'flake', count: 60, size: [18, 46], colours: ['#ffffff', '#e4f3ff'], around: true }),
      vignette(1.1, '#eaf5ff'),
    ],
  },
  {
    name: 'Toy Bricks',
    steps: [stretch(), grade({ saturation: 1.7, contrast: 1.15 }), posterize(7), bricks(30)],
  },
  {
    name: 'Thermal',
    steps: [
      stretch(),
      gradientMap('#03051a', '#3b0f8c', '#c1267f', '#fb7a2c', '#fde74c', '#ffffff'),
      bloom(0.2),
    ],
  },
  {
    name: 'Tintype',
    steps: [
      stretch(),
      grade({ contrast: 1.2 }),
      gradientMap('#120d0a', '#5b4a3c', '#b6a084', '#e6d8bd'),
      paper(0.34, 60),
      grain(20),
      vignette(2.6, '#090605'),
      border('#17110d', 70),
    ],
  },
  {
    name: 'Fortune Card',
    singleOnly: true,
    steps: [
      stretch(),
      strokes(6),
      gradientMap('#120b3a', '#4c2a85', '#d98a6a', '#ffe7b0'),
      inkLines(1, '#120b3a'),
      scatter({ shape: 'sparkle', count: 80, size: [8, 30], colours: ['#ffe7a3', '#fff7dd'], around: true }),
      card('#160f3d', '#e9c46a', 'XXI'),
    ],
  },
  {
    name: 'Cherry Blossom',
    steps: [
      stretch(),
      grade({ saturation: 0.95, brightness: 16, tint: 8 }),
      wash('#ffd6e7', '#ff9ec4', 0.42, 'soft-light'),
      bloom(0.24),
      scatter({
        shape: 'petal',
        count: 130,
        size: [12, 40],
        colours: ['#ffc2d9', '#ff9fc3', '#fff0f6'],
        around: true,
        opacity: [0.65, 0.98],
      }),
    ],
  },
  {
    name: 'Engraving',
    steps: [
      stretch(),
      grade({ contrast: 1.2, brightness: 10 }),
      engrave({ cell: 11, angle: 18, ink: '#173b2f', paper: '#eef0dc' }),
      border('#eef0dc', 64),
    ],
  },
  { name: 'Low Poly', steps: [stretch(), grade({ saturation: 1.35, contrast: 1.1 }), lowPoly(40)] },
  {
    name: 'Cross Stitch',
    steps: [stretch(), grade({ saturation: 1.35 }), posterize(8), crossStitch(19), border('#efe6d2', 66)],
  },
  {
    name: 'Aurora',
    steps: [
      stretch(),
      grade({ saturation: 0.8, brightness: -34, warmth: -20, contrast: 1.1 }),
      aurora('#29ffb8', '#36c5ff', '#b06bff'),
      scatter({ shape: 'dot', count: 240, size: [1, 3.4], colours: ['#ffffff'], around: true }),
      vignette(1, '#020617'),
    ],
  },
  {
    name: 'Kaleidoscope',
    singleOnly: true,
    steps: [stretch(), grade({ saturation: 1.6, contrast: 1.15 }), kaleidoscope(8), bloom(0.18), vignette(1)],
  },
]);
