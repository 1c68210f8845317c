import { halftone } from '../operations/dots.ts';
import { border } from '../operations/frames.ts';
import { bloom, lightLeak, wash } from '../operations/light.ts';
import { inkLines, strokes } from '../operations/paint.ts';
import { scatter } from '../operations/scatter.ts';
import { grade, gradientMap, grain, posterize, solarize, stretch, vignette } from '../operations/tone.ts';
import { mirror } from '../operations/warp.ts';
import { catalog } from './recipe.ts';

/** The styles of the v4 path: the plain effects that everybody knows. */
export const classicRecipes = catalog('classic', [
  {
    name: 'Sepia',
    steps: [stretch(), gradientMap('#1f1208', '#6f4a2a', '#cfa873', '#fbeed2'), vignette(1.2, '#1f1208')],
  },
  { name: 'Black and White', steps: [stretch(), grade({ saturation: 0, contrast: 1.2 })] },
  { name: 'Coral Duotone', steps: [stretch(), gradientMap('#2d1e4f', '#ff6f61', '#ffe8d6')] },
  { name: 'Mint Duotone', steps: [stretch(), gradientMap('#0b2b40', '#2ec4a6', '#f1fff6')] },
  { name: 'Lomo', steps: [stretch(), grade({ saturation: 1.6, contrast: 1.3 }), vignette(2.4)] },
  {
    name: 'Cross Process',
    steps: [
      stretch(),
      grade({ contrast: 1.25, saturation: 1.2, tint: -16 }),
      wash('#1b2a8f', '#ffe15a', 0.5, 'soft-light'),
    ],
  },
  { name: 'Soft Focus', steps: [stretch(), bloom(0.42, 18), grade({ contrast: 0.92, brightness: -8 })] },
  {
    name: 'Solarized',
    steps: [stretch(), grade({ saturation: 0 }), solarize(140), gradientMap('#101820', '#8d99ae', '#f8f9fa')],
  },
  {
    name: 'Newsprint Dots',
    steps: [stretch(), grade({ brightness: 14, contrast: 1.15 }), halftone({ cell: 11, angle: 45 })],
  },
  {
    name: 'Ink and Wash',
    steps: [stretch(), grade({ saturation: 0.35, brightness: 28 }), strokes(9), inkLines(1.2, '#1d2b3a', 2)],
  },
  {
    name: 'Carnival',
    steps: [
      stretch(),
      grade({ saturation: 1.9, contrast: 1.1 }),
      posterize(7),
      lightLeak('#ff3d6e', '#ffd23f'),
      scatter({
        shape: 'star',
        count: 110,
        size: [10, 34],
        colours: ['#ffd23f', '#ff3d6e', '#3bceac', '#ffffff'],
        around: true,
      }),
    ],
  },
  {
    name: 'Mirror Hall',
    steps: [stretch(), mirror(), grade({ saturation: 1.2, contrast: 1.1 }), grain(14), border('#0c0c12', 40)],
  },
]);
